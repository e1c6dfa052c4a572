"""A text → its facts and what is odd about it (§1, §2, §3, §5, §6)."""

from __future__ import annotations

import re
from contextlib import suppress
from dataclasses import replace
from functools import lru_cache
from sys import intern
from typing import NamedTuple

from caderneta.format import blocks as md
from caderneta.format.canonical import read_canonical
from caderneta.format.context import Context
from caderneta.format.dates import ImpossibleDay, day_of, is_day, read_day
from caderneta.format.header import read_header
from caderneta.format.inline import plain, restore
from caderneta.format.line import Body, Head, almost, largest_written_id, read_aim, read_body, read_head
from caderneta.format.statement import edge, keyed_value, mentions_and_cites, opening_link
from caderneta.format.text import INVISIBLE, ODD, SPACES, fold_type, split_lines, strip, without_invisible
from caderneta.format.values import (
    BAD_DATE,
    BAD_TARGETS,
    DEFAULTS,
    EVENT,
    KEYED,
    NO_EXTRA,
    NO_TARGETS,
    OWN_DATE,
    OWN_SUBJECT,
    STRUCK,
    TICKED,
    Document,
    Evidence,
    Extra,
    Fact,
    Finding,
    Settings,
    Target,
)
from caderneta.format.vocabulary import EVIDENCE, Vocabulary, vocabulary

GENERATED = "<!-- caderneta: gerado a partir das notas; não edite, é refeito -->"
_GUIDE = "Caderneta.md"  # its examples stand in fences on purpose

# Findings about lines that do not count, or not wholly, and whose id nobody else may be given.
_HOLDS_ID = frozenset(("CAD106", "CAD107", "CAD108", "CAD110", "CAD112", "CAD113", "CAD131"))
_HASH_RUN = re.compile(rf"#[0-9{INVISIBLE}]*[0-9]")
_NO_NUMBER = ("CAD113", "CAD114")  # a number stands there, in the wrong place: to be mended, not given another
_BARE_MARK = re.compile(r"(?:[-*+]|[0-9]{1,9}[.)])\Z")
_FIRST = re.compile(rf"[{SPACES}]*")
_LONE_EVIDENCE = re.compile(rf"[{SPACES}]*(?:[-*+]|[0-9]{{1,9}}[.)])[{SPACES}]+([^:\[\]]{{1,20}}?)[{SPACES}]*:(?!:)")
_HIDDEN_MARKS = re.compile(
    rf"(?:[{SPACES}>]|#{{1,6}}[{SPACES}]|[0-9]{{1,9}}[.)][{SPACES}]|(?P<bullet>[-*+])[{SPACES}]|<!--|%%|\$\$|`+)*"
)
_HIDDEN_PLACES = {
    md.FENCE: "cerca de código",
    md.INDENTED: "código recuado",
    md.HTML: "HTML",
    md.QUOTE: "citação",
    md.COMMENT: "comentário %%",
    md.MATH: "bloco $$",
    md.HEADER: "cabeçalho",
    md.HEADING: "título",
}


def is_generated(text: str) -> bool:
    """Whether a file is one of ours, known by its whole first line under any name (§1)."""
    return text.removeprefix("\ufeff").partition("\n")[0].rstrip(" \t\r") == GENERATED


def parse(path: str, text: str, settings: Settings = DEFAULTS) -> Document:
    """Reads one file: ``path`` relative to the vault with ``/``, its decoded text → Document. Never raises on bad input."""
    return _Reader(path, split_lines(text), text, settings).read()


class _Line(NamedTuple):
    """A candidate: the line as Markdown shows it, and its head when it has the grammar of a fact."""

    at: int
    text: str
    head: Head | None


