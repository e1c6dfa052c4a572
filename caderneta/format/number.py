"""Ids (and days) for lines already there (§2, §8): a text → the same text with ``(#n)`` where each id belongs.

Every byte that is not an id or a day stays. What comes out is read back: a line that would say anything else is left alone.
"""

from __future__ import annotations

import re
from collections.abc import Container, Sequence
from typing import NamedTuple

from caderneta.format.document import parse
from caderneta.format.inline import plain
from caderneta.format.line import Body, read_body, read_head
from caderneta.format.text import INVISIBLE, SPACES, fold_type
from caderneta.format.values import BAD_DATE, DEFAULTS, OWN_DATE, Document, Fact, Settings
from caderneta.format.vocabulary import FIELDS, vocabulary

_S = f"[{SPACES}]"
_DATED = r"(?:📅|📆|🗓|✅|❌|➕|🛫|⏳|⌛)[\ufe0f ]*[0-9]{4}-[0-9]{2}-[0-9]{2}"
_TASKS = re.compile(rf"{_S}+(?:{_DATED}|🔁[\ufe0f ]*every\b|[🔺⏫🔼🔽⏬]\ufe0f?{_S}*(?:\Z|[📅📆🗓✅❌➕🛫⏳⌛🔁])).*\Z", re.S)
_TAIL = re.compile(
    rf"(?:{_S}+\Z|~~\Z|{_S}\^[A-Za-z0-9-]+\Z|%%(?:(?!%%).)*%%\Z|<!--(?:(?!-->).)*-->\Z|(?P<field>\[(?P<key>[^\[\]:]*)::(?:[^\[\]]|\[\[[^\[\]]*\]\])*\])\Z)",
    re.S,
)
_MARK = r"(?:[-*+]|[0-9]{1,9}[.)])"
_TIME = r"[0-9]{1,2}(?::[0-9]{2}){1,2}|[0-9]{1,2}[hH](?:[0-9]{2})?"
_OPENING = re.compile(
    rf"(?P<mark>[{SPACES}{INVISIBLE}]*(?:~~)?{_S}*(?:#{{1,6}}{_S}+)?(?:{_MARK}{_S}+)*(?:~~)?{_S}*(?:\[[^\[\]]\]{_S}+)?(?:~~)?{_S}*)"
    rf"(?:(?P<open>\[{_S}*)(?={_TIME})|(?P<bare>(?={_TIME})))?"
)
_NUMBER = re.compile(rf"\([{SPACES}{INVISIBLE}]*\\?#[{SPACES}{INVISIBLE}]*([0-9]+)[{SPACES}{INVISIBLE}]*\\?\)")


class Numbered(NamedTuple):
    """The new text, the (line, id) of each id given, the lines that got a day, those left without an id, and those left
    without a day because another line has their id (``shared``)."""

    text: str
    ids: tuple[tuple[int, int], ...]
    dated: tuple[int, ...]
    skipped: tuple[int, ...]
    shared: tuple[int, ...] = ()


class _Edit(NamedTuple):
    """One insertion: a line (from 0), a column, and what goes there."""

    line: int
    column: int
    piece: str


def number(path: str, text: str, first: int, today: str, settings: Settings = DEFAULTS, shared: Container[int] = ()) -> Numbered:
    """Gives ids from ``first`` to the facts that lack one and, outside daily files, ``today`` to those without any date.

    Lines whose end cannot be read (CAD113, CAD114) are left to a person. So is the day of a line whose id is in
    ``shared``, the ids that other lines of the vault carry too: a copy that gets a day of its own is a copy no more, and
    the id would be ambiguous. Never raises on bad input.
    """
    before = parse(path, text, settings)
    lines = text.split("\n")
    undated = _undated(before)
    alone = [fact for fact in undated if fact.id is None or fact.id not in shared]
    left = tuple(fact.line for fact in undated if fact not in alone)
    days = [edit for fact in alone if (edit := _day_edit(fact, lines, today))]
    ids: list[tuple[int, int]] = []
    edits: list[_Edit] = []
    skipped: list[int] = []
    for fact in _unnumbered(before, lines, settings):
        edit = _id_edit(fact, lines, first + len(ids), settings)
        if edit is None:
            skipped.append(fact.line)
        else:
            edits.append(edit)
            ids.append((fact.line, first + len(ids)))
    new = _apply(lines, [*edits, *days])
    if _same(before, parse(path, new, settings), dict(ids)):
        return Numbered(new, tuple(ids), tuple(d.line + 1 for d in days), (*skipped, *_unreadable(before)), left)
    return _one_by_one(path, text, first, edits, days, settings)._replace(shared=left)


def renumber(path: str, text: str, line: int, new: int, settings: Settings = DEFAULTS) -> str | None:
    """The text with the fact at ``line`` (from 1) carrying another id; ``None`` when that cannot be done safely."""
    before = parse(path, text, settings)
    fact = next((f for f in before.facts if f.line == line), None)
    if fact is None or fact.id is None:
        return None
    lines = text.split("\n")
    for at in reversed(range(line - 1, fact.extra.last_line or line)):
        for found in reversed(list(_NUMBER.finditer(lines[at]))):
            if int(found[1]) == fact.id:
                changed = [*lines]
                changed[at] = lines[at][: found.start(1)] + str(new) + lines[at][found.end(1) :]
                result = "\n".join(changed)
                if _same(before, parse(path, result, settings), {line: new}):
                    return result
    return None


