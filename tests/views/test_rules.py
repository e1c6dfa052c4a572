"""Every rule has an example that has it, one that has not, and a sentence."""

from __future__ import annotations

from pathlib import Path

import pytest

from caderneta.checks.rules import EXAMPLE_DAY, EXAMPLE_PATH, RULES, Example, Rule, by_code, message, severity
from caderneta.format.document import parse
from caderneta.format.text import visible
from caderneta.format.values import Finding
from caderneta.ledger.projection import Projection

# What only the disk can find: bytes, copies, settings.
ON_DISK = {"CAD301", "CAD304", "CAD309"}


def findings(example: Example) -> list[Finding]:
    files = {EXAMPLE_PATH: example} if isinstance(example, str) else example
    return Projection(today=EXAMPLE_DAY, documents=[parse(path, text) for path, text in files.items()]).findings()


def findings_on_disk(example: Example, root: Path) -> list[Finding]:
    from caderneta.vault.workspace import Workspace

    files = {EXAMPLE_PATH: example} if isinstance(example, str) else example
    for path, text in files.items():
        file = root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(text.encode("utf-8", "surrogateescape"))
    return Workspace.open(root, EXAMPLE_DAY).projection.findings()


def check(rule: Rule, bad: list[Finding], good: list[Finding]) -> None:
    found = [f for f in bad if f.code == rule.code]
    assert found, [f.code for f in bad]
    assert rule.code not in {f.code for f in good}
    for finding in found:
        said = message(finding)
        assert said == visible(said) and "{" not in said
        assert said[0] == said[0].upper()


@pytest.mark.parametrize("rule", [r for r in RULES if r.bad and r.code not in ON_DISK], ids=lambda r: r.code)
def test_the_bad_example_has_the_finding_and_the_good_one_has_not(rule: Rule) -> None:
    check(rule, findings(rule.bad), findings(rule.good))


@pytest.mark.parametrize("rule", [r for r in RULES if r.code in ON_DISK], ids=lambda r: r.code)
def test_the_same_for_what_only_the_disk_can_tell(rule: Rule, tmp_path: Path) -> None:
    check(rule, findings_on_disk(rule.bad, tmp_path / "bad"), findings_on_disk(rule.good, tmp_path / "good"))


def test_codes_are_unique_and_in_order() -> None:
    codes = [rule.code for rule in RULES]
    assert codes == sorted(set(codes))
    assert set(by_code()) == set(codes)
    assert severity("CAD209") == "erro"


def said(text: str) -> dict[str, str]:
    return {f.code: message(f) for f in findings(text)}


def test_the_sentences_of_the_specification() -> None:
    assert said("- decisao: fechar")["CAD108"] == (
        'Parece uma decisão, mas com um só ":" e sem data não conta. Escreva "- decisao :: …".'
    )
    assert said("- decisao :: fechar (#41)\n- resolvido :: #41 · feito (#42)")["CAD208"] == (
        '#41 é uma decisão: não se faz, deixa de valer. Use "supersede :: #41 · motivo". Nada mudou.'
    )
    assert said("- decisao :: fechar (#1274)\n- supersede :: #4100 · engano (#12)")["CAD203"] == (
        "#4100 não existe (o último é #1274). O evento não fez nada."
    )
    assert said("x\n\n\n- decisao :: fechar (#812)\n\n\n\n\n- decisao :: abrir (#812)")["CAD209"] == (
        "#812 está em duas linhas diferentes (2026-07-20.md:4 e :9). Escolha uma: caderneta renumerar 2026-07-20.md:9"
    )
    assert said("- feito :: mandei as notas")["CAD131"].startswith("Feito o quê? Falta o número")


def test_a_word_of_the_vault_cannot_act_on_the_screen() -> None:
    for text in ("- [10:00] deci\x1b[2Jzao :: x", "- relacao :: [[A]] -[ode\u202eia]-> [[B]] (#1)"):
        for sentence in said(text).values():
            assert "\x1b" not in sentence and "\u202e" not in sentence
