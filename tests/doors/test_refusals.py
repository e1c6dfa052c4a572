"""What is refused in words that help: only ids of lines that stand, and where the number that used them all up is."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.doors.conftest import DAY, Cad

Write = Callable[..., Path]


def body(path: Path) -> list[str]:
    return path.read_text(encoding="utf-8").splitlines()


# --- what a refusal names -------------------------------------------------------------------------------------------------


def test_a_refused_edge_names_the_one_that_stands(write: Write, cad: Cad) -> None:
    day = write("- relacao :: [[A]] -[usa]-> [[B]] (#67)\n")
    answer = cad("add", "A", "relacao", "--", "-[usa]-> [[B]]")
    assert answer == (2, "", "Esta relação já vale em #67 (2026-07-20.md:1). Basta uma. Nada foi escrito.\n")
    assert len(body(day)) == 1


def test_a_refused_edge_names_the_place_of_one_without_a_number(write: Write, cad: Cad) -> None:
    day = write("- relacao :: [[A]] -[usa]-> [[B]]\n- decisao :: x (#67)\n")
    answer = cad("add", "A", "relacao", "--", "-[usa]-> [[B]]")
    assert answer == (2, "", f"Esta relação já vale em {DAY}:1. Basta uma. Nada foi escrito.\n")
    assert len(body(day)) == 2


@pytest.mark.parametrize(
    "words",
    [
        ["add", "A", "relacao", "--", "-[usa]-> [[B]]"],
        ["add", "A", "relacao", "--", "-[usa]-> [[A]]"],
        ["add", "A", "relacao", "--", "-[gosta de]-> [[B]]"],
        ["add", "A", "relacao", "A usa B"],
        ["add", "A", "fato", "x = 1", "--de", "2026-02-30"],
        ["add", "A", "fato", "x = `1"],
        ["add", "-", "verificado", "#2 · vi"],
        ["add", "-", "supersede", "#68 · eu mesma"],
        ["add", "-", "supersede", "#67"],
        ["trocar", "67", "[[A]] -[usa]-> [[A]]", "--motivo", "x"],
        ["superar", "68", "x"],
    ],
)
def test_a_refusal_never_names_a_line_that_was_not_written(write: Write, cad: Cad, words: list[str]) -> None:
    day = write("- relacao :: [[A]] -[usa]-> [[B]] (#67)\n- fato :: [[A]] x = 1 (#2)\n")
    answer = cad(*words)
    assert answer.code in (2, 3) and answer.out == ""
    asked = "68" in " ".join(words)
    assert not re.search(r"(?:superar|renumerar|ver) (?:68|69)", answer.err) and (asked or not re.search("6[89]", answer.err))
    assert len(body(day)) == 2


def test_a_refused_self_edge_only_says_why(write: Write, cad: Cad) -> None:
    write("- decisao :: x (#67)\n")
    answer = cad("add", "A", "relacao", "--", "-[usa]-> [[A]]")
    assert answer == (2, "", '"A" ficaria ligado a si mesmo, o que não diz nada. Nada foi escrito.\n')


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("#10-#12 · x", "Um intervalo não é alvo: escreva #10, #11, #12. Nada foi escrito."),
        ("#12 – #10 · x", "Um intervalo não é alvo: escreva #10, #11, #12. Nada foi escrito."),
        ("#3, #10—#12 · x", "Um intervalo não é alvo: escreva #10, #11, #12. Nada foi escrito."),
        ("#10 a #12 · x", "Um intervalo não é alvo: escreva #10, #11, #12. Nada foi escrito."),
        ("#10-#90", "Um intervalo não é alvo: escreva #10, #11, …, #90. Nada foi escrito."),
        ("#13abc · x", 'Não entendi o alvo em "#13abc · x". Escreva os números, um · e o motivo: "#41, #42 · motivo".'),
        ("#10 veio de #3-#4", 'Entre os alvos e o motivo falta o "·": "#41, #42 · motivo". Nada foi escrito.'),
    ],
)
def test_a_target_that_is_none_is_told_exactly(write: Write, cad: Cad, text: str, said: str) -> None:
    write("".join(f"- decisao :: x (#{n})\n" for n in range(1, 15)))
    assert cad("add", "-", "supersede", text) == (2, "", said + "\n")


@pytest.mark.parametrize("text", ["\u200b", "\u00ad\ufeff", " \u2060 ", "\ufe0f"])
def test_a_text_nobody_can_see_is_refused(vault: Path, cad: Cad, text: str) -> None:
    answer = cad("add", "A", "observacao", text)
    assert answer.code == 2 and answer.err.strip()
    assert not (vault / DAY).exists()


# --- no numbers left ------------------------------------------------------------------------------------------------------

ENDED = "Os números acabaram: o cofre já chegou a #999999999, em {}, e o último possível é #999999999."


@pytest.mark.parametrize(
    "words",
    [
        ["add", "A", "decisao", "x"], ["superar", "1", "mudou"], ["trocar", "1", "y", "--motivo", "z"], ["numerar"],
        ["renumerar", "notas/b.md:1"],
    ],
    ids=lambda words: words[0],
)  # fmt: skip
@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("- decisao :: x (#1)\n- resolvido :: #999999999 · feito (#2)\n", f"{DAY}:2"),
        ("- decisao :: x (#1)\n- decisao :: y (#999999999)\n", f"{DAY}:2"),
        ("- decisao :: x (#1)\n\n- decisao :: z (#999999999) resto\n", f"{DAY}:3"),
    ],
    ids=["alvo", "linha", "onde não conta"],
)
def test_no_numbers_left_says_where_the_largest_stands(write: Write, cad: Cad, words: list[str], text: str, place: str) -> None:
    day, other = (
        write(text),
        write("- [2026-07-01] decisao :: a (#7)\n- [2026-07-01] decisao :: b (#7)\n- feita :: x\n", "notas/b.md"),
    )
    with_gap = write("- [2026-07-01] decisao :: sem número\n", "notas/c.md")
    before = day.read_bytes(), other.read_bytes(), with_gap.read_bytes()
    answer = cad(*words)
    assert (answer.code, answer.out) == (2, "") and answer.err.startswith(ENDED.format(place)), answer
    assert answer.err.endswith("corrija-o ali e tente de novo. Nada foi escrito.\n")
    assert (day.read_bytes(), other.read_bytes(), with_gap.read_bytes()) == before


def test_lint_doubts_a_target_far_above_the_last(write: Write, cad: Cad) -> None:
    write("- decisao :: x (#5)\n- supersede :: #10005 · a (#6)\n- supersede :: #10007 · b (#3)\n")
    near, far = cad("lint", "--selecionar", "CAD203").lines
    assert near.endswith("#10005 não existe (o último é #6). O evento não fez nada.")
    assert "Confira o número: está muito acima do último" in far
