"""One physical line, read by the grammar of §2 and §3: its head (bullet, box, stamp, type) and what follows.

Nothing here knows about Markdown's blocks or other lines; ``document`` decides where a line may be a fact.
"""

from __future__ import annotations

import re
from contextlib import suppress
from typing import NamedTuple

from caderneta.format.dates import ImpossibleDay, read_day, read_time
from caderneta.format.text import INVISIBLE, SPACES, collapse, fold_type, strip, without_invisible
from caderneta.format.vocabulary import FIELDS, Kind, Vocabulary

_S = f"[{SPACES}]"
_V = f"[{SPACES}{INVISIBLE}]"
_BARE_DAY = r"(?:[0-9]{4}-[0-9]{2}-[0-9]{2}|[0-9]{4}/[0-9]{2}/[0-9]{2}|[0-9]{1,2}/[0-9]{1,2}/[0-9]{4})"
_BARE_TIME = r"(?:[0-9]{1,2}:[0-9]{2}(?::[0-9]{2})?|[0-9]{1,2}[hH](?:[0-9]{2})?)"
_MARK = r"(?:[-*+]|[0-9]{1,9}[.)])"
_HEAD = re.compile(
    rf"{_V}*(?P<a>~~)?{_S}*(?:(?P<bullet>{_MARK}(?:{_S}+{_MARK})*){_S}+)?(?P<b>~~)?{_S}*"
    rf"(?:\[(?P<box>[^\[\]])[{INVISIBLE}]*\]{_S}+)?(?P<c>~~)?{_S}*"
    rf"(?:\[(?P<stamp>[^\[\]]*)\]|(?P<bare>(?:{_BARE_DAY}(?:(?:{_S}+|T){_BARE_TIME})?|{_BARE_TIME})(?={_S})))?{_S}*(?P<d>~~)?{_S}*"
    rf"(?P<type>[^:∷\[\]~`]{{1,60}}?){_S}*(?P<colon>::?)(?P<body>.*)\Z",
    re.S,
)
_STAMP_LIKE = re.compile(r"[0-9][0-9/:.\-hHT ]+\Z")
_STAMP_SPLIT = re.compile(rf"{_S}*(?P<day>[^{SPACES}T]*[-/][^{SPACES}T]*)?(?:(?:{_S}+|T)?(?P<time>[0-9].*?))?{_S}*\Z", re.S)


class Head(NamedTuple):
    """The beginning of a line that has the grammar of a fact. ``body`` is everything after the colons, as it stands."""

    type: str  # canonical
    kind: Kind
    word: str  # the type as written
    struck: bool
    bullet: bool
    box: str | None
    stamped: bool
    date: str | None
    time: str | None
    bad_date: str | None  # a date is written and cannot be read
    bad_time: str | None
    one_colon: bool
    body: str


class Almost(NamedTuple):
    """A line that nearly counts (§2): the finding's code and its particulars."""

    code: str
    args: tuple[str, ...]


def read_head(text: str, vocabulary: Vocabulary) -> Head | None:
    """The head of a physical line (escapes already dropped), or ``None`` when the line has not the grammar of a fact.

    Implements the grammar of §2 up to the text; an everyday word (kind ``word``) still needs its target.
    """
    if ":" not in text:
        return None
    found = _HEAD.match(text)
    if not found:
        return None
    word = found["type"]
    known = vocabulary.words.get(fold_type(word)) if len(word) <= 40 else None
    if known is None:
        return None
    stamp, bare = found["stamp"], found["bare"]
    stamped = stamp is not None or bare is not None
    date = time = bad_date = bad_time = None
    if stamped:
        parts = read_stamp(stamp if stamp is not None else bare)
        if parts is None:
            return None
        date, time, bad_date, bad_time = parts
    if not stamped and (found["colon"] == ":" or not found["bullet"]):
        return None
    return Head(
        known[0],
        known[1],
        strip(word),
        bool(found["a"] or found["b"] or found["c"] or found["d"]),
        found["bullet"] is not None,
        found["box"],
        stamped,
        date,
        time,
        bad_date,
        bad_time,
        found["colon"] == ":",
        found["body"],
    )


def read_stamp(inside: str) -> tuple[str | None, str | None, str | None, str | None] | None:
    """``2026-07-09 14:00`` → (date, time, unreadable date, unreadable time); ``None`` when it is no stamp at all."""
    inside = collapse(without_invisible(inside))
    if not _STAMP_LIKE.match(inside):
        return None
    found = _STAMP_SPLIT.match(inside)
    if not found:
        return None, None, inside, None
    date = time = bad_date = bad_time = None
    if found["day"]:
        with suppress(ImpossibleDay):
            date = read_day(found["day"])
        bad_date = None if date else found["day"]
    if found["time"]:
        with suppress(ImpossibleDay):
            time = read_time(found["time"])
        if time is None:
            bad_time = found["time"]
    if date is None and time is None and bad_date is None and ":" not in inside and "h" not in inside.lower():
        return None, None, inside, None
    return date, time, bad_date, bad_time