class _Reader:
    """The state of one reading: structure, headings still open, facts so far."""

    __slots__ = (
        "aliases",
        "blocks",
        "context",
        "day",
        "evidence",
        "fact_at",
        "facts",
        "findings",
        "hidden_id",
        "lines",
        "path",
        "raw",
        "settings",
        "words",
    )

    def __init__(self, path: str, lines: list[str], raw: str, settings: Settings) -> None:
        self.path = path
        self.lines = lines
        self.raw = raw
        self.settings = settings
        self.words: Vocabulary = vocabulary(settings)
        self.facts: list[Fact] = []
        self.findings: list[Finding] = []
        self.hidden_id = 0
        self.fact_at: dict[int, int] = {}
        self.evidence: dict[int, list[Evidence]] = {}
        try:
            self.day = day_of(path, settings.daily)
        except ImpossibleDay as error:
            self.day = None
            self.report("CAD305", 0, args=(str(error),))
        header = read_header(lines)
        self.findings.extend(header.findings(path))
        self.blocks = md.read_blocks(lines, header.end)
        self.aliases = tuple(strip(a) for a in header.get("aliases") or () if strip(a))
        self.context = Context(lines, self.blocks, self.words, settings.daily, header.get("entidade"))

    def read(self) -> Document:
        kinds, lines = self.blocks.kind, self.lines
        path, day, daily = self.path, self.day, self.settings.daily
        at, n = 0, len(lines)
        while at < n:
            kind = kinds[at]
            if kind == md.PARAGRAPH:
                line = lines[at]
                fact = read_canonical(line, path, at + 1, day, daily) if line.startswith("- ") else None
                if fact is not None:
                    self._canonical(fact, at)
                    at += 1
                    if at < n and kinds[at] == md.TEXT:
                        at = self._paragraph(at)
                else:
                    at = self._paragraph(at)
            else:
                if kind == md.HEADING:
                    self.context.heading(at)
                if kind != md.BLANK:
                    self._hidden(at, kind)
                at += 1
        self._report_structure()
        return Document(self.path, self._with_evidence(), tuple(self.findings), self.aliases, self.day, self.hidden_id)

    # --- findings ---------------------------------------------------------------------------------------------------------

    def report(self, code: str, at: int, column: int = 0, ids: tuple[int, ...] = (), args: tuple[str, ...] = ()) -> None:
        if code in _HOLDS_ID:
            self.hidden_id = max(self.hidden_id, largest_written_id(self.lines[at]))
        self.findings.append(Finding(code, self.path, at + 1, column or self._column(at), ids, args))

    def _column(self, at: int) -> int:
        found = _FIRST.match(self.lines[at]) if at < len(self.lines) else None
        return found.end() + 1 if found else 1

    def _report_structure(self) -> None:
        for at, kind in self.blocks.unclosed:
            if kind in (md.COMMENT, md.MATH):
                self.report("CAD121", at, args=("%%" if kind == md.COMMENT else "$$",))
            else:
                self.report("CAD125", at, args=("cerca" if kind == md.FENCE else "comentário HTML",))
        lost = [at for at, kind in enumerate(self.blocks.kind) if kind == md.LOST]
        if lost:
            self.hidden_id = max(self.hidden_id, *(largest_written_id(self.lines[at]) for at in lost))
            self.report("CAD122", lost[0], args=(str(lost[0] + 1), str(lost[-1] + 1)))
        if "\x00" in self.raw or "\r" in self.raw:
            fact_lines = {fact.line for fact in self.facts}
            for at, line in enumerate(self.raw.replace("\r\n", "\n").split("\n")):
                if "\x00" in line:
                    self.report("CAD120", at, line.index("\x00") + 1, args=("U+0000",))
                if "\r" in line and at + 1 in fact_lines:
                    self.report("CAD120", at, line.index("\r") + 1, args=("U+000D",))

    def _odd_characters(self, at: int, ids: tuple[int, ...]) -> None:
        line = self.lines[at]
        if line.isascii() and line.isprintable():
            return
        seen = set()
        for found in ODD.finditer(line):
            if found[0] not in seen:
                seen.add(found[0])
                self.report("CAD120", at, found.start() + 1, ids, (f"U+{ord(found[0]):04X}",))

    def _hidden(self, at: int, kind: int) -> None:
        """A fact-like line where nothing counts is said, since it may have been meant (§2)."""
        if kind in _HIDDEN_PLACES and self.path != _GUIDE and self._is_fact_like(self.lines[at]):
            self.report("CAD116", at, args=(_HIDDEN_PLACES[kind],))
            if any(at > opening for opening, _ in self.blocks.unclosed):
                # Swallowed by what somebody is still typing: its id comes back with the closing mark.
                self.hidden_id = max(self.hidden_id, largest_written_id(self.lines[at]))

    def _is_fact_like(self, line: str) -> bool:
        """Whether a line would be a fact without the marks that hide it."""
        found = _HIDDEN_MARKS.match(line)
        if ":" not in line or not found:
            return False
        head = read_head(("- " if found["bullet"] else "") + line[found.end() :], self.words)
        return head is not None and head.kind in ("statement", "event")

    def _around(self, at: int, item: int, begins: bool) -> Fact | None:
        """The fact that begins the list item around a line (§3)."""
        first = self.context.around(at, item, begins)
        return None if first is None or first not in self.fact_at else self.facts[self.fact_at[first]]

    # --- lines ------------------------------------------------------------------------------------------------------------

    def _canonical(self, fact: Fact, at: int) -> None:
        """Takes the fact of a canonical line, which begins a list item at the left edge."""
        if fact.subject is None and not fact.flags & EVENT:
            subject, origin = self.context.inherited(-1, False)
            if subject is not None:
                fact = fact._replace(subject=subject, extra=_inheriting(fact.extra, origin))
        if fact.date is None:
            self.report("CAD103", at, 1, _ids(fact.id), ("hora",))
        elif fact.flags & OWN_DATE and self.day is not None and fact.date != self.day:
            self.report("CAD104", at, 1, _ids(fact.id), (fact.date, self.day))
        self.fact_at[at] = len(self.facts)
        self.facts.append(fact)

    def _paragraph(self, start: int) -> int:
        """Reads a paragraph's lines (from ``start``), each first tried as a fact; returns the line after it."""
        kinds, lines = self.blocks.kind, self.lines
        end = start + 1
        while end < len(lines) and kinds[end] == md.TEXT:
            end += 1
        whole = "\n".join(lines[start:end])
        if ":" not in whole and "#" not in whole and "∷" not in whole:
            return end  # prose: nothing in it can be a fact, nor almost
        shown = _without_hidden_digits(plain(whole)).split("\n")
        candidates = [_Line(start + i, text, read_head(text, self.words)) for i, text in enumerate(shown)]
        i = 0
        while i < len(candidates):
            i += self._candidate(candidates, i)
        return end

    def _candidate(self, candidates: list[_Line], i: int) -> int:
        """Handles one line of a paragraph; returns how many lines it took (more than one when an editor wrapped it)."""
        line = candidates[i]
        item = self.blocks.item[line.at]
        begins = item >= 0 and self.blocks.items[item].first == line.at
        if line.head is None:
            self._not_a_fact(line, item, begins)
            return 1
        if line.head.kind == "evidence":
            return self._evidence(candidates, i, item, begins)
        head, body, taken = self._joined(candidates, i, item, begins)
        if not strip(without_invisible(body.text)):
            self.report("CAD110", line.at, args=(head.word,))
            return taken
        fact = self._event(head, body, line.at, item, begins) if head.kind != "statement" else None
        if head.kind == "statement":
            fact = self._statement(head, body, line.at, item, begins)
        if fact is None:
            if self.day is not None or head.stamped:
                self.report("CAD131", line.at, args=(head.word,))
            return taken
        if taken > 1:
            fact = fact._replace(extra=replace(fact.extra, last_line=line.at + taken))
        if begins or line.at not in self.fact_at:
            self.fact_at[line.at] = len(self.facts)
        self.facts.append(fact)
        self._line_findings(fact, head, body, taken)
        return taken

    def _joined(self, candidates: list[_Line], i: int, item: int, begins: bool) -> tuple[Head, Body, int]:
        """The head and body of a line with the lines an editor wrapped off it (§2)."""
        head = candidates[i].head
        assert head is not None
        event = head.kind != "statement"
        body = read_body(head.body, head.struck, event)
        parts = [head.body.rstrip(" ")]
        ended = body.id is not None
        while begins and not ended and i + len(parts) < len(candidates):
            following = candidates[i + len(parts)]
            raw = self.lines[following.at]
            indent = md.visual_column(raw, len(raw) - len(raw.lstrip(" \t")))
            if following.head or not strip(following.text) or indent < self.blocks.items[item].content:
                break
            if _BARE_MARK.match(strip(following.text)):
                break  # a bullet somebody has just begun to type
            if self._is_fact_like(raw) or almost(following.text, self.day is not None, self.words):
                break
            parts.append(strip(following.text))
            ended = read_body(parts[-1], head.struck, event).id is not None
        if len(parts) > 1:
            body = read_body(" ".join(parts), head.struck, event)
        return head, body, len(parts)

    def _not_a_fact(self, line: _Line, item: int, begins: bool) -> None:
        found = almost(line.text, self.day is not None, self.words)
        if found:
            self.report(found.code, line.at, args=found.args)
            self._odd_characters(line.at, ())
            return
        raw = self.lines[line.at]
        if begins and (lone := _LONE_EVIDENCE.match(line.text)) and fold_type(lone[1]) in EVIDENCE:
            around = self._around(line.at, item, begins)
            if around and not around.is_event:
                self.report("CAD129", line.at, args=(strip(lone[1]),))
        elif line.text != raw and self._is_fact_like(raw):
            self.report("CAD116", line.at, args=("comentário" if restore(line.text) != raw else "código",))

    def _evidence(self, candidates: list[_Line], i: int, item: int, begins: bool) -> int:
        line = candidates[i]
        around = self._around(line.at, item, begins) if begins else None
        if around is None:
            return 1
        head, body, taken = self._joined(candidates, i, item, begins)
        if around.is_event:
            self.report("CAD128", line.at, args=(head.word,))
        elif not body.text:
            self.report("CAD110", line.at, args=(head.word,))
        else:
            text = head.body if taken == 1 else body.text
            text = restore(strip(text.rstrip(" ").removesuffix("~~") if head.struck else text))
            cites = mentions_and_cites(text, self.settings.daily)[1]
            stance = next(s for s in EVIDENCE if s == head.type)
            self.evidence.setdefault(around.line, []).append(Evidence(stance, text, line.at + 1, cites))  # type: ignore[arg-type]
        return taken

    def _statement(self, head: Head, body: Body, at: int, item: int, begins: bool) -> Fact:
        daily = self.settings.daily
        subject, text = opening_link(body.text, daily)
        flags = OWN_SUBJECT if subject else 0
        origin = ""
        if subject is None:
            subject, origin = self.context.inherited(item, begins)
        # A link that opens the text and stays in it (`[[A]]: …`) is the subject, not a mention besides.
        rest = text[text.find("]]") + 2 :] if flags and text.startswith("[[") and text == body.text else text
        mentions, cites = mentions_and_cites(rest, daily)
        cites = tuple(dict.fromkeys((*cites, *(t for source in body.sources for t in mentions_and_cites(source, daily)[1]))))
        relation = key = value = None
        if head.type == "relacao":
            found = edge(body.text, self.words.relations, daily)
            if found is None:
                self.report("CAD127", at, ids=_ids(body.id))
            else:
                relation, text, known = found
                subject, flags, origin = relation.source, OWN_SUBJECT, ""
                mentions = mentions_and_cites(body.text, daily)[0][1:]
                if not known:
                    self.report("CAD126", at, ids=_ids(body.id), args=(relation.type,))
        elif head.type == "fato":
            pair = keyed_value(text)
            if pair is None:
                self.report("CAD124", at, ids=_ids(body.id))
            else:
                key, value = restore(pair[0]), restore(pair[1])
                flags |= KEYED
                if subject is None:
                    self.report("CAD132", at, ids=_ids(body.id))
        start, end = self._window(body, at)
        if end is None and body.due and head.type in ("pendencia", "bloqueio"):
            end = self._day_of("📅", body.due, body, at)
        done = body.done if body.done and is_day(body.done) else None
        fields = body.fields
        return self._build(
            head, body, at, subject, text, (), flags,
            Extra(
                mentions, cites, start, end, fields.get("por"), fields.get("com"), fields.get("escopo"), body.sources,
                key, value, relation, (), body.block, done, 0, origin,
            ),
        )  # fmt: skip

    def _event(self, head: Head, body: Body, at: int, item: int, begins: bool) -> Fact | None:
        """The event of a line; ``None`` when an everyday word has no target, so that the line is no fact (§3)."""
        aim = read_aim(body.text)
        around = self._around(at, item, begins)
        if head.kind == "word" and not aim.ids and aim.bad is None and around is None:
            return None
        flags = EVENT
        number = body.id
        targets = tuple(dict.fromkeys(Target(x) if isinstance(x, int) else Target(note=x[0], block=x[1]) for x in aim.ids))
        if aim.bad is not None:
            flags |= BAD_TARGETS
            self.report("CAD202", at, ids=_ids(number), args=(aim.bad,))
            self.hidden_id = max(self.hidden_id, largest_written_id(body.text, loose=True))
        elif not targets:
            flags |= NO_TARGETS
            if around is not None:
                targets = (Target(line=around.line),)
                if number is not None and number == around.id:
                    number = None
            else:
                self.report("CAD201", at, ids=_ids(number), args=(head.word,))
        mentions, cites = mentions_and_cites(aim.reason, self.settings.daily)
        if aim.entity is not None:
            mentions = mentions_and_cites(f"[[{aim.entity}]]", self.settings.daily)[0] + mentions
        extra = Extra(
            mentions, cites, None, None, body.fields.get("por"), body.fields.get("com"), body.fields.get("escopo"), body.sources,
            None, None, None, (), body.block,
        )  # fmt: skip
        return self._build(head, body._replace(id=number), at, None, aim.reason, targets, flags, extra)

    def _build(
        self,
        head: Head,
        body: Body,
        at: int,
        subject: str | None,
        text: str,
        targets: tuple[Target, ...],
        flags: int,
        extra: Extra,
    ) -> Fact:
        if head.struck and body.closed_strike:
            flags |= STRUCK
        if head.box is not None and head.box in "xX":
            flags |= TICKED
        if head.date:
            flags |= OWN_DATE
        if head.bad_date:
            flags |= BAD_DATE
        date = head.date or (None if head.bad_date else self.day)
        return Fact(
            body.id, intern(head.type), date, head.time, restore(subject) if subject else None, restore(text), targets, self.path,
            at + 1, self._column(at), flags, NO_EXTRA if extra == NO_EXTRA else extra,
        )  # fmt: skip

    def _window(self, body: Body, at: int) -> tuple[str | None, str | None]:
        start, end = (self._day_of(name, body.fields.get(name), body, at) for name in ("de", "ate"))
        return start, end

    def _day_of(self, name: str, written: str | None, body: Body, at: int) -> str | None:
        if written is None:
            return None
        day = None
        with suppress(ImpossibleDay):
            day = read_day(written)
        if day is None:
            self.report("CAD118", at, ids=_ids(body.id), args=(name, written))
        return day

    def _line_findings(self, fact: Fact, head: Head, body: Body, taken: int) -> None:
        at, ids = fact.line - 1, _ids(fact.id)
        for problem in body.problems:
            self.report(problem.code, at, ids=ids, args=problem.args)
        if head.bad_date:
            self.report("CAD101", at, ids=ids, args=(head.bad_date,))
        elif fact.date is None:
            self.report("CAD103", at, ids=ids, args=("hora",) if head.stamped else ())
        elif head.date and self.day and head.date != self.day:
            self.report("CAD104", at, ids=ids, args=(head.date, self.day))
        if head.bad_time and not head.bad_date:
            self.report("CAD102", at, ids=ids, args=(head.bad_time,))
        if head.one_colon:
            self.report("CAD109", at, ids=ids, args=(head.word,))
        if head.struck and not body.closed_strike:
            self.report("CAD111", at, ids=ids)
        if head.box == "-":
            self.report("CAD123", at, ids=ids)
        if fact.id is None and not any(t.line for t in fact.targets) and not any(p.code in _NO_NUMBER for p in body.problems):
            self.report("CAD119", at)
        if taken > 1:
            self.report("CAD115", at, ids=ids, args=(str(taken),))
        for line in range(at, at + taken):
            self._odd_characters(line, ids)

    def _with_evidence(self) -> tuple[Fact, ...]:
        if self.evidence:
            for i, fact in enumerate(self.facts):
                if fact.line in self.evidence and self.fact_at.get(fact.line - 1) == i:
                    self.facts[i] = fact._replace(extra=replace(fact.extra, evidence=tuple(self.evidence[fact.line])))
        return tuple(self.facts)


def _without_hidden_digits(text: str) -> str:
    """A text whose ``#4…1`` hides no invisible character between its digits (§1: they are ignored in ids)."""
    return text if text.isascii() else _HASH_RUN.sub(lambda found: without_invisible(found[0]), text)


def _ids(number: int | None) -> tuple[int, ...]:
    return () if number is None else (number,)


def _inheriting(extra: Extra, origin: str) -> Extra:
    return _inherited_from(origin) if extra is NO_EXTRA else replace(extra, subject_source=origin)


@lru_cache(maxsize=8)
def _inherited_from(origin: str) -> Extra:
    return Extra(subject_source=origin)
