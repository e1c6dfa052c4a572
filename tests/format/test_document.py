"""Reading a file: the short way and the grammar agree; what is written reads back; nothing makes the reader fall."""

from __future__ import annotations

import re
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from caderneta.format import canonical
from caderneta.format.document import parse
from caderneta.format.values import NO_TARGETS, Document
from caderneta.format.vocabulary import EVENTS, STATEMENTS
from caderneta.format.write import Unwritable, check_text, write_line
from tests.strategies import PIECES, headers, line, texts_of_files

PATH = "diario/2026-07-09.md"
NEVER = re.compile(r"(?!)")

words = st.text(alphabet="abcçãé 12#[]()~`%<>:\\.,;·-=^📅✅\u200b\u00a0\u2028ZA", max_size=30)
near_canonical = st.builds(
    "- {}[{}{}] {} :: {}{} (#{}){}".format,
    st.sampled_from(["", "", "~~"]),
    st.sampled_from(["", "2026-07-09 ", "2026-07-08 ", "2026-02-30 "]),
    st.sampled_from(["14:00", "09:59", "24:00", "9:00"]),
    st.sampled_from([*STATEMENTS, *EVENTS, "feito", "nada"]),
    st.sampled_from(
        [
            "",
            "[[Nota]] ",
            "[[Nota|x]] ",
            "[[a/b]] ",
            "[[2026-07-01]] ",
            "[[x.png]] ",
            "[[Cliente \u200b]] ",
            "#1 · ",
            "#1, #2 · ",
            "#1 ",
        ]
    ),
    words,
    st.integers(0, 1_000_000_000),
    st.sampled_from(["", "", "~~", ".", " ^b"]),
)


def read_by_grammar_alone(path: str, text: str) -> Document:
    fast = canonical._CANONICAL
    canonical._CANONICAL = NEVER
    try:
        return parse(path, text)
    finally:
        canonical._CANONICAL = fast


def same(a: Document, b: Document) -> None:
    assert a.facts == b.facts
    assert sorted(a.findings) == sorted(b.findings)


@given(st.lists(st.one_of(near_canonical, line), max_size=6), headers, st.sampled_from([PATH, "nota.md"]))
def test_the_short_way_reads_what_the_grammar_reads(lines: list[str], header: str, path: str) -> None:
    text = header + "\n".join(lines)
    same(parse(path, text), read_by_grammar_alone(path, text))


@given(
    st.one_of(
        st.text(max_size=300),
        st.lists(st.one_of(st.sampled_from(PIECES), near_canonical, st.text(max_size=40)), max_size=30).map("\n".join),
    )
)
def test_no_text_makes_the_reader_fall_and_places_are_real(text: str) -> None:
    found = parse(PATH, text)
    lines = text.replace("\r\n", "\n").split("\n")
    for fact in found.facts:
        assert 1 <= fact.line <= len(lines) and fact.text == fact.text.strip(" ")
        assert not set(fact.text) & {"\n", "\r", "\x00"} and not any("\ufdd0" <= c <= "\ufdef" for c in fact.text)
        assert fact.id is None or 1 <= fact.id <= 999_999_999
    for finding in found.findings:
        assert 1 <= finding.line <= max(1, len(lines))


@given(texts_of_files)
def test_line_ends_change_nothing(text: str) -> None:
    unix, windows = parse(PATH, text), parse(PATH, text.replace("\n", "\r\n"))
    assert unix.facts == windows.facts
    assert sorted(unix.findings) == sorted(windows.findings)
    assert parse(PATH, "\ufeff" + text).facts == unix.facts


plain_text = st.text(alphabet="abc çãéÁ123.,;:!?()[]#-–·'\"/@&=+*_$%|>💡\u00a0\u200b", min_size=1, max_size=40)
days = st.dates().map(lambda d: d.isoformat())


@st.composite
def writable(draw: st.DrawFn) -> dict[str, Any]:
    event = draw(st.booleans())
    value: dict[str, Any] = {
        "kind": draw(st.sampled_from(EVENTS if event else [s for s in STATEMENTS if s not in ("fato", "relacao")])),
        "text": draw(plain_text),
        "number": draw(st.integers(1, 999_999_999)),
        "date": draw(st.one_of(st.none(), days)),
        "time": draw(st.one_of(st.none(), st.times().map(lambda t: f"{t.hour:02}:{t.minute:02}"))),
        "by": draw(st.one_of(st.none(), st.sampled_from(["Ana", "claude-code (diz ser: maria)"]))),
        "with_": draw(st.one_of(st.none(), st.just("João d'Ávila"))),
        "scope": draw(st.one_of(st.none(), st.just("produção"))),
        "sources": tuple(draw(st.lists(st.sampled_from(["[[Contrato 2026]] p. 4", "https://exemplo.org/a"]), max_size=2))),
    }
    if event:
        value["targets"] = tuple(draw(st.lists(st.integers(1, 99), min_size=1, max_size=3, unique=True)))
    else:
        value["subject"] = draw(st.one_of(st.none(), st.sampled_from(["Cliente ACME", "Padaria São João", "C++", "pasta/Nota"])))
        value["start"] = draw(st.one_of(st.none(), days))
        value["end"] = draw(st.one_of(st.none(), days))
    return value


@given(writable())
def test_what_is_written_reads_back_as_itself(value: dict[str, Any]) -> None:
    try:
        written = write_line(**value, daily="diario/**/AAAA-MM-DD.md")
    except Unwritable:
        assume(False)
        return
    found = parse(PATH, f"# dia\n\n{written}\n")
    assert [f for f in found.findings if f.code not in ("CAD104", "CAD120")] == []
    (fact,) = found.facts
    extra = fact.extra
    assert fact.type == value["kind"] and fact.id == value["number"]
    assert fact.date == (value["date"] or "2026-07-09") and fact.time == value["time"]
    assert fact.text == value["text"].strip(" \u00a0")
    assert fact.subject == value.get("subject")
    assert tuple(t.id for t in fact.targets) == value.get("targets", ())
    assert (extra.by, extra.with_, extra.scope, extra.sources) == (value["by"], value["with_"], value["scope"], value["sources"])
    assert (extra.start, extra.end) == (value.get("start"), value.get("end"))
    assert not fact.flags & NO_TARGETS


@pytest.mark.parametrize(
    "text",
    [
        "", "  ", "duas\nlinhas", "volta\rdo carro", "separador\u2028aqui", "nulo \x00", "escape \x1b[2J", "```", "`",
        "%%", "a %% b", "<!-- x", "~~fim", "termina em (#41)", "termina em ( #041 )", "bloco ^abc", "[por:: Ana] fez",
        "[ Até :: amanhã]", "inverte \u202e",
        "pagar 📅 2026-07-15", "barra \\ aqui", "\ufdd0", "x" * 10_001, "\ud800",
    ],
)  # fmt: skip
def test_the_writer_refuses_what_would_not_read_back(text: str) -> None:
    with pytest.raises(Unwritable) as refused:
        check_text(text)
    assert str(refused.value).endswith(".")


@pytest.mark.parametrize(
    "text", ["7.350/mês", "R$ 100, #urgente", "ver #41", "[x] marcado", "a -- b", "cita (#41) no meio", "50% de C++", "::"]
)
def test_the_writer_accepts_everyday_text(text: str) -> None:
    check_text(text)


def test_everything_in_an_ordinary_note_is_kept_apart() -> None:
    note = "# Ata\n\nconversa :: nada\n\n- [ ] comprar pão\n- item\n\n| a | b |\n| - | - |\n\n[^1]: rodapé\n"
    assert parse("Ata.md", note) == Document("Ata.md")