# --- the body: id, tail, fields ---------------------------------------------------------------------------------------

_ID = re.compile(rf"\({_V}*\\?#{_V}*([0-9]+){_V}*\\?\)")
_LOOSE_ID = re.compile("#([0-9]+)")
_EMOJI = "📅📆🗓✅❌➕🛫⏳⌛🔁🔺⏫🔼🔽⏬🆔⛔🏁"
_TAG = r"#[^\s#.,;:!?…()\[\]~^]*[^\s#.,;:!?…()\[\]~^0-9][^\s#.,;:!?…()\[\]~^]*"
_TAIL = re.compile(
    rf"(?:{_V}|~~|[.,;:!?…]|{_TAG}|\[[^\[\]]*::[^\]]*\]|\^[A-Za-z0-9-]+)*(?:(?:[{_EMOJI}]|%%|<!--).*)?\Z",
    re.S,
)
_BLOCK = re.compile(rf"{_S}\^([A-Za-z0-9-]+){_V}*\Z")
_BLOCK_ANYWHERE = re.compile(rf"(?:\A|{_S})\^([A-Za-z0-9-]+)(?={_V}|\Z)")
_DUE = re.compile(rf"📅{_V}*([0-9]{{1,4}}[-/][0-9]{{1,2}}[-/][0-9]{{1,4}})")
_DONE = re.compile(rf"✅{_V}*([0-9]{{4}}-[0-9]{{2}}-[0-9]{{2}})")
_TASKS_TAIL = re.compile(
    rf"{_S}+(?:[📅📆🗓✅❌➕🛫⏳⌛]{_V}*[0-9]{{4}}-[0-9]{{2}}-[0-9]{{2}}|🔁{_V}*every\b|[🔺⏫🔼🔽⏬]{_V}*(?:\Z|[{_EMOJI}])).*\Z",
    re.S,
)
ONE_COLON = re.compile(rf"(?<!\[)\[{_S}*([^\[\]:]{{1,40}}?){_S}*:(?![:/])[^\[\]]*\](?!\])")
_BRACKET = re.compile(r"[\[\]]")
_CLOSING = re.compile(rf"~~{_V}*\Z")
_LAST_ID = 999_999_999


def largest_written_id(line: str, loose: bool = False) -> int:
    """The largest ``(#n)`` written anywhere in a line (``loose``: the largest ``#n``), 0 when there is none."""
    pattern = _LOOSE_ID if loose else _ID
    numbers = (found[1].lstrip("0") for found in pattern.finditer(line)) if "#" in line else ()
    return max((int(n) for n in numbers if n and len(n) <= 9), default=0)


class Body(NamedTuple):
    """What follows the colons: the text (links, fields and tail apart), and what the line says about itself."""

    text: str
    id: int | None
    fields: dict[str, str]
    sources: tuple[str, ...]
    block: str | None
    due: str | None
    done: str | None
    closed_strike: bool
    problems: tuple[Almost, ...]


def read_body(body: str, struck: bool, event: bool = False) -> Body:
    """Splits a body into text, id and tail (§2). ``event``: ``de`` and ``ate`` stay text, with a warning (§3)."""
    problems: list[Almost] = []
    fields: dict[str, str] = {}
    sources: list[str] = []
    if "::" in body and "[" in body:
        body = _take_fields(body, event, fields, sources, problems)
    problems += [Almost("CAD133", (fold_type(m[1]),)) for m in ONE_COLON.finditer(body) if fold_type(m[1]) in FIELDS]
    text, number, tail = _split_id(body, problems)
    closed = False
    block = None
    if number is None:
        text, tail, block, closed = _loose_tail(text, struck)
    else:
        closed = "~~" in tail
        found = _BLOCK_ANYWHERE.search(tail)
        block = found[1] if found else None
    if struck and _CLOSING.search(text):
        text = _CLOSING.sub("", text)
        closed = True
    due = _DUE.search(tail) or _DUE.search(text)
    done = _DONE.search(tail) or _DONE.search(text)
    return Body(
        strip(text),
        number,
        fields,
        tuple(sources),
        block,
        due[1] if due else None,
        done[1] if done else None,
        closed,
        tuple(problems),
    )


