"""The short way: the canonical line with nothing unusual in it, which is most lines of most vaults (§2).

Whatever it does not match, the grammar of ``line`` reads; a property test holds that both read the same.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from caderneta.format.dates import is_day
from caderneta.format.links import names_entity
from caderneta.format.statement import mentions_and_cites
from caderneta.format.text import INVISIBLE, SPACES
from caderneta.format.values import Target
from caderneta.format.vocabulary import STATEMENTS

_ODD = f"\x00-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069\ufff9-\ufffb\ufdd0-\ufdef\U000e0000-\U000e007f{INVISIBLE}"
_PLAIN = rf"[^\[\]#~\\`<📅✅{_ODD}]"
_TEXT = rf"[^~\\`<📅✅{_ODD}]"  # links and citations too: they are looked at apart
_CANONICAL = re.compile(
    rf"- (~~)?\[(?:([0-9]{{4}}-[0-9]{{2}}-[0-9]{{2}}) )?((?:[01][0-9]|2[0-3]):[0-5][0-9])\] ([a-z]+) :: "
    rf"(?:(?:\[\[((?:(?![|/:^]){_PLAIN})+)\]\] )?((?!#){_TEXT}+)(?<! )"
    rf"|(#[1-9][0-9]{{0,8}}(?:, #[1-9][0-9]{{0,8}})*) · ({_PLAIN}+)(?<! )) "
    rf"\(#([1-9][0-9]{{0,8}})\)(~~)?\Z"
)
_STATEMENTS = frozenset(STATEMENTS) - {"fato", "relacao"}
_EVENTS = frozenset({"supersede", "resolvido", "aposentado"})


class Short(NamedTuple):
    """A canonical line's parts. ``date`` only when the line writes it; ``note`` only when a link opens the text."""

    struck: bool
    date: str | None
    time: str
    type: str
    note: str | None
    text: str
    targets: tuple[Target, ...]
    number: int
    mentions: tuple[str, ...]
    cites: tuple[Target, ...]


def read_canonical(line: str, daily: str) -> Short | None:
    """The parts of a canonical line, or ``None`` when the grammar has to read it. ``daily``: the pattern of daily files."""
    found = _CANONICAL.match(line)
    if found is None:
        return None
    opened, date, time, word, note, text, targets, reason, number, closed = found.groups()
    if (date is not None and not is_day(date)) or (opened is None) != (closed is None) or "%%" in line:
        return None
    if targets is not None:
        aims = tuple([Target(int(x.strip(" #"))) for x in targets.split(",")])
        if word not in _EVENTS or not reason[0].isalnum() or len(set(aims)) != len(aims):
            return None
        return Short(opened is not None, date, time, word, None, reason, aims, int(number), (), ())
    if word not in _STATEMENTS or text[0] in SPACES or (note is not None and not names_entity(note, daily)):
        return None
    if "#" not in text and "[" not in text:
        return Short(opened is not None, date, time, word, note, text, (), int(number), (), ())
    if "::" in text or "(#" in text or text.startswith("[["):
        return None
    mentions, cites = mentions_and_cites(text, daily)
    return Short(opened is not None, date, time, word, note, text, (), int(number), mentions, cites)
