"""Numbering: where the id goes, what stays, what is left to a person."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from caderneta.format.document import parse
from caderneta.format.number import number, renumber

DAILY = "diario/2026/2026-07-09.md"
NOTE = "entidades/Sala.md"
TODAY = "2026-07-20"

ENDS = [
    ("- decisao :: texto", "- decisao :: texto (#41)"),
    ("- decisao :: texto.", "- decisao :: texto. (#41)"),
    ("- decisao :: texto #tag", "- decisao :: texto #tag (#41)"),
    ("- decisao :: texto  ", "- decisao :: texto (#41)  "),
    ("- ~~[14:00] decisao :: texto~~", "- ~~[14:00] decisao :: texto (#41)~~"),
    ("~~- [14:00] decisao :: texto~~", "~~- [14:00] decisao :: texto (#41)~~"),
    ("- decisao :: parte ~~riscada~~", "- decisao :: parte ~~riscada~~ (#41)"),
    ("- decisao :: texto ^bloco", "- decisao :: texto (#41) ^bloco"),
    ("- decisao :: texto [por:: Bia]", "- decisao :: texto (#41) [por:: Bia]"),
    ("- decisao :: texto [por:: Bia] [fonte:: [[Ata]]] ^b", "- decisao :: texto (#41) [por:: Bia] [fonte:: [[Ata]]] ^b"),
    ("- decisao :: texto [nota:: Bia]", "- decisao :: texto [nota:: Bia] (#41)"),
    ("- decisao :: a [por:: Bia] b", "- decisao :: a [por:: Bia] b (#41)"),
    ("- [ ] pendencia :: pagar 📅 2026-07-10", "- [ ] pendencia :: pagar (#41) 📅 2026-07-10"),
    ("- [x] pendencia :: pagar ✅ 2026-07-10 ^b", "- [x] pendencia :: pagar (#41) ✅ 2026-07-10 ^b"),
    ("- [ ] pendencia :: pagar 📅 amanhã", "- [ ] pendencia :: pagar 📅 amanhã (#41)"),
    ("- decisao :: texto %%nota%%", "- decisao :: texto (#41) %%nota%%"),
    ("- decisao :: texto <!-- nota -->", "- decisao :: texto (#41) <!-- nota -->"),
    ("- decisao :: veja `%% x %%`", "- decisao :: veja `%% x %%` (#41)"),
    ("- decisao :: [[Sala]]", "- decisao :: [[Sala]] (#41)"),
    ("14h30 Decisão :: texto", "14h30 Decisão :: texto (#41)"),
    ("* [9:05] decisao:: texto", "* [9:05] decisao:: texto (#41)"),
    ("- resolvido :: #3 · feito", "- resolvido :: #3 · feito (#41)"),
    ("- resolvido :: #3", "- resolvido :: #3 (#41)"),
    ("- fato :: [[A]] banco = SQLite [escopo:: x]", "- fato :: [[A]] banco = SQLite (#41) [escopo:: x]"),
    ("- relacao :: [[A]] -[usa]-> [[B]]", "- relacao :: [[A]] -[usa]-> [[B]] (#41)"),
    ("- decisao :: uma linha\n  que o editor quebrou", "- decisao :: uma linha\n  que o editor quebrou (#41)"),
    ("- decisao :: cita (#7) no meio", None),  # CAD113
    ("- decisao :: texto (#0)", None),  # CAD114
    ("- decisao :: já tem (#7)", None),
    ("prosa qualquer", None),
    ("```\n- decisao :: exemplo\n```", None),
]


@pytest.mark.parametrize(("before", "after"), ENDS, ids=[before for before, _ in ENDS])
def test_where_the_id_goes(before: str, after: str | None) -> None:
    done = number(DAILY, before, 41, TODAY)
    assert done.text == (after or before)
    assert done.dated == ()
    assert number(DAILY, done.text, 99, TODAY).text == done.text


def test_every_other_byte_stays() -> None:
    text = "\ufeff# título\r\n\r\n- decisao :: a\r\nprosa\rcom retorno\r\n* [9:05] Decisão:: b (#7)\r\n- pendencia :: c"
    done = number(DAILY, text, 41, TODAY)
    assert done.text == text.replace(":: a\r", ":: a (#41)\r").replace(":: c", ":: c (#42)")
    assert done.ids == ((3, 41), (6, 42))


DAYS = [
    ("- decisao :: x (#1)", f"- [{TODAY}] decisao :: x (#1)"),
    ("- [14:00] decisao :: x (#1)", f"- [{TODAY} 14:00] decisao :: x (#1)"),
    ("- [ ] pendencia :: x (#1)", f"- [ ] [{TODAY}] pendencia :: x (#1)"),
    ("- ~~[14:00] decisao :: x (#1)~~", f"- ~~[{TODAY} 14:00] decisao :: x (#1)~~"),
    ("- ~~decisao :: x (#1)~~", f"- ~~[{TODAY}] decisao :: x (#1)~~"),
    ("14h30 decisao :: x (#1)", f"{TODAY} 14h30 decisao :: x (#1)"),
    ("- decisao :: x", f"- [{TODAY}] decisao :: x (#41)"),
    ("- [2026-07-01] decisao :: x (#1)", None),
    ("- [2026-02-30] decisao :: x (#1)", None),
    ("- [30/02/2026 10:00] decisao :: x (#1)", None),
]


@pytest.mark.parametrize(("before", "after"), DAYS, ids=[before for before, _ in DAYS])
def test_undated_lines_get_the_day(before: str, after: str | None) -> None:
    assert number(NOTE, before, 41, TODAY).text == (after or before)
    assert TODAY not in number(DAILY, before, 41, TODAY).text


def test_a_daily_name_that_is_no_day_gives_no_day() -> None:
    assert number("diario/2026-02-30.md", "- decisao :: x (#1)", 41, TODAY).text == "- decisao :: x (#1)"


def test_a_nested_event_that_carries_its_parent_s_id_gets_no_second() -> None:
    text = "- pendencia :: x (#5)\n  - feito :: pronto (#5)\n"
    assert number(DAILY, text, 41, TODAY).text == text


def test_lines_left_out_are_told() -> None:
    assert number(DAILY, "- decisao :: a (#3) b\n- decisao :: c\n", 41, TODAY).skipped == (1,)


_PIECES = (
    "- ;* ;1. ;[ ] ;[x] ;"
    "[14:00] ;~~;decisao ;pendencia ;resolvido ;:: ;: ;#3 ;· ;texto ;[[A]] ;(#7); ^b;[por:: B] ;%%;<!-- ; -->;`;\\;"
    "\n;\n  ;\r\n;\t;# ;> ;[2026-07-01] ;(#0) ;\u200b;. ;📅 2026-07-10 "
)
_PIECE = st.sampled_from(_PIECES.split(";"))


@given(st.lists(_PIECE, max_size=30).map("".join), st.sampled_from([DAILY, NOTE]))
def test_numbering_changes_nothing_but_ids_and_days(text: str, path: str) -> None:
    before = parse(path, text)
    done = number(path, text, 100, TODAY)
    after = parse(path, done.text)
    assert [(f.type, f.text, f.subject, f.targets, f.line, f.time, f.extra) for f in before.facts] == [
        (f.type, f.text, f.subject, f.targets, f.line, f.time, f.extra) for f in after.facts
    ]
    given_ids = dict(done.ids)
    assert [given_ids.get(f.line, f.id) for f in before.facts] == [f.id for f in after.facts]
    assert number(path, done.text, 200, TODAY).ids == ()


def test_renumber_changes_one_number() -> None:
    text = "- decisao :: a (#7)\n- decisao :: veja (#7) e (#07)\n"
    assert renumber(DAILY, text, 2, 50) == "- decisao :: a (#7)\n- decisao :: veja (#7) e (#50)\n"
    assert renumber(DAILY, text, 3, 50) is None
    assert renumber(DAILY, "- decisao :: a\n", 1, 50) is None


def test_a_copy_whose_id_another_line_carries_gets_no_day() -> None:
    text = "- pendencia :: pagar o aluguel (#9)\n- pendencia :: outra (#8)\n- decisao :: sem número\n"
    done = number("Projeto.md", text, 10, "2026-07-20", shared={9, 7})
    assert done.text.split("\n") == [
        "- pendencia :: pagar o aluguel (#9)",
        "- [2026-07-20] pendencia :: outra (#8)",
        "- [2026-07-20] decisao :: sem número (#10)",
        "",
    ]
    assert (done.ids, done.dated, done.skipped, done.shared) == (((3, 10),), (2, 3), (), (1,))
