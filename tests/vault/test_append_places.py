"""Places where no line can be written, and programs that write between our writing and our reading it back."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from caderneta.format.number import number
from caderneta.vault import append as module
from caderneta.vault.append import append, edit, shared_ids
from caderneta.vault.files import WriteFailed
from caderneta.vault.workspace import Workspace
from tests.vault.test_append import DAY, LINE, OLD, one


def test_edit_of_a_file_that_is_not_there_is_an_error(vault: Path) -> None:
    with pytest.raises(WriteFailed, match=r"nada\.md não existe"):
        edit(Workspace.open(vault, "2026-07-09"), "nada.md", lambda text, n: text)


def test_ids_another_line_carries_too_are_told(vault: Path, day: Path) -> None:
    line = "- pendencia :: pagar o aluguel (#9)\n"
    (vault / "Projeto.md").write_text(line + "- pendencia :: só aqui (#8)\n", encoding="utf-8")
    day.write_text(line, encoding="utf-8")
    workspace = Workspace.open(vault, "2026-07-09")
    assert shared_ids(workspace, "Projeto.md") == shared_ids(workspace, DAY) == {9}
    assert shared_ids(workspace, "nada.md") == set()
    edit(
        workspace,
        "Projeto.md",
        lambda t, n: number("Projeto.md", t, n, "2026-07-20", shared=shared_ids(workspace, "Projeto.md")).text,
    )
    assert (vault / "Projeto.md").read_text(encoding="utf-8") == line + "- [2026-07-20] pendencia :: só aqui (#8)\n"
    assert len(workspace.projection.with_id(9)) == 1


def test_a_file_in_the_place_of_a_folder_is_said(vault: Path) -> None:
    (vault / "diario/2026").rmdir()
    (vault / "diario/2026").write_text("um arquivo", encoding="utf-8")
    with pytest.raises(WriteFailed, match="diario/2026 é um arquivo, e não uma pasta"):
        append(Workspace.open(vault, "2026-07-09"), DAY, one())


def test_a_dead_link_in_the_place_of_the_file_is_said(vault: Path, tmp_path: Path) -> None:
    (vault / DAY).symlink_to(tmp_path / "fora.md")
    with pytest.raises(WriteFailed, match="atalho para um arquivo que não existe"):
        append(Workspace.open(vault, "2026-07-09"), DAY, one())
    assert not (tmp_path / "fora.md").exists()


def just_after(monkeypatch: pytest.MonkeyPatch, action: Callable[[], object], times: int = 1) -> None:
    """Do something between the writing of the line and its reading back."""
    real, calls = module._append_once, []

    def once(*args):  # type: ignore[no-untyped-def]
        done = real(*args)
        calls.append(1)
        if len(calls) <= times:
            action()
        return done

    monkeypatch.setattr(module, "_append_once", once)


def test_a_line_that_stands_is_a_success_though_another_takes_its_number(
    vault: Path, day: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    workspace = Workspace.open(vault, "2026-07-09")

    def other() -> None:
        with day.open("a", encoding="utf-8") as file:
            file.write("- [15:00] decisao :: [[Aurora]] de outro (#42)\n")

    just_after(monkeypatch, other)
    (fact,) = append(workspace, DAY, one())
    assert (fact.id, fact.text, fact.line) == (42, "nova", 2)
    assert "CAD209" in [f.code for f in workspace.projection.findings()]  # the door may tell


def test_a_line_another_save_left_out_is_written_again(vault: Path, day: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    workspace = Workspace.open(vault, "2026-07-09")
    just_after(monkeypatch, lambda: day.write_text(OLD + "de outro editor\n", encoding="utf-8"))
    assert append(workspace, DAY, one())[0].id == 42
    assert day.read_text(encoding="utf-8") == OLD + "de outro editor\n" + LINE.format(42) + "\n"
    just_after(monkeypatch, lambda: day.write_text(OLD, encoding="utf-8"), times=9)
    with pytest.raises(WriteFailed, match="não está lá"):
        append(workspace, DAY, one())


def test_a_line_that_stands_where_nothing_counts_is_said(vault: Path, day: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    workspace = Workspace.open(vault, "2026-07-09")
    just_after(monkeypatch, lambda: day.write_text("```\n" + day.read_text(encoding="utf-8"), encoding="utf-8"))
    with pytest.raises(WriteFailed, match=r"foi escrita em .* ali ela não conta"):
        append(workspace, DAY, one())
