"""`init`: adds what is missing, overwrites nothing, and never touches somebody's Obsidian settings."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from caderneta.format.settings import read_settings
from tests.doors.conftest import Cad

ROOT = Path(__file__).parents[2]


def files(root: Path) -> dict[str, bytes]:
    return {p.relative_to(root).as_posix(): p.read_bytes() for p in root.rglob("*") if p.is_file()}


def test_lays_the_template_hidden_files_too_and_twice_changes_nothing(tmp_path: Path, cad: Cad) -> None:
    root = tmp_path / "um" / "cofre"
    assert cad("init", str(root)).code == 0
    assert files(root) == files(ROOT / "vault-template")
    before = {p: p.stat().st_mtime_ns for p in root.rglob("*")}
    again = cad("init", str(root))
    assert (again.code, again.out) == (0, "") and "Nada a fazer" in again.err
    assert {p: p.stat().st_mtime_ns for p in root.rglob("*")} == before


def test_the_new_vault_holds_no_fact_and_takes_one(tmp_path: Path, cad: Cad) -> None:
    root = str(tmp_path / "cofre")
    cad("init", root)
    assert cad("-C", root, "exportar").out == ""
    assert cad("-C", root, "lint", "--rigor").code == 0
    assert cad("-C", root, "add", "A", "decisao", "x").code == 0
    assert (tmp_path / "cofre/diario/2026/2026-07-20.md").is_file()


def test_into_a_vault_that_is_there(tmp_path: Path, cad: Cad, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    mine = {
        ".obsidian/daily-notes.json": json.dumps({"folder": "Dias", "format": "YYYY-MM-DD"}).encode(),
        "AGENTS.md": b"meu\n",
        "Dias/2026-07-01.md": b"oi\r\n",
    }
    for path, data in mine.items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_bytes(data)
    answer = cad("init")
    assert answer.code == 0 and "AGENTS.md" in answer.err
    laid = files(tmp_path)
    assert {path: laid[path] for path in mine} == mine
    assert "\n# diario:" in laid["Caderneta.md"].decode() and read_settings(laid["Caderneta.md"].decode())[1] == ()
    assert cad("add", "A", "decisao", "x").code == 0
    assert (tmp_path / "Dias/2026-07-20.md").is_file()
    assert cad("init").out == ""


def test_a_file_in_the_way_of_a_folder(tmp_path: Path, cad: Cad) -> None:
    (tmp_path / "diario").write_text("sou um arquivo", encoding="utf-8")
    answer = cad("init", str(tmp_path))
    assert answer.code == 5 and "diario" in answer.err
    assert (tmp_path / "diario").read_text(encoding="utf-8") == "sou um arquivo"


def test_the_example_goes_apart(tmp_path: Path, cad: Cad, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert cad("init", "--exemplo").code == 0
    laid = files(tmp_path / "caderneta-exemplo")
    assert laid == files(ROOT / "docs/exemplo")
    assert cad("init", "--exemplo").out == ""
    (tmp_path / "notas").mkdir()
    (tmp_path / "notas/a.md").write_text("minha", encoding="utf-8")
    assert cad("init", "--exemplo", "notas").code == 2
    assert list(files(tmp_path / "notas")) == ["a.md"]
    assert cad("init", "--exemplo", "caderneta-exemplo/dentro").code == 2
