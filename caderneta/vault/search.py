"""Full-text search over the facts of a vault: SQLite FTS5 over words that this module cuts and folds itself.

FTS5 never sees what a person typed: a query becomes quoted words, so nothing in it is syntax (case R51). Accents and case
are folded on both sides; a word of the query also finds its Portuguese plural or singular. States are not kept in the
index: they are asked of the projection, once per match, before anything is cut off.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple
from unicodedata import normalize

from caderneta.format.text import fold_search, strip, without_invisible
from caderneta.format.values import Fact
from caderneta.ledger.fold import FUTURE, RETIRED, STANDING
from caderneta.ledger.projection import Projection
from caderneta.vault.files import VaultError
from caderneta.vault.plural import variants

if TYPE_CHECKING:
    import sqlite3

# Signs that belong to a word (C++, C#) and ids (#41) wear letters that folding never leaves behind.
_PLUS, _SHARP, _ID = "þ", "ð", "æ"
_TOKEN = re.compile(
    r"(?<![^\W_])#(?P<id>[0-9]{1,9})(?![^\W_])"
    r"|(?<![^\W_])(?P<number>[0-9]{1,3}(?:\.[0-9]{3})+)(?:,0+)?(?![^\W_])"
    r"|(?P<word>[^\W_]+)(?P<signs>[+#]+(?![^\W_]))?"
    r"|(?P<sign>[\U0001f000-\U0001faff\u2600-\u27bf])"
)
_CURRENCY = re.compile(r"(?<![^\W_])(?:r|us)?\$|(?<=[0-9]),0+(?![0-9])", re.I)
_SPECIAL = re.compile(r"[#+$0-9\U0001f000-\U0001faff\u2600-\u27bf]")
_WORD = re.compile(r"[^\W_]+")
_ONLY_ID = re.compile(r"\(?#?([0-9]{1,9})\)?\Z")
_MOST_WORDS = 32
_COLD = "frio"
_LONGEST_WORD = 64

_SCHEMA = """
CREATE TABLE fact (rowid INTEGER PRIMARY KEY, id INTEGER, path TEXT NOT NULL, line INTEGER NOT NULL,
                   type TEXT NOT NULL, day TEXT, subject TEXT NOT NULL, text TEXT NOT NULL, beside TEXT NOT NULL);
CREATE INDEX fact_id ON fact (id);
CREATE TABLE about (entity TEXT NOT NULL, fact INTEGER NOT NULL, PRIMARY KEY (entity, fact)) WITHOUT ROWID;
CREATE VIRTUAL TABLE words USING fts5 (subject, text, beside, content='fact', content_rowid='rowid',
                                       tokenize='unicode61 remove_diacritics 0');
"""
_RANKED = """
SELECT fact.path, fact.line, fact.id = :id AS own, holds(fact.rowid) AS holds
FROM words JOIN fact ON fact.rowid = words.rowid
WHERE words MATCH :query {filters}
ORDER BY own DESC, holds DESC, round(bm25(words, 2.0, 1.0, 0.5), 1), fact.day DESC, fact.id DESC, fact.path, fact.line
"""


@dataclass(frozen=True, slots=True)
class Filters:
    """What hits must be, besides matching. ``entity`` is a projection's key; ``cold`` lets in retired and cold lines."""

    standing: bool = False
    type: str | None = None
    entity: str | None = None
    cold: bool = False


EVERYTHING = Filters()


class Found(NamedTuple):
    """The hits, best first, at most ``limit``; how many there are in all; whether any word (not every one) had to do; how
    many more ``cold`` would let in."""

    hits: tuple[Fact, ...]
    total: int
    loose: bool
    retired: int = 0
    cold: int = 0


