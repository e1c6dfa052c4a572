"""Characters: what is a space, what is invisible, when two words are the same (§1, §2)."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

SPACES = "\t \u00a0\u1680\u2000-\u200a\u202f\u205f\u3000"  # inside a regex class
INVISIBLE = "\u00ad\u200b\u2060\ufeff\ufe0f\u200e\u200f"

_STRIP = "\t \u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u202f\u205f\u3000"
_SPACE_RUN = re.compile(f"[{SPACES}]+")
_NO_INVISIBLE = {ord(c): None for c in INVISIBLE}
_NOT_ASCII_SPACE = re.compile(f"[{SPACES.replace(' ', '')}]|  ")

# Letters that Unicode does not decompose into a base and a mark, for search only.
_SEARCH = str.maketrans({"ø": "o", "ł": "l", "đ": "d", "ß": "ss", "æ": "ae", "œ": "oe", "ħ": "h", "ı": "i", "þ": "th", "ð": "d"})

_LINE_LIKE = "\t\v\f\u0085\u2028\u2029"
# C0, C1, DEL, bidi embeddings, overrides and isolates, interlinear marks, tag characters (they carry hidden text).
_UNSAFE = "\x00-\x08\x0e-\x1f\x7f-\x84\x86-\x9f\u202a-\u202e\u2066-\u2069\ufff9-\ufffb\U000e0000-\U000e007f"
_SHOW_LINE_LIKE = re.compile(f"[{_LINE_LIKE}\n\r]")
_SHOW_UNSAFE = re.compile(f"[{_UNSAFE}]|[\ud800-\udfff]")
ODD = re.compile(f'[{_UNSAFE}\v\f\u0085\u2028\u2029{INVISIBLE.replace(chr(0xFE0F), "")}]|(?<=[ -"$-)+-/:-~])\ufe0f')
"""What a person cannot see and should be told of (VS16 after an emoji is everyday, so it is left out)."""


def strip(text: str) -> str:
    """Without §1's spaces at both ends (not ``str.strip``, which also takes line separators)."""
    return text.strip(_STRIP)


def collapse(text: str) -> str:
    """Trimmed, every run of §1's spaces one U+0020."""
    return _SPACE_RUN.sub(" ", text).strip(" ")


def without_invisible(text: str) -> str:
    """Without §1's invisible characters."""
    return text if text.isascii() else text.translate(_NO_INVISIBLE)


def without_accents(text: str) -> str:
    """Every combining mark gone: ``decisão`` → ``decisao``."""
    if text.isascii():
        return text
    return "".join(c for c in unicodedata.normalize("NFD", text) if not unicodedata.combining(c))


@lru_cache(maxsize=4096)
def fold_type(word: str) -> str:
    """How types and field keys compare: without case, accents and invisibles (§2)."""
    return without_accents(collapse(without_invisible(word)).lower())


@lru_cache(maxsize=65536)
def identity(name: str) -> str:
    """When two names are one entity (§2): NFC, no invisibles, spaces collapsed, lower case."""
    if name.isascii() and not _NOT_ASCII_SPACE.search(name):
        return name.strip(" ").lower()
    return unicodedata.normalize("NFC", collapse(without_invisible(name)).lower())


@lru_cache(maxsize=65536)
def fold_key(key: str) -> str:
    """When two keys are one (§5): identity, ``_`` as a space, accents folded."""
    return without_accents(identity(key.replace("_", " ")))


def fold_value(value: str) -> str:
    """When two values are equal (§5): NFC, collapsed spaces, lower case."""
    return unicodedata.normalize("NFC", collapse(value).lower())


def fold_search(text: str) -> str:
    """How words compare in search and in near-miss warnings: no case, no accents, no invisibles."""
    if text.isascii():
        return text.lower()
    return without_accents(without_invisible(text).lower()).translate(_SEARCH)


def visible(text: str) -> str:
    """What may be shown on any screen or generated file: one line, no control, no bidi override.

    Tabs and line separators become a space, every other unsafe character U+FFFD.
    """
    if text.isascii() and text.isprintable():
        return text
    return _SHOW_UNSAFE.sub("\ufffd", _SHOW_LINE_LIKE.sub(" ", text))


def tokens(text: str) -> int:
    """The size of a text as §7 counts it: ``ceil(UTF-8 bytes / 3)``."""
    return -(-len(text.encode("utf-8", "replace")) // 3)


def cut(text: str, limit: int = 240) -> str:
    """At most ``limit`` code points, ``…`` included, never before a combining mark, ZWJ or variation selector (§7)."""
    if len(text) <= limit:
        return text
    end = limit - 1
    while end > 0 and (_joins(text[end]) or text[end - 1] == "\u200d"):
        end -= 1
    return strip(text[:end]) + "…"


def _joins(char: str) -> bool:
    return char == "\u200d" or "\ufe00" <= char <= "\ufe0f" or unicodedata.combining(char) != 0


def split_lines(text: str) -> list[str]:
    """Physical lines: only LF and CRLF end one (§1). BOM dropped, a lone CR is a space, NUL is U+FFFD.

    A final line end does not open another line.
    """
    if text.startswith("\ufeff"):
        text = text[1:]
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", " ")
    if "\x00" in text:
        text = text.replace("\x00", "\ufffd")
    lines = text.split("\n")
    if not lines[-1]:
        lines.pop()
    return lines
