"""Entities by the names people type: which one is meant, or why that cannot be told (§2)."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from difflib import get_close_matches

from caderneta.format.text import fold_search, identity, visible
from caderneta.ledger.entities import stem
from caderneta.ledger.projection import Projection

_SHOWN = 3


def claimants(held: Projection, name: str) -> list[str]:
    """The notes a name may mean when it does not say which: bare, or with a folder that none or several of them fit."""
    found = held.entities.claimants(name)
    if found or "/" not in name.strip("/") or "/" in held.entities.key(name):
        return found
    bare = stem(name.strip("/"))
    return [path for path in held.entities.claimants(bare) if identity(stem(path)) == identity(bare)]


def which(name: str, notes: Sequence[str]) -> str:
    """That a name may mean several notes, and which they are."""
    bare = stem(name.strip("/"))
    told = ", ".join(visible(path) for path in notes[:_SHOWN]) + (", …" if len(notes) > _SHOWN else "")
    many = "duas" if len(notes) == 2 else str(len(notes))
    if identity(stem(notes[0])) == identity(bare):
        return f"Há {many} notas chamadas {visible(bare)} ({told})."
    return f"{many.capitalize()} notas têm o apelido {visible(bare)} ({told})."


def advice(name: str, notes: Sequence[str], before: str = "", *, in_link: bool = False) -> str:
    """How to say which of several notes is meant: after the words ``before`` of a command, or as a wikilink."""
    of_one_name = identity(stem(notes[0])) == identity(stem(name.strip("/")))
    paths = [path[:-3] if path.lower().endswith(".md") else path for path in notes]
    if not of_one_name and len({identity(stem(path)) for path in notes}) == len(notes):
        what, one = "o nome da nota", stem(notes[0])
    else:
        what, one = "a pasta", next((path for path in paths if "/" in path), paths[0])
    return f"Diga {what}: [[{one}]]" if in_link else f"Diga {what}: {before} {shlex.quote(one)}"


def in_no_folder(name: str, notes: Sequence[str]) -> str | None:
    """How to mean the one of several notes of a name that stands in no folder, where there is one: ``/Nome``."""
    found = next((path for path in notes if "/" not in path), None)
    return f"/{stem(found)}" if found and identity(stem(found)) == identity(stem(name.strip("/"))) else None


def typed(held: Projection, key: str) -> str:
    """What to type to mean an entity: its name, with the folder when two notes have that name."""
    return (held.entities.note_path(key) or key) if "/" in key else held.entity_name(key)


def near(held: Projection, name: str) -> list[str]:
    """Known names a person may have meant by one that nobody wrote: a slip away, else holding its words, else alike."""
    entities = held.entities
    keys = entities.similar(name)
    if not keys:
        words = fold_search(stem(name)).split()
        folded: dict[str, str] = {}
        for key in entities.known():
            folded.setdefault(fold_search(stem(key)), key)
        keys = [folded[other] for other in sorted(folded) if words and all(word in other.split() for word in words)]
        if not keys and words:
            keys = [folded[other] for other in get_close_matches(" ".join(words), folded, _SHOWN, 0.7)]
    return list(dict.fromkeys(typed(held, key) for key in keys[:_SHOWN]))
