"""The words of the format: types, events, evidence, relations, fields (§2, §3, §5, §6)."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from caderneta.format.text import fold_type
from caderneta.format.values import DEFAULTS, Settings

STATEMENTS = ("decisao", "pendencia", "bloqueio", "mudanca", "observacao", "experimento", "feedback", "fato", "relacao")
EVENTS = ("supersede", "resolvido", "verificado", "aposentado", "sintese")
EVIDENCE = ("apoia", "contradiz", "cita", "fonte")
RELATIONS = (
    "pertence a",
    "depende de",
    "bloqueado por",
    "deriva de",
    "alimenta",
    "consome",
    "implementa",
    "documenta",
    "opera",
    "usa",
    "atende",
)
FIELDS = ("de", "ate", "por", "com", "escopo", "fonte")

# Everyday words that are events only when they have a target (§3). Ending in "o", any gender and number.
_WORDS = {
    "supersede": ("superado", "caiu", "cancelado", "revogado", "morreu"),
    "resolvido": ("feito", "pago", "concluido", "entregue"),
    "verificado": ("conferido",),
}

Kind = Literal["statement", "event", "word", "evidence"]


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """Folded spelling → canonical type and what kind of word it is; folded relation → canonical relation."""

    words: dict[str, tuple[str, Kind]]
    relations: dict[str, str]


def _forms(word: str) -> list[str]:
    if word.endswith(("do", "to", "go")):
        return [word, word[:-1] + "a", word + "s", word[:-1] + "as"]
    return [word, word + "s"] if word == "entregue" else [word]


@lru_cache(maxsize=16)
def vocabulary(settings: Settings = DEFAULTS) -> Vocabulary:
    """The words a vault understands: the format's own plus the statement types and relations its settings add."""
    words: dict[str, tuple[str, Kind]] = {}
    for name in settings.types:
        words[fold_type(name)] = (fold_type(name), "statement")
    for word in EVIDENCE:
        words[word] = (word, "evidence")
    for event, everyday in _WORDS.items():
        for word in everyday:
            words.update(dict.fromkeys(_forms(word), (event, "word")))
    for event in EVENTS:
        words.update(dict.fromkeys(_forms(event), (event, "event")))
    words.update({name: (name, "statement") for name in STATEMENTS})
    relations = {fold_type(name): name for name in (*settings.relations, *RELATIONS)}
    return Vocabulary(words, relations)
