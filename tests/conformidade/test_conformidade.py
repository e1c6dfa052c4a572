"""The language-neutral cases: the same files any other implementation of the format reads."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from caderneta.checks.rules import message
from caderneta.format.document import parse
from caderneta.ledger.projection import Projection
from caderneta.vault.workspace import Workspace
from caderneta.views.estado import Options, render, sections
from caderneta.views.facts import fact_json, finding_json

HERE = Path(__file__).parent
LINES: list[dict[str, Any]] = json.loads((HERE / "linhas.json").read_text(encoding="utf-8"))
VAULTS = sorted(p for p in (HERE / "vaults").iterdir() if p.is_dir())
NOISE = {"CAD103", "CAD119"}


def fits(expected: Any, real: Any) -> bool:
    """Whether what is written in a case is found, key by key, in what the program says."""
    if isinstance(expected, dict) and isinstance(real, dict):
        return all(key in real and fits(value, real[key]) for key, value in expected.items())
    if isinstance(expected, list) and isinstance(real, list):
        return len(expected) == len(real) and all(map(fits, expected, real))
    return bool(expected == real)


def test_there_are_as_many_cases_as_expected() -> None:
    assert len(LINES) >= 450 and len(VAULTS) >= 75
    assert len({case["nome"] for case in LINES}) == len(LINES)
    assert all((p / "esperado.json").exists() and (p / "hoje.txt").exists() and (p / "ESTADO.md").exists() for p in VAULTS)


@pytest.mark.parametrize("case", LINES, ids=lambda c: c["nome"])
def test_lines(case: dict[str, Any]) -> None:
    document = parse(case.get("arquivo", "diario/2026/2026-07-09.md"), case["linha"])
    held = Projection(today="2026-07-20", documents=[document])
    facts = [fact_json(held, fact) for fact in document.facts]
    assert fits(case["fatos"], facts), facts
    quiet = set() if case.get("tudo") else NOISE
    assert sorted({f.code for f in document.findings} - quiet) == sorted(case["achados"])


@pytest.mark.parametrize("folder", VAULTS, ids=lambda p: p.name)
def test_vaults(folder: Path) -> None:
    expected = json.loads((folder / "esperado.json").read_text(encoding="utf-8"))
    held = Workspace.open(folder / "cofre", (folder / "hoje.txt").read_text().strip()).projection
    facts = [fact_json(held, fact) for fact in held.facts()]
    for wanted, found in zip(expected["fatos"], facts, strict=True):
        assert fits(wanted, found), (wanted, found)
    findings = held.findings()
    real = [finding_json(f) for f in findings]
    for wanted in expected["achados"]:
        assert any(fits(wanted, found) for found in real), wanted
    for found in real:
        if found["codigo"] not in NOISE | {"CAD104"}:
            assert any(fits(wanted, found) for wanted in expected["achados"]), found
    estado = render(sections(held, Options()))
    outputs = [estado, json.dumps(facts), json.dumps(real), *map(message, findings)]
    for text in expected.get("nunca", []):
        assert not any(text in output for output in outputs), text
    _same_subjects(expected.get("mesmo_assunto", []), {fact["id"]: fact["assunto"] for fact in facts})
    assert estado == (folder / "ESTADO.md").read_bytes().decode()


def _same_subjects(groups: list[list[int]], subjects: dict[int, str]) -> None:
    for i, group in enumerate(groups):
        assert len({subjects[number] for number in group}) == 1
        others = {subjects[number] for other in groups[i + 1 :] for number in other}
        assert subjects[group[0]] not in others
