"""The plural of Portuguese words, as a search needs it: generous, on folded words (no accents, lower case)."""

from __future__ import annotations

from functools import lru_cache

# Ending of a plural → what its singular may end in. The first fits more words.
_TO_SINGULAR = (
    ("oes", ("ao",)),
    ("aes", ("ao",)),
    ("aos", ("ao",)),
    ("ais", ("al", "ai")),
    ("eis", ("el", "il", "ei")),
    ("ois", ("ol", "oi")),
    ("uis", ("ul", "ui")),
    ("is", ("il", "i")),
    ("ns", ("m", "n")),
    ("res", ("r", "re")),
    ("zes", ("z", "ze")),
    ("ses", ("s", "se")),
    ("s", ("",)),
)
# The other way round; a word that fits none takes an s.
_TO_PLURAL = (
    ("ao", ("oes", "aes", "aos")),
    ("al", ("ais",)),
    ("el", ("eis",)),
    ("il", ("is", "eis")),
    ("ol", ("ois",)),
    ("ul", ("uis",)),
    ("m", ("ns",)),
    ("n", ("ns", "nes")),
    ("r", ("res",)),
    ("z", ("zes",)),
    ("s", ("ses",)),
)
_SHORTEST = 3


@lru_cache(maxsize=4096)
def variants(word: str) -> tuple[str, ...]:
    """A word and what may be its plural or singular, the word first. Short words and numbers stand alone."""
    if len(word) < _SHORTEST or not word.isalpha():
        return (word,)
    return tuple(dict.fromkeys((word, *_changed(word, _TO_SINGULAR), *(_changed(word, _TO_PLURAL) or [word + "s"]))))


def _changed(word: str, endings: tuple[tuple[str, tuple[str, ...]], ...]) -> list[str]:
    """The word with the first ending that fits replaced by each of its counterparts."""
    for ending, others in endings:
        stem = word.removesuffix(ending)
        if stem != word and len(stem) + len(others[0]) >= _SHORTEST - 1:
            return [stem + other for other in others]
    return []