def _take_fields(body: str, event: bool, fields: dict[str, str], sources: list[str], problems: list[Almost]) -> str:
    """Takes the recognised ``[chave:: valor]`` out of a body, leaving one space at the seam."""
    out: list[str] = []
    at = 0
    closing = _closing_brackets(body)
    while True:
        start = body.find("[", at)
        if start < 0:
            break
        end = closing.get(start, -1)
        key, colons, value = body[start + 1 : end].partition("::") if end > 0 else ("", "", "")
        name = fold_type(key) if colons and "[" not in key and len(key) <= 40 else ""
        if name not in FIELDS:
            # a link keeps its second bracket, so that what it holds is never taken for a field
            step = start + (2 if body.startswith("[[", start) else 1)
            out.append(body[at:step])
            at = step
            continue
        if event and name in ("de", "ate"):
            problems.append(Almost("CAD130", (name,)))
            out.append(body[at : end + 1])
            at = end + 1
            continue
        value = strip(value)
        if name == "fonte":
            if value:
                sources.append(value)
        elif name in fields:
            problems.append(Almost("CAD117", (name, fields[name])))
        elif value:
            fields[name] = value
        elif name in ("de", "ate"):
            problems.append(Almost("CAD118", (name, "")))
        before = body[at:start]
        out.append(before)
        at = end + 1
        if (not before or before[-1:].isspace()) and body[at : at + 1] == " ":
            at += 1
    out.append(body[at:])
    return "".join(out)


def _closing_brackets(body: str) -> dict[int, int]:
    """Each opening bracket's index → its closing one's."""
    open_: list[int] = []
    closing: dict[int, int] = {}
    for found in _BRACKET.finditer(body):
        if found[0] == "[":
            open_.append(found.start())
        elif open_:
            closing[open_.pop()] = found.start()
    return closing


def _split_id(body: str, problems: list[Almost]) -> tuple[str, int | None, str]:
    """(text, id, tail): the last ``(#n)`` with nothing but tail behind it."""
    found = list(_ID.finditer(body))
    if not found:
        return body, None, ""
    last = found[-1]
    if not _TAIL.match(body, last.end()):
        problems.append(Almost("CAD113", (last[1].lstrip("0"),)))
        return body, None, ""
    number = int(last[1]) if len(last[1].lstrip("0")) <= 9 else _LAST_ID + 1
    if not 1 <= number <= _LAST_ID:
        problems.append(Almost("CAD114", (last[1],)))
        return body, None, ""
    start = last.start()
    other = None
    for before in reversed(found[:-1]):
        if not _TAIL.fullmatch(body[before.end() : start]):
            break
        other, start = before, before.start()
    if other is not None:
        problems.append(Almost("CAD112", (other[1].lstrip("0"), str(number))))
    return body[:start], number, body[last.end() :]


def _loose_tail(text: str, struck: bool) -> tuple[str, str, str | None, bool]:
    """The tail of a line without id: closing strike, block id and Tasks signs; punctuation and tags are text."""
    tail: list[str] = []
    block = None
    closed = False
    found = _TASKS_TAIL.search(text)
    if found:
        tail.append(found[0])
        text = text[: found.start()]
        inside = _BLOCK_ANYWHERE.search(found[0])
        block = inside[1] if inside else None
    while True:
        text = text.rstrip(" \t")
        match = _BLOCK.search(text)
        if match and block is None:
            block = match[1]
            text = text[: match.start()]
        elif struck and not closed and (match := _CLOSING.search(text)):
            closed = True
            text = text[: match.start()]
        else:
            return text, "".join(tail), block, closed


# --- targets of events ------------------------------------------------------------------------------------------------

_TARGET = re.compile(rf"(?:#({_V}*0*[0-9]+)(?![0-9A-Za-zÀ-ɏ_])|\[\[([^\[\]\n]*#\^[^\[\]\n]*)\]\])")
_JOIN = re.compile(rf"(?:{_S}*[,&]{_S}*(?:e{_S}+)?|{_S}+e{_S}*|{_S}+)(?=#[0-9]|\[\[[^\[\]\n]*#\^)", re.I)
_RANGE = re.compile(rf"{_S}*[-–—]{_S}*#[0-9]+")
_SEPARATOR = re.compile(rf"{_S}*(?:[·•–—:]|-(?=[{SPACES}]|\Z)){_S}*")
_LEADING_LINK = re.compile(rf"\[\[([^\[\]\n]*)\]\]{_S}*(?=#|\[\[)")
_ANOTHER = re.compile(r"(?<![0-9A-Za-zÀ-ɏ#])#[0-9]")
_LOOKS_TARGET = re.compile(r"#[0-9]")
_ONLY_MARKS = re.compile(rf"[{SPACES}.,;:!?…·•–—-]*\Z")


class Aim(NamedTuple):
    """The leading targets of an event (§3): ids, or block links as ``(note, block)``, and the reason."""

    ids: tuple[int | tuple[str, str], ...]
    reason: str
    entity: str | None
    bad: str | None  # what made the targets unreadable


