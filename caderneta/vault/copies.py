"""Conflict copies of sync tools (format §1): known by their names, never read as facts.

Some tools sign their copies (a device, a date and an hour): such a name is proof enough. Others leave names that
people also give (`x 2.md`, `x (1).md`, `x (conflito de Fulana).md`): those are copies only beside their base, and
only when the two share facts.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable
from typing import NamedTuple

from caderneta.format.values import Document, Fact, Finding

_DAY = r"[0-9]{4}-?[0-9]{2}-?[0-9]{2}"
_WORDS = (
    r"conflicted[ ]copy|conflict[ ]copy|case[ ]conflict"
    r"|c[oó]pia[ ]em[ ]conflito|c[oó]pia[ ]conflitante|c[oó]pia[ ]conflituosa|c[oó]pia[ ]de[ ]conflito"
)

_SIGNED = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        r"(.+)\.sync-conflict-[0-9]{8}-[0-9]{6}(?:-[A-Z0-9]+)?",  # Syncthing
        # Obsidian Sync, Dropbox, Nextcloud, and their Portuguese wordings: the words and a day in the brackets
        rf"(.+?) \((?=[^()]*{_DAY})[^()]*\b(?:{_WORDS})\b[^()]*(?:\([0-9]+\))?[^()]*\)(?: \([0-9]+\))?",
        rf"(.+?)[_-]conflict-{_DAY}-[0-9]{{6}}",  # ownCloud
        rf"(.+?) \(SFConflict [^()]*{_DAY}[^()]*\)",  # Seafile
    )
)
_SAID = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        rf"(.+?) [(\[](?:[^()\[\]]*\b)?(?:{_WORDS})\b[^()\[\]]*[)\]]",
        r"(.+?) \((?:em )?conflitos? (?:de|do|da|com) [^()]+\)",
        r"(.+?)[ .][(\[]?(?:conflict|conflicted|conflito)[)\]]?",
    )
)
_COUNTED = tuple(re.compile(pattern) for pattern in (r"(.+) [0-9]{1,2}", r"(.+?) ?\([0-9]{1,2}\)"))


class Suspect(NamedTuple):
    """A name that looks like a copy. ``proof``: "nome" the name is enough, "fato" a shared fact, "id" a shared id."""

    base: str
    proof: str


def suspect(path: str, exists: Callable[[str], bool]) -> Suspect | None:
    """What a path would be a copy of, by its name; ``exists`` tells whether a note of that path is in the vault."""
    folder, slash, name = path.rpartition("/")
    stem, suffix = name[:-3], name[-3:]
    plain = unicodedata.normalize("NFC", stem)
    for patterns, proof in ((_SIGNED, "nome"), (_SAID, "fato"), (_COUNTED, "id")):
        for pattern in patterns:
            match = pattern.fullmatch(plain)
            if not match:
                continue
            # The base keeps the bytes of this very name: composed or decomposed, as the disk has it.
            kept = next((n for n in range(len(stem) + 1) if unicodedata.normalize("NFC", stem[:n]) == match[1]), 0)
            base = folder + slash + stem[:kept] + suffix
            if proof == "nome" or exists(base):
                return Suspect(base, proof)
    return None


def is_copy(proof: str, copy: Document, base: Document) -> bool:
    """Whether the contents confirm what the name says. ``copy`` was parsed under the base's path."""
    if proof == "nome":
        return True
    if {fact.id for fact in copy.facts if fact.id} & {fact.id for fact in base.facts if fact.id}:
        return True
    return proof == "fato" and not _lines(copy).isdisjoint(_lines(base))


def copy_finding(path: str, base_path: str, copy: Document, base: Document | None) -> Finding:
    """The CAD304 of a copy. ``args``: the base ("" when there is none), then each text that stands only in the copy.

    ``ids`` are the ids of those lines. ``copy`` was parsed under the base's path, so both have the same day.
    """
    known = _lines(base) if base else set()
    only = [fact for fact in copy.facts if _line(fact) not in known]
    texts = (f"{f'#{fact.id} ' if fact.id else ''}{fact.type}: {fact.text}" for fact in only)
    ids = tuple(dict.fromkeys(fact.id for fact in only if fact.id))
    return Finding("CAD304", path, 1, ids=ids, args=(base_path if base else "", *texts))


def _lines(document: Document) -> set[tuple[object, ...]]:
    return {_line(fact) for fact in document.facts}


def _line(fact: Fact) -> tuple[object, ...]:
    """What a line says, wherever it stands."""
    targets = tuple((target.id, target.note, target.block) for target in fact.targets)
    evidence = tuple((item.stance, item.text) for item in fact.extra.evidence)
    return fact.id, fact.type, fact.date, fact.time, fact.subject, fact.text, targets, evidence
