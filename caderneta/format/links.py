"""Wikilinks: which note they name, and which of them name an entity (§2)."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

from caderneta.format.dates import ImpossibleDay, day_of
from caderneta.format.text import strip, without_invisible

LINK = re.compile(r"(!?)\[\[([^\[\]\n]*)\]\]")
_ALIAS = re.compile(r"\\?\|")
_ATTACHMENT = re.compile(
    r"\.(?:png|jpe?g|gif|bmp|svg|webp|avif|heic|pdf|mp3|m4a|wav|ogg|flac|3gp|mp4|mov|mkv|webm|ogv|canvas|base|zip|docx?|xlsx?|pptx?|odt|ods|odp|csv|txt)\Z",
    re.I,
)


class Link(NamedTuple):
    """One ``[[…]]``: the note as written (no heading, no alias), the block it names, and where it stands in the text."""

    note: str
    block: str | None
    embed: bool
    start: int
    end: int


def links(text: str) -> list[Link]:
    """Every wikilink of a text, in order. A stray ``[[`` opens nothing."""
    if "[[" not in text:
        return []
    found = []
    for match in LINK.finditer(text):
        target = _ALIAS.split(match[2], maxsplit=1)[0]
        note, _, anchor = target.partition("#")
        block = anchor.rpartition("^")[2] if "^" in anchor else None
        found.append(Link(strip(note), strip(block) if block else None, bool(match[1]), match.start(), match.end()))
    return found


def is_entity(link: Link, daily: str) -> bool:
    """Whether a link names an entity: not an embed, an attachment, a daily file or a place in the same note.

    ``daily`` is the settings' pattern of daily files; a bare ``[[2026-07-09]]`` is one too.
    """
    return not link.embed and names_entity(link.note, daily)


@lru_cache(maxsize=65536)
def names_entity(note: str, daily: str) -> bool:
    """The same for a note's name alone."""
    name = strip(without_invisible(note))
    if not name.strip("/") or _ATTACHMENT.search(name):
        return False
    path = name if name.lower().endswith(".md") else name + ".md"
    base = daily.rpartition("/")[2]
    try:
        return day_of(path, daily) is None and day_of(path.rpartition("/")[2], base) is None
    except ImpossibleDay:
        return False
    except ValueError:  # the date is spread over folders: only the whole path can tell
        return True
