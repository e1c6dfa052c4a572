"""How words of a vault are shown in a generated note: one line, readable, unable to be anything but words (§7).

A shown text always stands in the middle of a line, so nothing it says can begin a heading, a list, a fence, a table or a
header. What is left are the marks that act inside a line. Each is made harmless in the way that reads best:

- a code span (with single backticks, and no query in it) and a wikilink stay as they are: they are useful and hold nothing else;
- what Markdown lets one escape gets a backslash: other backticks, ``*``, ``~~``, stray ``[[``, ``](``, footnotes, HTML, ``&x;``;
- what acts in spite of a backslash (Obsidian's ``%%`` ``$$`` and embeds, Dataview's ``::``) is parted by a space: ``% %``;
- a spaced ``·`` becomes ``•``, since ``·`` is how these notes part what a line says from what they say about it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache

from caderneta.format.text import collapse, cut, visible

_SPAN = r"(?<!`)`[^`]+`(?!`)"
_QUERY = ("`=", "`$=")  # Dataview runs these
_LINK = r"\[\[(?:(?!%%|::|\$\$|~~|\\(?!\|))[^\[\]`<>*])+\]\]"
_PARTED = r"%(?=%)|\$(?=\$)|:(?=:)|!(?=\[\[)"
_ESCAPED = (
    r"[`*]|\\(?=[!-/:-@\[-`{-~]|\Z)|~(?=~)|(?<=~)~|\[(?=[\[^])|(?<=\[)\[|(?<=!)\[|(?<=\])\(|(?<= )\^|\^(?=\[)"
    r"|<(?=[A-Za-z/!?])|&(?=\#?[0-9A-Za-z]+;)"
)
_DOT = r"(?<![^ ])·(?![^ ])"
_MARK = re.compile(f"(?P<span>{_SPAN})|(?P<link>{_LINK})|(?P<parted>{_PARTED})|(?P<dot>{_DOT})|(?P<escaped>{_ESCAPED})")
_ACTING = re.compile(r"[`*<&\\%$:!\[~^·\]]")  # without any of these, nothing acts
_IN_SPAN = re.compile(_PARTED)
_NAME = re.compile(r"(?:(?!%%|::|\$\$|~~)[^\[\]`<>\\*|#^])+\Z")
_LONGEST_NAME = 120
_MOST_IDS = 40


def words(text: str, limit: int = 240) -> str:
    """A text of the vault as a generated note shows it: at most ``limit`` of its code points, every mark harmless."""
    shown = cut(collapse(visible(text)), limit)
    return _MARK.sub(_harmless, shown) if _ACTING.search(shown) else shown


def _harmless(found: re.Match[str]) -> str:
    mark = found[0]
    kind = found.lastgroup
    if kind == "span" and mark.startswith(_QUERY):
        return "\\`" + _MARK.sub(_harmless, mark[1:-1]) + "\\`"
    if kind == "span":
        return _IN_SPAN.sub(r"\g<0> ", mark)
    if kind == "link":
        return mark.replace("\\|", "|")
    if kind == "parted":
        return mark + " "
    return "•" if kind == "dot" else "\\" + mark


@lru_cache(maxsize=4096)
def link(name: str, path: str = "") -> str:
    """An entity or a note as a wikilink; a name that no wikilink can hold, in quotes.

    ``path`` tells apart two notes of one name: the link goes by it.
    """
    name = collapse(visible(name))
    if len(name) > _LONGEST_NAME or not _NAME.match(name):
        return f"«{words(name, _LONGEST_NAME)}»"
    if "/" in path and _NAME.match(path) and path == visible(path):
        return f"[[{path}|{name}]]"
    return f"[[{name}]]"


def ranges(ids: Iterable[int]) -> str:
    """``#1, #4–#9``: ids in ascending order, three or more in a row as a range, at most 40 entries, then ``+N`` (§7)."""
    entries: list[list[int]] = []
    for number in sorted(set(ids)):
        if entries and number == entries[-1][-1] + 1:
            entries[-1].append(number)
        else:
            entries.append([number])
    parts: list[tuple[str, int]] = []
    for run in entries:
        if len(run) > 2:
            parts.append((f"#{run[0]}–#{run[-1]}", len(run)))
        else:
            parts += [(f"#{number}", 1) for number in run]
    shown = ", ".join(text for text, _ in parts[:_MOST_IDS])
    left = sum(count for _, count in parts[_MOST_IDS:])
    return f"{shown} +{left}" if left else shown


def count(number: int, one: str, many: str) -> str:
    """``1 pendência``, ``3 pendências``."""
    return f"{number} {one if number == 1 else many}"
