"""What must always hold of ESTADO.md, over drawn vaults and hostile texts."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from caderneta.format.document import is_generated, parse
from caderneta.format.text import tokens, visible
from caderneta.ledger.projection import Projection
from caderneta.views.estado import Options, estado_json, render, sections
from tests.strategies import PATHS, headers, texts_of_files
from tests.views.reading import TODAY, read, text_of
from tests.views.studio import studio

MARKS = [
    "`", "``", "```", "~~~", "<!--", "-->", "%%", "$$", "$", "[[", "]]", "[", "](", "![[", "::", ":", "#",
    "# ", "|", "*", "**", "_", "~~", "\\", "<b>", "</div>", "<", "&#8238;", "&lt;", " ^x", "^[", "[^1]",
    "---", "- ", "> ", "1. ", " · ", "decisao :: x (#9)", "(#9)", "\u2028", "\u202e", "\u001b[2J", "\u0085",
    "\u000b", "\t", "[10:00] ", "[[A]]", "[[2026-07-20#^b]]", "a", "b c", "é", "\u0301", "\u200d", "👍🏽",
    "\ufe0f", "\udb40\udc41", "[ate:: 2026-07-01]", "[com:: x]", " = ", "?", "`= x`", "palavra", "(", ")",
    "🔁", "📅 2026-07-01",
]  # fmt: skip
hostile = st.lists(st.one_of(st.sampled_from(MARKS), st.text(max_size=6)), min_size=1, max_size=25).map("".join)
kinds = st.sampled_from(["decisao", "pendencia", "bloqueio", "mudanca", "observacao", "fato", "supersede", "relacao", "decizao"])


@st.composite
def hostile_vault(draw: st.DrawFn) -> dict[str, str]:
    files = {}
    for day in ("2026-07-20", "2026-01-02", "2026-07-27"):
        lines = []
        for _ in range(draw(st.integers(0, 4))):
            tail = draw(st.sampled_from(["", f" (#{draw(st.integers(1, 9))})", " [com:: " + draw(hostile) + "]"]))
            lines.append(f"- [10:00] {draw(kinds)} :: {draw(st.sampled_from(['', '[[A]] ', '#1 · ']))}{draw(hostile)}{tail}")
        files[f"diario/2026/{day}.md"] = "\n".join(lines)
    name = draw(st.sampled_from(["nota", "decisao :: x", "a]] b", "# h", "- [10:00] decisao :: y"]))
    about = draw(st.sampled_from(["A", "b]] `c", "<x>", "'- [10:00] decisao :: z'"]))
    files[f"{name}.md"] = f"---\nentidade: {about}\n---\n- [2026-07-19] decisao :: {draw(hostile)}"
    return files


@given(hostile_vault())
def test_nothing_a_text_says_can_be_more_than_words(files: dict[str, str]) -> None:
    text = text_of(Projection(today=TODAY, documents=read(files)), Options(max_tokens=20_000))
    assert is_generated(text)
    for path in (f"diario/2026/{TODAY}.md", "ESTADO.md"):
        document = parse(path, text)
        assert document.facts == ()
        assert not {"CAD121", "CAD125", "CAD302"} & {f.code for f in document.findings}
    for line in text.rstrip("\n").split("\n")[1:]:
        assert line == visible(line)
        assert re.match(r"(?:Retrato do que|## |### |- |\Z|Ainda não|`- decisao|Ou, no|Nada em aberto)", line), line
        assert not any(mark in line for mark in ("%%", "$$", "![[")), line
        assert not re.search(r"(?<!\\)<[a-zA-Z/!?]", uncoded(line)), line
        assert (line.count("`") - line.count("\\`")) % 2 == 0, line


def uncoded(line: str) -> str:
    """A line without its code spans, where nothing acts."""
    return re.sub(r"(?<!\\)`[^`]*`", "", line)


vaults = st.dictionaries(st.sampled_from(PATHS), st.tuples(headers, texts_of_files).map("".join), max_size=5)


@given(vaults, st.integers(600, 3000))
def test_what_lives_is_told_or_counted_and_what_is_dead_is_not(files: dict[str, str], budget: int) -> None:
    today = "2026-07-08"
    projection = Projection(today=today, documents=read(files))
    estado = sections(projection, Options(max_tokens=budget))
    text = render(estado)
    assert tokens(text) <= budget
    told = {s.name: 0 for s in estado.sections}
    for section in estado.sections:
        told[section.name] += section.total
        assert section.omitted == 0 or "mais" in section.closing or section.name == "achados"
        for fact in (f for line in section.lines for f in line.facts):
            state = projection.status(fact).state
            assert state in {"vencidos": ("vencido",), "em_breve": ("vigente", "futuro")}.get(section.name, ("vigente",))
    assert told.get("bloqueios", 0) + told.get("pendencias", 0) == len(projection.open_tasks())
    assert told.get("fatos", 0) == projection.subject_count + (projection.standing_count(None) > 0)
    estado_json(projection, estado)


@given(st.permutations(PATHS), vaults)
def test_the_same_lines_give_the_same_bytes(order: list[str], files: dict[str, str]) -> None:
    documents = {document.path: document for document in read(files)}
    straight = Projection(today="2026-07-08", documents=documents.values())
    other = Projection(today="2026-07-08")
    for path in order:
        if path in documents:
            other.put(documents[path])
    assert text_of(straight) == text_of(other)


@pytest.mark.parametrize(("tasks", "subjects", "away"), [(3, 2, 0), (40, 20, 3), (140, 60, 14)])
@pytest.mark.parametrize("budget", [600, 1000, 2500, 8000])
def test_the_budget_holds_and_is_used(tasks: int, subjects: int, away: int, budget: int) -> None:
    projection = Projection(today=TODAY, documents=studio(TODAY, tasks, subjects, away))
    estado = sections(projection, Options(max_tokens=budget))
    size = tokens(render(estado))
    assert size <= budget
    if any(section.omitted for section in estado.sections if section.name != "achados"):
        assert size > budget * 0.8
