"""A name that several notes bear, or that nobody wrote: what is answered, and that nothing is written."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.doors.conftest import DAY, Cad

Write = Callable[..., Path]
BOTH = "Há duas notas chamadas Beta (a/Beta.md, b/Beta.md)."


@pytest.fixture
def two(write: Write) -> Path:
    """Two notes called Beta, and one fact about each."""
    write("", "a/Beta.md")
    write("", "b/Beta.md")
    return write("- decisao :: [[a/Beta]] primeira (#1)\n- decisao :: [[b/Beta]] segunda (#2)\n- decisao :: [[C]] x (#3)\n")


@pytest.mark.parametrize("command", [["estado"], ["buscar", "primeira"]])
@pytest.mark.parametrize("name", ["Beta", "[[beta]]", "zzz/Beta"])
def test_reading_about_a_name_of_two_notes_asks_which(two: Path, cad: Cad, command: list[str], name: str) -> None:
    assert cad(*command, "--entidade", name) == (
        3,
        "",
        f"{BOTH} Diga a pasta: --entidade a/Beta\n".replace("Beta (", _bare(name)),
    )


def _bare(name: str) -> str:
    return name.strip("[]").rpartition("/")[2] + " ("


def test_the_folder_says_which(two: Path, cad: Cad) -> None:
    about = cad("estado", "--entidade", "a/Beta")
    assert about.code == 0 and "primeira" in about.out and "segunda" not in about.out
    assert [line[:2] for line in cad("buscar", "segunda", "--entidade", "b/beta").lines] == ["#2"]


def test_of_two_notes_one_may_stand_in_no_folder(two: Path, cad: Cad, write: Write) -> None:
    write("", "Gama.md")
    write("", "velho/Gama.md")
    write("- decisao :: [[velho/Gama]] antiga (#4)\n- decisao :: [[Gama]] nova (#5)\n", "diario/2026/2026-07-19.md")
    answer = cad("estado", "--entidade", "Gama")
    assert answer.code == 3
    assert answer.err.endswith("Diga a pasta: --entidade velho/Gama (ou /Gama, a que não está em pasta nenhuma)\n")
    about = cad("estado", "--entidade", "/Gama")
    assert about.code == 0 and "nova" in about.out and "antiga" not in about.out
    assert "antiga" in cad("estado", "--entidade", "velho/Gama").out


def test_an_alias_two_notes_claim_asks_for_the_note(write: Write, cad: Cad) -> None:
    write("---\naliases: [Chefe]\n---\n", "Ana Lima.md")
    write("---\naliases: [Chefe]\n---\n", "Bia.md")
    day = write("- decisao :: [[Bia]] x (#1)\n")
    said = "Duas notas têm o apelido Chefe (Ana Lima.md, Bia.md). Diga o nome da nota:"
    assert cad("estado", "--entidade", "Chefe") == (3, "", f"{said} --entidade 'Ana Lima'\n")
    assert cad("add", "Chefe", "decisao", "y") == (4, "", f"{said} caderneta add 'Ana Lima' … Nada foi escrito.\n")
    assert day.read_text(encoding="utf-8") == "- decisao :: [[Bia]] x (#1)\n"


@pytest.mark.parametrize(
    "words",
    [
        ["add", "Beta", "decisao", "x"],
        ["add", "Beta", "decisao", "x", "--forcar"],
        ["add", "zzz/Beta", "decisao", "x"],
        ["add", "-", "relacao", "[[Beta]] -[usa]-> [[C]]"],
        ["add", "C", "relacao", "--", "-[usa]-> [[Beta]]"],
    ],
)
def test_writing_a_name_of_two_notes_writes_nothing(two: Path, cad: Cad, words: list[str]) -> None:
    before = two.read_bytes()
    answer = cad(*words)
    assert answer.code == 4 and BOTH in answer.err and "a/Beta" in answer.err.partition("Diga a pasta: ")[2]
    assert answer.err.endswith("Nada foi escrito.\n")
    assert two.read_bytes() == before


def test_the_folder_is_written_as_it_stands(two: Path, cad: Cad) -> None:
    assert "decisao :: [[a/Beta]] terceira (#4)" in cad("add", "A/beta", "decisao", "terceira").out
    assert cad("lint", "--selecionar", "CAD3").out == ""


def test_trocar_of_a_line_that_does_not_say_which(two: Path, cad: Cad, write: Write) -> None:
    day = write("- decisao :: [[Beta]] qual? (#4)\n", "diario/2026/2026-07-19.md")
    before = two.read_bytes(), day.read_bytes()
    answer = cad("trocar", "4", "outra", "--motivo", "mudou")
    assert answer.code == 4 and BOTH in answer.err
    assert "Diga a pasta: caderneta add a/Beta decisao …, e depois caderneta superar 4 MOTIVO." in answer.err
    assert (two.read_bytes(), day.read_bytes()) == before
    assert "[[a/Beta]] outra" in cad("trocar", "1", "outra", "--motivo", "mudou").out


def test_an_event_beside_a_name_of_two_notes(two: Path, cad: Cad) -> None:
    assert cad("add", "Beta", "supersede", "#1 · mudou").err == ""
    assert "#3 é sobre [[C]], e não [[Beta]]" in cad("add", "Beta", "supersede", "#3 · mudou").err


@pytest.mark.parametrize("command", [["estado"], ["buscar", "x"]])
@pytest.mark.parametrize(
    ("name", "hint"),
    [
        ("Cliente Acmé", ' A mais parecida é "Cliente ACME".'),
        ("acme", ' A mais parecida é "Cliente ACME".'),
        ("Cliente AMCE SA", ' A mais parecida é "Cliente ACME".'),
        ("Padaria", ""),
    ],
)
def test_a_name_nobody_wrote_ends_in_3_with_the_near_ones(
    write: Write, cad: Cad, command: list[str], name: str, hint: str
) -> None:
    write("- decisao :: [[Cliente ACME]] x (#1)\n")
    assert cad(*command, "--entidade", name) == (3, "", f'Ninguém escreveu ainda sobre "{name}".{hint}\n')


def test_near_names_of_two_notes_come_with_their_folders(two: Path, cad: Cad) -> None:
    assert '"a/Beta" ou "b/Beta"' in cad("estado", "--entidade", "Betta").err
    assert (two.parents[2] / DAY).exists()