def read_aim(text: str) -> Aim:
    """The targets that lead an event's text, and the reason behind them (§3)."""
    entity = None
    rest = text
    lead = _LEADING_LINK.match(text)
    if lead and "#^" not in lead[1]:
        entity, rest = lead[1], text[lead.end() :]
    at = 0
    ids: list[int | tuple[str, str]] = []
    while True:
        found = _TARGET.match(rest, at)
        if not found:
            break
        if found[1] is not None:
            number = int(without_invisible(collapse(found[1])) or 0)
            if not 1 <= number <= _LAST_ID:
                return Aim((), rest, entity, found[0])
            ids.append(number)
        else:
            note, _, block = found[2].partition("#^")
            ids.append((strip(note), strip(re.split(r"\\?\|", block)[0])))
        at = found.end()
        joined = _JOIN.match(rest, at)
        if not joined:
            break
        at = joined.end()
    if _LOOKS_TARGET.match(rest, at) or (found is None and ids):
        return Aim((), rest, entity, re.split(f"[{SPACES}]", rest[at : at + 40], maxsplit=1)[0])
    if not ids:
        return Aim((), text, None, None)
    if spread := _RANGE.match(rest, at):
        return Aim((), rest, entity, rest[: spread.end()][-40:])
    separator = _SEPARATOR.match(rest, at)
    reason = rest[separator.end() if separator else at :]
    if not separator and _ANOTHER.search(reason):
        return Aim((), rest, entity, rest[:40])
    reason = strip(reason)
    return Aim(tuple(ids), "" if _ONLY_MARKS.match(reason) else reason, entity, None)


# --- almost facts -----------------------------------------------------------------------------------------------------

_L = "A-Za-zÀ-ɏ"  # letters, inside a class
_STAMPED_WORD = re.compile(
    rf"{_V}*(?:~~)?{_S}*(?:{_MARK}{_S}+)?(?:~~)?(?:\[[^\[\]]\]{_S}+)?(?:~~)?\[([^\[\]]*)\]{_S}*"
    rf"(?:~~)?([^{SPACES}:∷\[\]]{{1,40}}){_S}*::"
)
_LOOSE_STAMP = re.compile(
    rf"[^0-9{_L}\[]{{0,8}}(?:\[.\][^0-9{_L}\[]{{0,3}})?\[(?=[^\[\]]{{0,40}}?[0-9０-９][-/:.hH][0-9０-９])"
    rf"(?:[^\[\]]{{1,60}}[\]\[][^{_L}]*|[^\[\]]{{1,60}}?[{SPACES}]+)(?=[{_L}])(.{{1,40}})",
    re.S,
)
_STAMP_AHEAD = re.compile(rf"{_V}*(?:{_MARK}{_S}+)?\[([^\[\]]*)\]{_S}*")
_FIRST_LETTERS = re.compile(
    rf"{_V}*(?:[0-9]{{1,9}}[.)])?[^0-9{_L}]*([{_L}\u0300-\u036f{INVISIBLE}]{{1,40}})[*_~`{SPACES}]*(::|:|∷|#(?=[0-9]))"
)
_WORD = re.compile(rf"[{_L}\u0300-\u036f{INVISIBLE}]+")


def almost(text: str, daily: bool, vocabulary: Vocabulary) -> Almost | None:
    """Whether a line that is no fact looks meant as one (§2). ``text`` is the physical line, escapes dropped."""
    if "[" in text:
        found = _STAMPED_WORD.match(text)
        if found and read_stamp(found[1]) is not None:
            word = found[2].strip("*_~")
            known = vocabulary.words.get(fold_type(word))
            if known is None:
                return Almost("CAD106", (strip(found[2]),))
            if known[1] in ("statement", "event"):
                return Almost("CAD107", (word,))
            return Almost("CAD131", (word,)) if known[1] == "word" else None
        found = _LOOSE_STAMP.match(text)
        if found:
            letters = _WORD.match(found[1])
            known = vocabulary.words.get(fold_type(letters[0])) if letters else None
            if letters and known and known[1] in ("statement", "event"):
                return Almost("CAD107", (strip(letters[0]),))
    if daily:
        ahead = _STAMP_AHEAD.match(text)
        stamped = ahead is not None and read_stamp(ahead[1]) is not None
        found = _FIRST_LETTERS.match(text, ahead.end() if ahead and stamped else 0)
        if found:
            known = vocabulary.words.get(fold_type(found[1]))
            if known and known[1] in ("statement", "event") and found[2] != "#":
                return Almost("CAD108", (strip(found[1]), found[2]))
            if known and known[1] == "event" and found[2] == "#":
                return Almost("CAD108", (strip(found[1]), found[2]))
            if known and known[1] == "word" and found[2] != ":":
                return Almost("CAD131" if found[2] == "::" else "CAD108", (strip(found[1]), found[2]))
    return None
