from __future__ import annotations

import unicodedata
from pathlib import Path

import pytest

from caderneta.vault.copies import suspect
from caderneta.vault.workspace import Workspace

COPY = """\
- [10:00] decisao :: [[Cliente ACME]] fechado em 7.530/mês (#41)
- [10:05] pendencia :: enviar contrato (#42)
- [10:07] observacao :: só existe na cópia (#43)
"""
BASE = """\
- [10:00] decisao :: [[Cliente ACME]] fechado em 7.350/mês (#41)
- [10:05] pendencia :: enviar contrato (#42)
"""
SIGNED = [
    "{}.sync-conflict-20260709-101500-ABC1234",
    "{} (Conflicted copy notebook 202607091015)",
    "{} (conflicted copy 2026-07-09 101500)",
    "{} (conflicted copy fulana 2026-07-09 101500)",
    "{} (Fulana's conflicted copy 2026-07-09)",
    "{} (Fulana's conflicted copy 2026-07-09) (1)",
    "{} (Cópia em conflito de Fulana 2026-07-09)",
    "{} (cópia conflitante de Fulana 2026-07-09)",
    "{}_conflict-20260709-101500",
    "{} (SFConflict fulana@exemplo.org 2026-07-09-10-15-00)",
]
VAGUE = [
    "{} (conflito de Fulana)",
    "{} (Cópia em conflito de Fulana)",
    "{} 2",
    "{} (1)",
    "{}(2)",
    "{} [conflicted]",
    "{} (Unicode Encoding Conflict)",
    "{} (Case Conflict)",
    "{} (Case Conflict 1)",
    "{} (Conflict 1)",
    "{} (Conflito 1)",
    "{} (conflito 2026-07-20)",
    "{} conflicted copy",
    "{}-DESKTOP-ABC123",
    "{} - Copia",
    "{} - Cópia",
    "{} - Cópia (2)",
    "{} - Copy",
    "{} copy",
    "{} copy 2",
    "{} cópia",
    "Cópia de {}",
    "Copy of {}",
]
ORDINARY = [
    "Ata (conflito de agenda)",
    "2026-07-09",
    "Capítulo 2",
    "Plano (rascunho)",
    "conflito",
    "Sobre conflicted copy",
    "Projeto-ACME",
    "Fotocópia",
    "Guerra e conflito",
    "(1)",
]


@pytest.mark.parametrize("form", SIGNED)
@pytest.mark.parametrize("unicode_form", ["NFC", "NFD"])
def test_signed_names_are_proof_enough(form: str, unicode_form: str) -> None:
    base = unicodedata.normalize(unicode_form, "Reunião 2026-07-09")  # type: ignore[arg-type]
    name = unicodedata.normalize(unicode_form, form.format(base))  # type: ignore[arg-type]
    found = suspect(f"diario/{name}.md", lambda path: False)
    assert found == (f"diario/{base}.md", "nome")


@pytest.mark.parametrize("form", VAGUE)
def test_vague_names_need_their_base(form: str) -> None:
    name = form.format("Ata") + ".md"
    assert suspect(name, lambda path: False) is None
    found = suspect(name, lambda path: path == "Ata.md")
    assert found and found.base == "Ata.md" and found.proof != "nome"


@pytest.mark.parametrize("name", ORDINARY)
def test_ordinary_names_are_no_copies(name: str) -> None:
    assert suspect(f"{name}.md", lambda path: False) is None


@pytest.fixture
def r28(vault: Path) -> Path:
    folder = vault / "diario/2026"
    (folder / "2026-07-09.md").write_text(BASE, encoding="utf-8")
    for form in SIGNED + VAGUE:
        (folder / (form.format("2026-07-09") + ".md")).write_text(COPY, encoding="utf-8")
    (folder / "Ata (conflito de agenda).md").write_text(
        "- [2026-07-09 11:00] observacao :: nota comum cujo título fala em conflito (#44)\n", encoding="utf-8"
    )
    return vault


def test_copies_are_never_facts_and_each_says_what_only_it_has(r28: Path) -> None:
    workspace = Workspace.open(r28, "2026-07-09")
    facts = workspace.projection.facts()
    assert [(f.id, f.text) for f in facts if f.id == 41] == [(41, "fechado em 7.350/mês")]
    assert sorted(f.id or 0 for f in facts) == [41, 42, 44]
    found = [f for f in workspace.projection.findings() if f.code == "CAD304"]
    assert len(found) == len(SIGNED + VAGUE)
    for finding in found:
        assert finding.ids == (41, 43)
        assert finding.args[0] == "diario/2026/2026-07-09.md"
        assert "7.530" in finding.args[1] and "só existe na cópia" in finding.args[2]
    assert workspace.next_id == 45


