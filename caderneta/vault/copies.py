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
    r"conflicted[ ]copy|conflict[ ]copy|case[ ]conflict|unicode[ ]encoding[ ]conflict|selective[ ]sync[ ]conflict"
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
# A number, or a day, perhaps with an hour.
_COUNT = r"(?:[ ]?[0-9]{1,3}|[ ][0-9]{4}-?[0-9]{2}-?[0-9]{2}(?:[ T_-]?[0-9h.:_-]{4,8})?)"
_SAID = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        rf"(.+?) [(\[](?:[^()\[\]]*\b)?(?:{_WORDS})\b[^()\[\]]*[)\]]",
        r"(.+?) \((?:em )?conflitos? (?:de|do|da|com) [^()]+\)",
        rf"(.+?)[ .][(\[]?(?:conflict|conflicted|conflito){_COUNT}?[)\]]?",
        rf"(.+?)[ .-](?:{_WORDS}){_COUNT}?",
        r"(.+?)(?: -)? [(\[]?(?:copy|c[oó]pia)[)\]]?(?: ?\(?[0-9]{1,3}\)?)?",  # file managers: "x - Cópia (2)", "x copy 2"
        r"(?:copy of|c[oó]pia de) (.+)",  # and Google Drive
    )
)
_COUNTED = (
    re.compile(r"(.+) [0-9]{1,2}"),
    re.compile(r"(.+?) ?\([0-9]{1,2}\)"),
    re.compile(r"(.+)-(?:DESKTOP|LAPTOP|NOTEBOOK|WIN|PC)-[A-Z0-9]{3,}"),  # OneDrive adds the device's name
)
# Where letters' case, or their accents' bytes, are what the tool could not bear, the base differs in just that.
_ALIKE = re.compile(r"\b(?:case|unicode encoding) conflict\b", re.IGNORECASE)


class Suspect(NamedTuple):
    """A name that looks like a copy. ``proof``: "nome" the name is enough, "fato" a shared fact, "id" a shared id."""

    base: str
    proof: str


def key(path: str) -> str:
    """What is the same for paths that only differ in case or in how accents are written."""
    return unicodedata.normalize("NFC", path).casefold()


def suspect(path: str, exists: Callable[[str], bool], alike: Callable[[str], str | None] = lambda base: None) -> Suspect | None:
    """What a path would be a copy of, by its name; ``exists`` tells whether a note of that path is in the vault.

    ``alike`` names the note whose :func:`key` is that of a path which does not exist.
    """
    folder, slash, name = path.rpartition("/")
    stem, suffix = name[:-3], name[-3:]
    plain = unicodedata.normalize("NFC", stem)
    for patterns, proof in ((_SIGNED, "nome"), (_SAID, "fato"), (_COUNTED, "id")):
        for pattern in patterns:
            match = pattern.fullmatch(plain)
            if not match:
                continue
            base = folder + slash + _as_on_disk(stem, match[1]) + suffix
            if proof == "nome" or exists(base):
                return Suspect(base, proof)
            if _ALIKE.search(plain) and (other := alike(base)) is not None and other != path:
                return Suspect(other, proof)
    return None


def _as_on_disk(stem: str, part: str) -> str:
    """The piece of a name, at its beginning or its end, that keeps its bytes: composed or decomposed, as the disk has it."""
    pieces = (piece for n in range(len(stem) + 1) for piece in (stem[:n], stem[n:]))
    return next((piece for piece in pieces if unicodedata.normalize("NFC", piece) == part), part)


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
