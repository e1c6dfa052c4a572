"""The short way: the canonical line with nothing unusual in it, which is most lines of most vaults (§2).

Whatever it does not match, the grammar of ``line`` reads; a property test holds that both read the same.
"""

from __future__ import annotations

import re
from sys import intern

from caderneta.format.dates import is_day
from caderneta.format.line import ONE_COLON
from caderneta.format.links import names_entity
from caderneta.format.statement import keyed_value, mentions_and_cites
from caderneta.format.text import INVISIBLE, SPACES
from caderneta.format.values import EVENT, KEYED, NO_EXTRA, OWN_DATE, OWN_SUBJECT, STRUCK, TICKED, Extra, Fact, Target
from caderneta.format.vocabulary import STATEMENTS

_ODD = f"\x00-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069\ufff9-\ufffb\ufdd0-\ufdef\U000e0000-\U000e007f{INVISIBLE}"
_PLAIN = rf"[^\[\]#~\\`<📅✅{_ODD}]"
_TEXT = rf"[^~\\`<📅✅{_ODD}]"  # links and citations too: they are looked at apart
_CANONICAL = re.compile(
    r"- (?:\[([ xX])\] )?(~~)?\[(?:([0-9]{4}-[0-9]{2}-[0-9]{2}) )?((?:[01][0-9]|2[0-3]):[0-5][0-9])\] ([a-z]+) :: "
    rf"(?:(?:\[\[([^\[\]#~\\`<|/:^📅✅{_ODD}]+)\]\] )?((?!#){_TEXT}+)(?<! )"
    rf"|(#[1-9][0-9]{{0,8}}(?:, #[1-9][0-9]{{0,8}})*) · ({_PLAIN}+)(?<! )) "
    rf"\(#([1-9][0-9]{{0,8}})\)(~~)?((?: \[(?:de|ate|por|com|escopo):: (?! ){_PLAIN}+(?<! )\])*)\Z"
)
_FIELD = re.compile(r" \[([a-z]+):: ([^\[\]]+)\]")
_FLAGS = {intern(word): 0 for word in STATEMENTS if word != "relacao"}
_FLAGS |= {intern(word): EVENT for word in ("supersede", "resolvido", "aposentado", "verificado")}
_TYPES = {word: word for word in _FLAGS}


def read_canonical(line: str, path: str, number: int, day: str | None, daily: str) -> Fact | None:
    """The fact of a canonical line, or ``None`` when the grammar has to read it.

    ``number`` is the line's, from 1; ``day`` the file's; ``daily`` the pattern of daily files. A subject that the line only
    inherits is left to the caller.
    """
    found = _CANONICAL.match(line)
    if found is None:
        return None
    box, opened, date, time, word, note, text, targets, reason, own_id, closed, tail = found.groups()
    flags = _FLAGS.get(word)
    if flags is None or opened != closed or (flags == EVENT) != (targets is not None) or "%%" in line:
        return None
    extra = NO_EXTRA
    if targets is not None:
        aims = tuple([Target(int(x.strip(" #"))) for x in targets.split(",")])
        if tail or not reason[0].isalnum() or len(set(aims)) != len(aims):
            return None
        text = reason
    else:
        if text[0] in SPACES or (note is not None and not names_entity(note, daily)):
            return None
        aims = ()
        if note is not None:
            note = intern(note.strip(" "))
            flags = OWN_SUBJECT
        pair = None
        if word == "fato":
            pair = keyed_value(text)
            if pair is None or note is None:
                return None  # each is a finding of its own
            flags |= KEYED
        if pair or tail or "#" in text or "[" in text:
            more = _extra(text, tail, daily, pair)
            if more is None:
                return None
            extra = more
    if box is not None and box != " ":
        flags |= TICKED
    if opened is not None:
        flags |= STRUCK
    if date is None:
        date = day
    elif is_day(date):
        flags |= OWN_DATE
    else:
        return None
    return Fact(int(own_id), _TYPES[word], date, intern(time), note, text, aims, path, number, 1, flags, extra)


def _extra(text: str, tail: str, daily: str, pair: tuple[str, str] | None) -> Extra | None:
    """What a canonical line says besides; ``None`` when the grammar has to say."""
    if "::" in text or ("(" in text and "#" in text) or text.startswith("[[") or ONE_COLON.search(text):
        return None
    mentions, cites = mentions_and_cites(text, daily) if "#" in text or "[" in text else ((), ())
    fields = dict(_FIELD.findall(tail)) if tail else {}
    start, end = fields.get("de"), fields.get("ate")
    if len(fields) != tail.count("::") or not all(d is None or is_day(d) for d in (start, end)):
        return None
    if not (mentions or cites or fields or pair):
        return NO_EXTRA
    key, value = pair or (None, None)
    return Extra(mentions, cites, start, end, fields.get("por"), fields.get("com"), fields.get("escopo"), (), key, value)