def test_ids_of_copies_are_taken(r28: Path) -> None:
    (r28 / "diario/2026/Ata (conflito de agenda).md").unlink()
    assert Workspace.open(r28, "2026-07-09").next_id == 44


def test_a_numbered_note_that_shares_nothing_is_a_note(vault: Path) -> None:
    (vault / "Ata.md").write_text("- [2026-07-09 10:00] observacao :: uma (#1)\n", encoding="utf-8")
    (vault / "Ata 2.md").write_text("- [2026-07-09 10:00] observacao :: outra (#2)\n", encoding="utf-8")
    (vault / "Ata (conflito de agenda).md").write_text("- [2026-07-09 10:00] observacao :: mais (#3)\n", encoding="utf-8")
    workspace = Workspace.open(vault, "2026-07-09")
    assert sorted(f.id or 0 for f in workspace.projection.facts()) == [1, 2, 3]


def test_a_signed_copy_without_base_says_everything(vault: Path) -> None:
    (vault / "Ata.sync-conflict-20260709-101500-ABC1234.md").write_text(COPY, encoding="utf-8")
    workspace = Workspace.open(vault, "2026-07-09")
    assert not workspace.projection.facts()
    (finding,) = [f for f in workspace.projection.findings() if f.code == "CAD304"]
    assert finding.ids == (41, 42, 43) and finding.args[0] == ""


def test_a_note_becomes_a_copy_and_a_note_again_as_its_base_changes(vault: Path) -> None:
    base, copy = vault / "Ata.md", vault / "Ata 2.md"
    base.write_text("- [2026-07-09 10:00] observacao :: uma (#1)\n", encoding="utf-8")
    copy.write_text("- [2026-07-09 10:00] observacao :: duas (#2)\n", encoding="utf-8")
    workspace = Workspace.open(vault, "2026-07-09")

    def ids() -> list[int]:
        return sorted(f.id or 0 for f in workspace.projection.facts())

    assert ids() == [1, 2]
    base.write_text("- [2026-07-09 10:00] observacao :: duas (#2)\n", encoding="utf-8")
    assert set(workspace.refresh(["Ata.md"])) == {"Ata.md", "Ata 2.md"}
    assert ids() == [2]
    base.write_text("- [2026-07-09 10:00] observacao :: mudou (#2)\n", encoding="utf-8")
    workspace.refresh(["Ata.md"])
    (finding,) = [f for f in workspace.projection.findings() if f.code == "CAD304"]
    assert "duas" in finding.args[1]
    base.unlink()
    workspace.refresh()
    assert ids() == [2]
    assert not [f for f in workspace.projection.findings() if f.code == "CAD304"]


@pytest.mark.parametrize(
    "name", ["Ata cópia", "Ata - Copy", "Ata (Conflito 1)", "Ata-DESKTOP-ABC123", "Cópia de Ata", "Ata-ACME"]
)
def test_a_note_of_a_vague_name_that_shares_nothing_is_a_note(vault: Path, name: str) -> None:
    (vault / "Ata.md").write_text("- [2026-07-09 10:00] observacao :: uma (#1)\n", encoding="utf-8")
    (vault / f"{name}.md").write_text("- [2026-07-09 10:00] observacao :: outra (#2)\n", encoding="utf-8")
    assert sorted(f.id or 0 for f in Workspace.open(vault, "2026-07-09").projection.facts()) == [1, 2]


@pytest.mark.parametrize(
    ("base", "copy"),
    [("ATA", "ata (Case Conflict)"), (unicodedata.normalize("NFD", "Reunião"), "Reunião (Unicode Encoding Conflict)")],
)
def test_the_base_of_such_a_conflict_differs_in_just_that(vault: Path, base: str, copy: str) -> None:
    (vault / f"{copy}.md").write_text("- [2026-07-09 10:00] observacao :: duas (#1)\n", encoding="utf-8")
    workspace = Workspace.open(vault, "2026-07-09")
    assert [f.text for f in workspace.projection.facts()] == ["duas"]
    (vault / f"{base}.md").write_text("- [2026-07-09 10:00] observacao :: uma (#1)\n", encoding="utf-8")
    workspace.refresh([f"{base}.md"])
    assert [f.text for f in workspace.projection.facts()] == ["uma"]
    (finding,) = [f for f in workspace.projection.findings() if f.code == "CAD304"]
    assert finding.args[0] == f"{base}.md"
