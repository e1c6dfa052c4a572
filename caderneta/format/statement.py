"""What a statement's text says beyond words: keyed values (§5), edges (§6), mentions and citations (§2)."""

from __future__ import annotations

import re

from caderneta.format.links import LINK, is_entity, links
from caderneta.format.text import SPACES, fold_type, identity, strip
from caderneta.format.values import Relation, Target

_S = f"[{SPACES}]"
_CITE = re.compile(r"(?<![0-9A-Za-zÀ-ɏ&/#_])#([0-9]{1,9})(?![0-9A-Za-zÀ-ɏ_])")
_EQUALS = re.compile(r"(?<![=<>!])=(?![=<>!])")
_EDGE = re.compile(rf"\[\[([^\[\]\n]*)\]\]{_S}*-{_S}*\[([^\[\]\n]+)\]{_S}*->{_S}*\[\[([^\[\]\n]*)\]\]")


def opening_link(text: str, daily: str) -> tuple[str | None, str]:
    """(the entity the text opens with, the text as ``texto`` shows it); the link is dropped only before a space or the end."""
    if not text.startswith("[["):
        return None, text
    first = links(text[: text.find("]]") + 2])
    if not first or first[0].start != 0 or not is_entity(first[0], daily):
        return None, text
    rest = text[first[0].end :]
    return first[0].note, strip(rest) if not rest or strip(rest[0]) == "" else text


def mentions_and_cites(text: str, daily: str) -> tuple[tuple[str, ...], tuple[Target, ...]]:
    """The entities a text names, each once, and the facts it cites (``#41`` or a block link), in order."""
    found: dict[str, str] = {}
    cites: list[Target] = []
    if "[[" in text:
        for link in links(text):
            if link.block is not None:
                cites.append(Target(note=link.note, block=link.block))
            if is_entity(link, daily):
                found.setdefault(identity(link.note), link.note)
        text = LINK.sub(lambda m: " " * len(m[0]), text)
    if "#" in text:
        cites.extend(Target(id=int(m[1])) for m in _CITE.finditer(text) if int(m[1]))
    return tuple(found.values()), tuple(dict.fromkeys(cites))


def keyed_value(text: str) -> tuple[str, str] | None:
    """``banco = SQLite`` → (key, value); ``None`` when no ``=`` separates two things (§5)."""
    found = _EQUALS.search(text)
    if not found:
        return None
    key, value = strip(text[: found.start()]), strip(text[found.end() :])
    return (key, value) if key and value else None


def edge(text: str, relations: dict[str, str], daily: str) -> tuple[Relation, str, bool] | None:
    """``[[A]] -[atende]-> [[B]] nota`` → (relation, what follows the second link, whether its type is known) (§6)."""
    found = _EDGE.match(text)
    if not found:
        return None
    ends = links(found[0])
    if len(ends) != 2 or not all(is_entity(end, daily) for end in ends):
        return None
    known = relations.get(fold_type(found[2]))
    return Relation(ends[0].note, known or strip(found[2]), ends[1].note), strip(text[found.end() :]), known is not None
