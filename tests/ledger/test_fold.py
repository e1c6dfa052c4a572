"""What holds, in Markdown and in one word: the cases that are easy to get wrong (§3, §4)."""

from __future__ import annotations

import pytest

from caderneta.format.document import parse
from caderneta.ledger.projection import Projection

TODAY = "2026-07-20"


def held(files: str | dict[str, str], today: str = TODAY) -> Projection:
    files = {"diario/2026-07-10.md": files} if isinstance(files, str) else files
    return Projection(today=today, documents=[parse(path, text) for path, text in files.items()])


def states(projection: Projection) -> dict[int | None, str]:
    return {projection.number(f): projection.status(f).state for f in projection.facts()}


def test_a_chain_longer_than_any_stack() -> None:
    chain = "".join(f"- supersede :: #{i} · mudou (#{i + 1})\n" for i in range(1, 3000))
    projection = held("- decisao :: uma coisa (#1)\n" + chain)
    assert states(projection)[1] == "superado"
    assert states(projection)[2] == "vigente"
    assert states(projection)[3000] == "vigente"


@pytest.mark.parametrize(("day", "state"), [("2026-07-05", "vigente"), ("2026-07-10", "vigente"), ("2026-07-20", "vigente")])
def test_an_error_that_was_itself_an_error_never_acted(day: str, state: str) -> None:
    projection = held(
        {
            "diario/2026-07-01.md": "- decisao :: nunca (#3)\n",
            "diario/2026-07-10.md": "- supersede :: #3 · erro (#13)\n- supersede :: #13 · erro: era verdade (#14)\n",
        },
        day,
    )
    assert states(projection)[3] == state


def test_of_two_copies_the_dated_one_is_the_original() -> None:
    line = "- decisao :: [[A]] contratar Bia (#9)\n"
    projection = held({"diario/2026-07-19.md": line, "Projeto.md": line})
    (fact,) = projection.with_id(9)
    assert (fact.path, fact.date) == ("diario/2026-07-19.md", "2026-07-19")
    assert [f.path for f in projection.findings() if f.code == "CAD210"] == ["Projeto.md"]


def test_a_circle_through_an_id_and_a_block_acts_on_nothing() -> None:
    projection = held("- decisao :: x (#1)\n- supersede :: [[#^b]] · um (#3)\n- supersede :: #3, #1 · outro (#5) ^b\n")
    assert states(projection) == {1: "vigente", 3: "vigente", 5: "vigente"}
    assert [f.ids[0] for f in projection.findings() if f.code == "CAD215"] == [3, 5]


@pytest.mark.parametrize(
    ("text", "following"),
    [
        ("- decisao :: a (#40)\n```\n- pendencia :: aluguel (#41)\n", 42),  # swallowed by a fence still being typed
        ("- decisao :: a (#40)\n%%\n- pendencia :: aluguel (#41)\n", 42),
        ("- decisao :: a (#40)\n```\n- decisao :: exemplo (#900)\n```\n", 41),  # an example, and closed
        ("- decisao :: a (#40)\n> - decisao :: citada (#900)\n", 41),
        ("- decisao :: a (#40)\ndecisao: quase (#50)\n", 51),
        ("- decisao :: a (#40)\n- [10:00] decizao :: quase (#50)\n", 51),
        ("- decisao :: a (#40)\n- decisao :: b (#50) e mais\n", 51),
        ("- decisao :: a (#40)\n- decisao :: (#50)\n", 51),
        ("- decisao :: a (#40)\n- caiu :: h (#50)\n", 51),
        ("- decisao :: a (#40)\n- decisao :: b (#50) (#41)\n", 51),
        ("- supersede :: #70 · nada (#40)\n", 71),
    ],
)
def test_no_id_is_given_twice(text: str, following: int) -> None:
    assert held(text).largest_id + 1 == following


