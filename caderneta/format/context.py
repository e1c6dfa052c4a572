"""What stands around a line: the headings and list items it hangs from, and the subject it takes from them (§2)."""

from __future__ import annotations

import re

from caderneta.format.blocks import Blocks
from caderneta.format.inline import plain
from caderneta.format.line import read_head
from caderneta.format.links import is_entity, links, names_entity
from caderneta.format.statement import opening_link
from caderneta.format.text import SPACES, strip
from caderneta.format.vocabulary import Vocabulary

_AFTER_MARK = re.compile(rf"[{SPACES}]*(?:(?:[-*+]|[0-9]{{1,9}}[.)])[{SPACES}]+)+(?:\[[^\[\]]\][{SPACES}]+)?")


class Context:
    """The headings still open, and the links list items open with. Lines are told in order."""

    __slots__ = ("_blocks", "_daily", "_headings", "_item_links", "_lines", "_words", "header_subject")

    def __init__(self, lines: list[str], blocks: Blocks, words: Vocabulary, daily: str, entity: tuple[str, ...] | None) -> None:
        self._lines = lines
        self._blocks = blocks
        self._words = words
        self._daily = daily
        self._headings: list[tuple[int, str | None]] = []
        self._item_links: dict[int, str | None] = {}
        self.header_subject = self._from_header(entity)

    def _from_header(self, values: tuple[str, ...] | None) -> str | None:
        if not values:
            return None
        found = links(values[0])
        note = found[0].note if found else strip(values[0])
        return note if names_entity(note, self._daily) else None

    def heading(self, at: int) -> None:
        """A heading opens; one inside a list item encloses nothing outside it."""
        if self._blocks.item[at] >= 0:
            return
        text = self._lines[at].lstrip(" ")
        level = len(text) - len(text.lstrip("#"))
        while self._headings and self._headings[-1][0] >= level:
            self._headings.pop()
        link = next((x.note for x in links(plain(text)) if is_entity(x, self._daily)), None)
        self._headings.append((level, link))

    def inherited(self, item: int, begins: bool) -> tuple[str | None, str]:
        """The subject a line without its own takes: (the link, where it came from).

        ``item`` is the line's innermost list item (-1: none), ``begins`` whether the line begins it.
        """
        at = self._blocks.items[item].parent if begins and item >= 0 else item
        while at >= 0:
            link = self._item_link(at)
            if link:
                return link, "item"
            at = self._blocks.items[at].parent
        for _, link in reversed(self._headings):
            if link:
                return link, "titulo"
        return self.header_subject, "cabecalho" if self.header_subject else ""

    def _item_link(self, item: int) -> str | None:
        """The entity a list item opens with; of a fact, its text's opening link."""
        if item not in self._item_links:
            text = plain(self._lines[self._blocks.items[item].first])
            head = read_head(text, self._words)
            found = _AFTER_MARK.match(text)
            body = strip(head.body) if head else text[found.end() :] if found else ""
            self._item_links[item] = opening_link(body, self._daily)[0]
        return self._item_links[item]

    def around(self, at: int, item: int, begins: bool) -> int | None:
        """The first line of the list item around a line (§3), or ``None``."""
        if begins and item >= 0:
            item = self._blocks.items[item].parent
        if item < 0:
            return None
        first = self._blocks.items[item].first
        return None if first == at else first