class Index:
    """The words of a vault's facts. Built from a projection; asked with :meth:`search`."""

    def __init__(self, held: Projection, facts: Iterable[Fact] | None = None) -> None:
        self.held = held
        self._db = _open()
        self._db.create_function("holds", 1, self._holds)
        self._facts: dict[int, Fact] = {}
        self._places: dict[tuple[str, int], Fact] = {}
        self._add(held.facts() if facts is None else facts)

    def search(self, query: str, filters: Filters = EVERYTHING, limit: int = 20) -> Found:
        """The facts that match a person's words, filtered, ranked, and only then cut at ``limit``. Never raises on a query."""
        groups = read_query(query)
        if not groups:
            return Found((), 0, False)
        only = _ONLY_ID.match(strip(query))
        number = int(only[1]) if only else None
        if number is not None:
            groups = [[[f"{_ID}{number}"], [str(number)]]]
        found = Found((), 0, False)
        for loose in (False, True) if len(groups) > 1 else (False,):
            matching = list(self._matching(_expression(groups, " OR " if loose else " AND "), number, filters))
            hits = [fact for fact in matching if filters.cold or not self._out_of_sight(fact)]
            kinds = [self._out_of_sight(fact) for fact in matching] if len(hits) < len(matching) else []
            found = Found(tuple(hits[:limit]), len(hits), loose, kinds.count(RETIRED), kinds.count(_COLD))
            if hits:
                return found
        return found._replace(loose=False)

    def close(self) -> None:
        """Gives the memory back."""
        self._db.close()

    def _matching(self, expression: str, number: int | None, filters: Filters) -> Iterator[Fact]:
        clauses, values = [], {"query": expression, "id": number}
        if filters.type is not None:
            clauses.append("AND fact.type = :type")
            values["type"] = filters.type
        if filters.entity is not None:
            clauses.append("AND EXISTS (SELECT 1 FROM about WHERE about.entity = :entity AND about.fact = fact.rowid)")
            values["entity"] = filters.entity
        for path, line, _, _ in self._db.execute(_RANKED.format(filters=" ".join(clauses)), values):
            fact = self._places[path, line]
            if self._wanted(fact, filters):
                yield fact

    def _wanted(self, fact: Fact, filters: Filters) -> bool:
        return not filters.standing or (not fact.is_event and self.held.status(fact).state == STANDING)

    def _out_of_sight(self, fact: Fact) -> str:
        """Why a line is shown only to who asks for such lines; empty for all others."""
        if self.held.status(fact).state == RETIRED:
            return RETIRED
        return _COLD if not fact.is_event and self.held.cold(fact) else ""

    def _holds(self, rowid: int) -> int:
        fact = self._facts[rowid]
        state = self.held.status(fact).state
        return 0 if fact.is_event else 2 if state == STANDING else 1 if state == FUTURE else 0

    def _add(self, facts: Iterable[Fact]) -> None:
        rows: list[tuple[object, ...]] = []
        about: list[tuple[str, int]] = []
        for rowid, fact in enumerate(facts, len(self._facts) + 1):
            self._facts[rowid] = self._places[fact.path, fact.line] = fact
            names, text, beside = searchable(self.held, fact)
            words = (" ".join(tokens(names)), " ".join(tokens(text)), " ".join(tokens(beside)))
            rows.append((rowid, fact.id, fact.path, fact.line, fact.type, fact.date, *words))
            about += [(entity, rowid) for entity in _entities(self.held, fact)]
        self._db.execute("BEGIN")
        self._db.executemany("INSERT INTO fact VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", rows)
        self._db.executemany("INSERT OR IGNORE INTO about VALUES (?, ?)", about)
        self._db.execute("INSERT INTO words (words) VALUES ('rebuild')")
        self._db.execute("COMMIT")


def _open() -> sqlite3.Connection:
    """An empty index. Raises VaultError where SQLite was built without full-text search."""
    import sqlite3

    db = sqlite3.connect(":memory:", isolation_level=None)
    try:
        db.executescript(_SCHEMA)
    except sqlite3.OperationalError as error:
        raise VaultError(f"O SQLite deste Python não faz busca por texto (FTS5): {error}.") from error
    return db


def searchable(held: Projection, fact: Fact) -> tuple[str, str, str]:
    """The texts a fact is found by: its subject's names, what it says, and what stands beside it (fields, evidence)."""
    extra = fact.extra
    aims = [f"#{t.id}" if aimed is None else f"#{aimed.id}" for t, aimed in held.targets_of(fact)] if fact.targets else []
    edge = extra.relation
    beside = [extra.scope, extra.by, extra.with_, *extra.sources, *(e.text for e in extra.evidence), *aims]
    if edge is not None:
        beside += [edge.type, edge.target]
    if fact.id is not None:
        beside.append(f"#{fact.id}")
    return f"{held.subject_name(fact) or ''} | {fact.subject or ''}", fact.text, " | ".join(b for b in beside if b)


def tokens(text: str) -> list[str]:
    """The words of a text as the index holds them: folded, numbers without thousands' dots, ``C++`` and ``#41`` whole."""
    if not text.isascii():
        text = normalize("NFC", without_invisible(text))
    if not _SPECIAL.search(text):
        return [_fold(word) for word in _WORD.findall(text)]
    return [_token(found) for found in _TOKEN.finditer(_CURRENCY.sub(" ", text))]


def _token(found: re.Match[str]) -> str:
    if found["id"]:
        return f"{_ID}{int(found['id'])}"
    if found["number"]:
        return found["number"].replace(".", "")
    if found["sign"]:
        return f"{_SHARP}{ord(found['sign']):x}"
    return _fold(found["word"]) + (found["signs"] or "").replace("+", _PLUS).replace("#", _SHARP)[:4]


@lru_cache(maxsize=65536)
def _fold(word: str) -> str:
    return fold_search(word[:_LONGEST_WORD])


def read_query(query: str) -> list[list[list[str]]]:
    """What a person typed → the things that must all match; each is alternatives, and each alternative words in a row.

    A quoted piece, or one that punctuation cuts (``pré-venda``, ``d'Ávila``), is a phrase; ``dec*`` is a beginning.
    """
    out: list[list[list[str]]] = []
    for quoted, piece in re.findall(r'"([^"]+)"|(\S+)', query[:4000]):
        words = tokens(quoted or piece)
        if not words:
            continue
        if piece.endswith("*") and len(words) == 1:
            out.append([[words[0] + "*"]])
        else:
            out.append([[*words[:-1], last] for last in variants(words[-1])])
    return out[:_MOST_WORDS]


def _expression(groups: list[list[list[str]]], joint: str) -> str:
    return joint.join("(" + " OR ".join(_phrase(words) for words in group) + ")" for group in groups)


def _phrase(words: list[str]) -> str:
    if words[-1].endswith("*"):
        return f'"{words[-1][:-1]}"*'
    return '"' + " ".join(words) + '"'


def _entities(held: Projection, fact: Fact) -> set[str]:
    """Every entity a fact is about or names; an event's are those of what it aims at."""
    around = [aimed for _, aimed in held.targets_of(fact) if aimed is not None] if fact.targets else []
    links = [f.subject for f in (fact, *around) if f.subject] + list(fact.extra.mentions)
    if fact.extra.relation is not None:
        links.append(fact.extra.relation.target)
    return {held.entities.key(link) for link in links}