def _unreadable(document: Document) -> tuple[int, ...]:
    return tuple(dict.fromkeys(f.line for f in document.findings if f.code in ("CAD113", "CAD114")))


def _unnumbered(document: Document, lines: Sequence[str], settings: Settings) -> list[Fact]:
    """The facts to number: without id, and without a written one that does not count as theirs."""
    unreadable = _unreadable(document)
    found = [f for f in document.facts if f.id is None and f.line not in unreadable]
    return [f for f in found if not _written_id(f, lines, settings)]


def _written_id(fact: Fact, lines: Sequence[str], settings: Settings) -> bool:
    body = _body(lines[fact.line - 1], fact, settings)
    return body is not None and body.id is not None


def _undated(document: Document) -> list[Fact]:
    if document.day is not None or any(f.code == "CAD305" for f in document.findings):
        return []
    return [f for f in document.facts if f.date is None and not f.flags & BAD_DATE]


def _id_edit(fact: Fact, lines: Sequence[str], new: int, settings: Settings) -> _Edit | None:
    """Where the id goes: before the tail, else (when that would not read) at the very end."""
    at = (fact.extra.last_line or fact.line) - 1
    raw = lines[at].removesuffix("\r")
    wrapped = at != fact.line - 1
    for column in dict.fromkeys((_tail_start(raw), len(raw.rstrip(" \t")))):
        piece = f" (#{new})"
        if wrapped or _reads(raw, raw[:column] + piece + raw[column:], fact, new, settings):
            return _Edit(at, column, piece)
    return None


def _tail_start(raw: str) -> int:
    """The column where a line's tail begins: closing strike, block id, fields, comments, Tasks signs (§2)."""
    found = _TASKS.search(raw)
    end = found.start() if found else len(raw)
    while piece := _TAIL.search(raw, 0, end):
        if piece["field"] and fold_type(piece["key"]) not in FIELDS:
            break
        end = piece.start()
    return end


def _reads(old: str, raw: str, fact: Fact, new: int, settings: Settings) -> bool:
    """Whether the line alone reads as before, with its id; the whole file is compared afterwards."""
    before, after = _body(old, fact, settings), _body(raw, fact, settings)
    return before is not None and after is not None and after._replace(id=None) == before and after.id == new


def _body(raw: str, fact: Fact, settings: Settings) -> Body | None:
    head = read_head(plain(raw.removeprefix("\ufeff").removesuffix("\r")), vocabulary(settings))
    return read_body(head.body, head.struck, fact.is_event) if head is not None and head.type == fact.type else None


def _day_edit(fact: Fact, lines: Sequence[str], today: str) -> _Edit | None:
    raw = lines[fact.line - 1]
    found = _OPENING.match(raw)
    if not found:
        return None
    if found["open"] is not None:
        return _Edit(fact.line - 1, found.end("open"), f"{today} ")
    if found["bare"] is not None:
        return _Edit(fact.line - 1, found.end("bare"), f"{today} ")
    return _Edit(fact.line - 1, found.end("mark"), f"[{today}] ")


def _apply(lines: Sequence[str], edits: Sequence[_Edit]) -> str:
    out = list(lines)
    for edit in sorted(edits, key=lambda e: (e.line, e.column), reverse=True):
        out[edit.line] = out[edit.line][: edit.column] + edit.piece + out[edit.line][edit.column :]
    return "\n".join(out)


def _same(before: Document, after: Document, ids: dict[int, int]) -> bool:
    """Whether the facts are the same but for the ids given and the days written."""
    if len(before.facts) != len(after.facts):
        return False
    pairs = zip(before.facts, after.facts, strict=True)
    return all(new.id == ids.get(old.line, old.id) and _bare(old) == _bare(new) for old, new in pairs)


def _bare(fact: Fact) -> Fact:
    return fact._replace(id=None, date=None, flags=fact.flags & ~OWN_DATE)


def _one_by_one(path: str, text: str, first: int, edits: Sequence[_Edit], days: Sequence[_Edit], settings: Settings) -> Numbered:
    """The slow way, when some line cannot take its id without another changing: each is tried alone."""
    ids: list[tuple[int, int]] = []
    dated: list[int] = []
    skipped = list(_unreadable(parse(path, text, settings)))
    for edit in sorted((*edits, *days), key=lambda e: (e.line, e.column), reverse=True):
        before = parse(path, text, settings)
        is_id = edit in edits
        fact = next((f for f in before.facts if f.line - 1 <= edit.line < (f.extra.last_line or f.line)), None)
        if fact is None:
            continue
        piece = re.sub(r"[0-9]+", str(first + len(ids)), edit.piece) if is_id else edit.piece
        new = _apply(text.split("\n"), [edit._replace(piece=piece)])
        if _same(before, parse(path, new, settings), {fact.line: first + len(ids)} if is_id else {}):
            text = new
            if is_id:
                ids.append((fact.line, first + len(ids)))
            else:
                dated.append(fact.line)
        elif is_id:
            skipped.append(fact.line)
    return Numbered(text, tuple(sorted(ids)), tuple(sorted(dated)), tuple(sorted(skipped)))
