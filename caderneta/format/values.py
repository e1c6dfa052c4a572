"""The values every other floor speaks in: frozen, slotted, without behaviour beyond reading themselves.

Dates are ISO strings (``AAAA-MM-DD``), times ``HH:MM``: they sort as they are and cross to JSON untouched.
Lines are counted from 1, columns in code points from 1.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, NamedTuple

Stance = Literal["apoia", "contradiz", "cita", "fonte"]

# Bits of Fact.flags. One small integer instead of nine booleans keeps a million facts light.
EVENT = 1  # says something about another line (§3)
STRUCK = 2  # ~~riscada~~
TICKED = 4  # [x]
OWN_DATE = 8  # the date stands in the line itself, not in the file's name
OWN_SUBJECT = 16  # the opening link stands in the line itself
BAD_DATE = 32  # a date is written and cannot be read
NO_TARGETS = 64  # an event without leading targets (nesting may still give it one)
BAD_TARGETS = 128  # targets that cannot be read: acts on nothing
KEYED = 256  # `fato` with a key and a value (§5)


class Source(NamedTuple):
    """Where something stands: vault-relative path with ``/``, line from 1, column in code points from 1."""

    path: str
    line: int
    column: int = 1


class Target(NamedTuple):
    """What an event aims at: an id, or a block link, or (nesting) the line of a fact in the same file."""

    id: int | None = None
    note: str | None = None  # the note of a block link as written; "" is the same note
    block: str | None = None
    line: int | None = None


class Evidence(NamedTuple):
    """A child bullet of a statement (§5). ``fonte`` is evidence whose stance nobody stated."""

    stance: Stance
    text: str
    line: int
    cites: tuple[Target, ...] = ()  # `#41` or a block link in its text


class Relation(NamedTuple):
    """An edge (§6): link targets as written, the type in its canonical spelling."""

    source: str
    type: str
    target: str


@dataclass(frozen=True, slots=True)
class Extra:
    """What most lines do not have. Absent values are ``None`` or empty."""

    mentions: tuple[str, ...] = ()  # links that are not the subject, as written
    cites: tuple[Target, ...] = ()  # `#41` or a block link in mid-text
    start: str | None = None  # [de::]
    end: str | None = None  # [ate::], or a task's 📅
    by: str | None = None
    with_: str | None = None
    scope: str | None = None
    sources: tuple[str, ...] = ()
    key: str | None = None
    value: str | None = None
    relation: Relation | None = None
    evidence: tuple[Evidence, ...] = ()
    block: str | None = None  # the ^block id at the end of the line
    ticked_on: str | None = None  # ✅ date of a ticked task
    last_line: int = 0  # of a line an editor wrapped; 0: the same line
    subject_source: str = ""  # "titulo", "item", "cabecalho" when inherited


NO_EXTRA = Extra()


class Fact(NamedTuple):
    """One line that states something or says something about another line (§2, §3).

    ``subject`` is the link as written (its note, without heading or alias); which entity it is, the ledger decides.
    """

    id: int | None
    type: str
    date: str | None
    time: str | None
    subject: str | None
    text: str
    targets: tuple[Target, ...]
    path: str
    line: int
    column: int
    flags: int
    extra: Extra

    @property
    def source(self) -> Source:
        return Source(self.path, self.line, self.column)

    @property
    def is_event(self) -> bool:
        return bool(self.flags & EVENT)

    @property
    def is_task(self) -> bool:
        return self.type == "pendencia" or self.type == "bloqueio"

    @property
    def begins(self) -> str | None:
        """The day from which the line holds (§4): its `de`, else its date."""
        return self.extra.start or self.date


class Finding(NamedTuple):
    """Something a person should know about a place. The words live in ``checks``; here only code and particulars."""

    code: str
    path: str
    line: int
    column: int = 1
    ids: tuple[int, ...] = ()
    args: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Document:
    """One file, read. ``aliases`` come from its header, ``day`` from its name.

    ``hidden_id`` is the largest id on a line that does not count today but was meant, or may yet be (§8: the next id is
    one more than the largest in any line).
    """

    path: str
    facts: tuple[Fact, ...] = ()
    findings: tuple[Finding, ...] = ()
    aliases: tuple[str, ...] = ()
    day: str | None = None
    hidden_id: int = 0


@dataclass(frozen=True, slots=True)
class Settings:
    """The header of Caderneta.md (§1), every value with its default."""

    daily: str = "diario/**/AAAA-MM-DD.md"
    templates: str = "modelos/"
    ignore: tuple[str, ...] = ()
    types: tuple[str, ...] = ()
    relations: tuple[str, ...] = ()
    task_days: int = 30
    decision_days: int = 7
    max_tokens: int = 2500


DEFAULTS = Settings()
