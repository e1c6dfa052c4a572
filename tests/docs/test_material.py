"""What people are given is right by the tool's own account: the template, the example vault, the method on paper."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path

import pytest

from caderneta.checks.rules import RULES, severity
from caderneta.format.document import parse
from caderneta.format.settings import read_settings
from caderneta.format.values import DEFAULTS, STRUCK
from caderneta.ledger.projection import Projection
from caderneta.vault.workspace import Workspace

ROOT = Path(__file__).parents[2]
_FENCE = re.compile(r"^```markdown caderneta (\S+)\n(.*?)^```$", re.M | re.S)


def opened(tmp_path: Path, folder: str, today: str) -> Projection:
    shutil.copytree(ROOT / folder, tmp_path / "cofre")
    return Workspace.open(tmp_path / "cofre", today).projection


def test_the_template_holds_no_fact_and_raises_no_finding(tmp_path: Path) -> None:
    held = opened(tmp_path, "vault-template", "2026-07-20")
    assert held.facts() == []
    assert held.findings() == []


def test_the_template_s_settings_are_the_defaults_each_one_explained() -> None:
    text = (ROOT / "vault-template/Caderneta.md").read_text(encoding="utf-8")
    assert read_settings(text) == (DEFAULTS, ())
    header = text.split("---\n")[1].split("\n")
    keys = [i for i, line in enumerate(header) if re.match(r"[a-z_]+:", line)]
    assert len(keys) == 8
    assert all(header[i - 1].startswith("#") for i in keys)


def test_the_template_s_daily_notes_are_the_ones_read() -> None:
    template = ROOT / "vault-template"
    daily = json.loads((template / ".obsidian/daily-notes.json").read_text(encoding="utf-8"))
    assert daily == {"folder": "diario", "format": "YYYY/YYYY-MM-DD", "template": "modelos/diario"}
    assert (template / "modelos/diario.md").is_file()
    assert parse("diario/2026/2026-07-20.md", (template / "modelos/diario.md").read_text(encoding="utf-8")).facts == ()


@pytest.mark.parametrize(
    "name",
    [
        "AGENTS.md", "CLAUDE.md", ".pre-commit-config.yaml", ".gitattributes", ".gitignore", ".vscode/tasks.json",
        ".vscode/caderneta.code-snippets", "diario/.gitkeep", "entidades/.gitkeep",
    ],
)  # fmt: skip
def test_the_template_has(name: str) -> None:
    path = ROOT / "vault-template" / name
    assert path.is_file()
    if name.endswith((".json", ".code-snippets")):
        json.loads(path.read_text(encoding="utf-8"))


def test_the_example_s_only_fault_is_the_plan_that_rested_on_a_dead_decision(tmp_path: Path) -> None:
    held = opened(tmp_path, "docs/exemplo", "2026-07-20")
    faults = [(f.code, f.ids) for f in held.findings() if severity(f.code) != "nota"]
    assert faults == [("CAD214", (9, 4))]


@pytest.mark.parametrize(
    ("number", "state", "cause"),
    [
        (4, "superado", 35),  # a decision that died
        (34, "vigente", None),  # its replacement
        (9, "vigente", None),  # the plan that rested on it
        (5, "vigente", None),  # a task closed by #16 and reopened by #30
        (16, "superado", 30),
        (2, "vigente", None),  # an old open task
        (12, "vigente", None),  # an edge
        (8, "vigente", None),  # a value with evidence
        (20, "futuro", None),
        (21, "vencido", None),
    ],
)
def test_the_example_s_story(tmp_path: Path, number: int, state: str, cause: int | None) -> None:
    held = opened(tmp_path, "docs/exemplo", "2026-07-20")
    (fact,) = held.with_id(number)
    status = held.status(fact)
    assert (status.state, status.cause and status.cause.id) == (state, cause)


def test_the_example_s_value_is_verified_on_its_evidence(tmp_path: Path) -> None:
    held = opened(tmp_path, "docs/exemplo", "2026-07-20")
    (value,) = held.with_id(8)
    assert held.verified(value) and value.extra.evidence


def test_the_method_on_paper_adds_up() -> None:
    """docs/sem-codigo.md: ids in order, every target there, strikes on what is dead or done, the hand-kept list right."""
    page = (ROOT / "docs/sem-codigo.md").read_text(encoding="utf-8")
    documents = [parse(path, text) for path, text in _FENCE.findall(page)]
    assert len(documents) == 3
    held = Projection(today="2026-03-12", documents=documents)
    assert [f for f in held.findings() if severity(f.code) != "nota"] == []
    facts = held.facts()
    numbered = [f for f in facts if f.id is not None]
    assert [f.id for f in numbered] == list(range(1, 15))
    assert [(f.path, f.line) for f in numbered] == sorted((f.path, f.line) for f in numbered)
    assert all(target is not None for f in facts for _, target in held.targets_of(f))
    standing = {f.id: f for f in facts if not f.is_event and held.stands(f)}
    assert {f.id for f in facts if f.flags & STRUCK} == {f.id for f in facts if held.status(f).state == "superado"}
    estado = page.split("```markdown estado\n")[1].split("```")[0]
    listed = {int(m[1]): m[2] for m in re.finditer(r"^- #([0-9]+) \S+ (.*)$", estado, re.M)}
    assert listed.keys() == standing.keys()
    for number, text in listed.items():
        assert text.startswith(f"[[{standing[number].subject}]] {standing[number].text}")


def test_the_specification_names_every_rule_and_has_no_code() -> None:
    page = (ROOT / "docs/especificacao.md").read_text(encoding="utf-8")
    assert [rule.code for rule in RULES if rule.code not in page] == []
    assert not re.search(r"^```(?:python|js|ts|javascript|typescript)", page, re.M)


@pytest.mark.parametrize(
    "page", ["README.md", "README.en.md", *sorted(str(p.relative_to(ROOT)) for p in (ROOT / "docs").glob("*.md"))]
)
def test_links_lead_somewhere(page: str) -> None:
    text = (ROOT / page).read_text(encoding="utf-8")
    text = re.sub(r"^```.*?^```$|`[^`\n]*`", "", text, flags=re.M | re.S)
    targets = [t for t in re.findall(r"\]\(([^)#\s]+)", text) if "://" not in t]
    assert [t for t in targets if not ((ROOT / page).parent / t).exists()] == []