def test_what_swallowed_lines_say_comes_back_with_its_ids_when_the_fence_goes() -> None:
    projection = held("- decisao :: a (#40)\n```\n- pendencia :: aluguel (#41)\n")
    projection.put(parse("diario/2026-07-11.md", f"- decisao :: nova (#{projection.largest_id + 1})\n"))
    projection.put(parse("diario/2026-07-10.md", "- decisao :: a (#40)\n- pendencia :: aluguel (#41)\n"))
    assert states(projection) == {40: "vigente", 41: "vigente", 42: "vigente"}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("- pendencia :: t (#1)\n- resolvido :: #1 · feito (#2)\n", {1: "resolvido", 2: "vigente"}),
        (
            "- pendencia :: t (#1)\n- resolvido :: #1 (#2)\n- supersede :: #2 · não foi (#3)\n",
            {1: "vigente", 2: "superado", 3: "vigente"},
        ),
        (
            "- pendencia :: t (#1)\n- resolvido :: #1 (#2)\n- supersede :: #2 · não foi (#3)\n- supersede :: #1 · desisti (#4)\n",
            {1: "superado", 2: "superado", 3: "vigente", 4: "vigente"},
        ),
        (
            "- decisao :: d (#1)\n- supersede :: #1 · a (#2)\n- supersede :: #2 · b (#3)\n",
            {1: "vigente", 2: "superado", 3: "vigente"},
        ),
        ("- decisao :: d (#1)\n- [2999-01-01] supersede :: #1 · depois (#2)\n", {1: "vigente", 2: "futuro"}),
        (
            "- decisao :: d (#1)\n- aposentado :: #1 · velho (#2)\n- supersede :: #2 · ainda uso (#3)\n",
            {1: "vigente", 2: "superado", 3: "vigente"},
        ),
        ("- decisao :: d (#1)\n- resolvido :: #1 · feito (#2)\n", {1: "vigente", 2: "vigente"}),
        (
            "- pendencia :: t (#1)\n- resolvido :: #1 (#2)\n- supersede :: #1 · morreu (#3)\n",
            {1: "superado", 2: "vigente", 3: "vigente"},
        ),
    ],
)
def test_events_act_only_while_alive(text: str, expected: dict[int, str]) -> None:
    assert states(held(text)) == expected


def test_lines_made_to_be_slow_are_read_like_any_other() -> None:
    """Each was quadratic once; what is asserted is what they say."""
    hostile = {
        "[por:: " * 20_000 + "fim (#1)": 1,
        "\\" * 50_000 + " (#2)": 2,
        "<!-- " * 20_000 + "(#3)": 3,
        "` `` " * 20_000 + "(#4)": 4,
        "x " + "(#5) " * 20_000: 5,
    }
    for text, number in hostile.items():
        assert [f.id for f in parse("diario/2026-07-10.md", f"- decisao :: {text}").facts] == [number]
    wrapped = parse("diario/2026-07-10.md", "- decisao :: começo\n" + "  continua\n" * 10_000).facts
    assert [(f.line, f.extra.last_line) for f in wrapped] == [(1, 10_001)]


@pytest.mark.parametrize(
    "rests",
    [
        "- decisao :: usa #1 (#7)\n",
        "- decisao :: usa [[#^b]] (#7)\n",
        "- decisao :: y (#7)\n  - apoia :: [[#^b]]\n",
        "- decisao :: y (#7)\n  - apoia :: ver decisão (#1)\n",
        "- decisao :: y (#7) [fonte:: #1]\n",
        "- decisao :: y (#7) [fonte:: [[#^b]]]\n",
    ],
)
def test_whatever_leans_on_a_dead_line_is_said(rests: str) -> None:
    projection = held(f"- decisao :: a (#1) ^b\n- supersede :: #1 · m (#2)\n{rests}")
    assert [f.ids for f in projection.findings() if f.code == "CAD214"] == [(7, 1)]


@pytest.mark.parametrize(
    "line", ["- decisao :: usa #1 (#7) [de:: 2026-08-01]\n", "- decisao :: usa #1 (#7) [ate:: 2026-07-15]\n"]
)
def test_what_does_not_hold_today_leans_on_nothing(line: str) -> None:
    projection = held(f"- decisao :: a (#1)\n- supersede :: #1 · m (#2)\n{line}")
    assert [f for f in projection.findings() if f.code == "CAD214"] == []


def test_an_event_struck_by_hand_still_acts_and_is_said() -> None:
    projection = held("- pendencia :: a (#1)\n- ~~resolvido :: #1 · ok (#2)~~\n")
    assert states(projection) == {1: "resolvido", 2: "vigente"}
    assert [f.ids for f in projection.findings() if f.code == "CAD212"] == [(2,)]


def test_events_that_name_each_other_but_cannot_act_are_no_endless_question() -> None:
    files = {
        "B.md": "  - supersede :: mudou (#7)\n- x\n",
        "A.md": "- [2026-07-10] supersede :: #7\n  - supersede :: mudou (#7)\n",
    }
    projection = held(files)
    assert [projection.status(f).state for f in projection.facts()] == ["ambiguo", "ambiguo", "vigente"]


def test_an_event_read_as_unnumbered_does_not_die_by_the_id_it_has_not() -> None:
    projection = held("- decisao :: um (#1)\n- resolvido :: sem (#1)\n- supersede :: #1 · x (#4)\n")
    assert states(projection) == {1: "superado", None: "vigente", 4: "vigente"}
