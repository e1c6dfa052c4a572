"""The fold: what state a line is in on a day (§3, §4). The rules alone; where lines are found is the projection's business.

One rule gives all the rest: an event acts only while it is itself alive.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from typing import NamedTuple, Protocol

from caderneta.format.text import collapse, fold_type
from caderneta.format.values import BAD_TARGETS, OWN_DATE, OWN_SUBJECT, TICKED, Extra, Fact, Target

SUPERSEDED, RETIRED, RESOLVED, FUTURE, EXPIRED, STANDING, AMBIGUOUS = (
    "superado",
    "aposentado",
    "resolvido",
    "futuro",
    "vencido",
    "vigente",
    "ambiguo",
)
_FIRST_DAY, _LAST_DAY = "0000-00-00", "9999-99-99"
_ERROR_REASON = re.compile(r"erro(?::|\Z)")


class Status(NamedTuple):
    """A line's state on the day asked, and the live event that caused it (none for a tick, a date, or nothing)."""

    state: str
    cause: Fact | None = None


class Lookup(Protocol):
    """What the fold asks of whoever holds the lines."""

    today: str

    def status(self, fact: Fact) -> Status: ...
    def copies(self, fact: Fact) -> Sequence[Fact]: ...
    def is_ambiguous(self, fact: Fact) -> bool: ...
    def events_on(self, fact: Fact) -> Sequence[Fact]: ...
    def in_circle(self, event: Fact) -> bool: ...
    def number(self, fact: Fact) -> int | None: ...


def order(fact: Fact, number: int | None = None) -> tuple[int, str, str, int]:
    """§3's order: by id; unnumbered lines after all numbered ones, by date, file, line."""
    return (fact.id if number is None else number) or 1 << 60, fact.date or _FIRST_DAY, fact.path, fact.line


def oldest(fact: Fact) -> tuple[str, str, int]:
    """Which of several copies counts: the oldest, then file and line. A copy without a date is no original."""
    return fact.date or _LAST_DAY, fact.path, fact.line


def content(fact: Fact) -> tuple[object, ...]:
    """What makes two lines with one id the same fact (§3): never the time; date and subject only where the line writes them."""
    extra = fact.extra
    return (
        fact.type,
        _normal(fact.text),
        tuple(t if t.line is None else Target() for t in fact.targets),
        fact.date if fact.flags & OWN_DATE else None,
        fact.subject if fact.flags & OWN_SUBJECT else None,
        (extra.start, extra.end, extra.by, extra.with_, extra.scope, extra.sources, extra.relation),
        tuple((e.stance, _normal(e.text)) for e in extra.evidence),
    )


def _normal(text: str) -> str:
    return unicodedata.normalize("NFC", collapse(text))


def never_was_true(event: Fact) -> bool:
    """Whether a `supersede` says its target never was true: its reason is `erro`, alone or before a colon (§3)."""
    return event.type == "supersede" and bool(_ERROR_REASON.match(fold_type(event.text[:40])))


def acts_from(event: Fact, target: Fact) -> str:
    """The day from which an event acts on a target (§3)."""
    if never_was_true(event) and target.is_event:
        return _FIRST_DAY  # an event that never was true acted on no day, not even, looking back, before its own
    if event.date is None or never_was_true(event):
        return target.begins or _FIRST_DAY
    return event.date


def reaches(event: Fact, target: Fact, number: int | None, by_id: bool) -> str | None:
    """Why an event cannot act on a target at all (a finding's code), or ``None`` when it can (§3).

    ``number`` is the event's own id as it counts; ``by_id`` says it aims by ``#n`` rather than by nesting or block link.
    """
    if event.path == target.path and event.line == target.line:
        return "CAD204"
    if by_id and number is not None and target.id is not None:
        if target.id == number:
            return "CAD204"
        if target.id > number:
            return "CAD205"
    if event.type == "resolvido" and not target.is_task:
        return "CAD208"
    if event.type in ("aposentado", "verificado", "sintese") and target.is_event:
        return "CAD224"
    return None


def status_of(fact: Fact, look: Lookup) -> Status:
    """The first of §4's states that applies to a fact on ``look.today``."""
    if look.is_ambiguous(fact):
        return Status(AMBIGUOUS)
    events = look.events_on(fact)
    if events:
        cause = earliest(fact, events, "supersede", look)
        if cause is not None:
            return Status(SUPERSEDED, cause)
        if not fact.is_event:
            cause = earliest(fact, events, "aposentado", look)
            if cause is not None:
                return Status(RETIRED, cause)
    if fact.is_task:
        cause = earliest(fact, events, "resolvido", look) if events else None
        if cause is not None or closed_by_tick(fact, events, look):
            return Status(RESOLVED, cause)
    return Status(by_date(fact, look.today))


def by_date(fact: Fact, today: str) -> str:
    """``futuro``, ``vencido`` or ``vigente``: what is left when no event speaks (§4)."""
    begins = fact.begins
    if begins is not None and begins > today:
        return FUTURE
    end = fact.extra.end
    if end is not None and end < today and not fact.is_task:
        return EXPIRED
    return STANDING


def earliest(target: Fact, events: Sequence[Fact], kind: str, look: Lookup) -> Fact | None:
    """The live event of a kind that acts on the target: earliest effective day, then §3's order."""
    acting = [e for e in events if e.type == kind and acts(e, target, look)]
    if not acting:
        return None
    return min(acting, key=lambda e: (acts_from(e, target), order(e, look.number(e))))


def acts(event: Fact, target: Fact, look: Lookup) -> bool:
    """Whether an event that aims at a target acts on it on ``look.today``: it is alive, and its day has come."""
    if event.flags & BAD_TARGETS or look.in_circle(event):
        return False
    state = look.status(event).state
    if state != STANDING and not (state == FUTURE and never_was_true(event)):
        return False
    return acts_from(event, target) <= look.today


def closed_by_tick(task: Fact, events: Sequence[Fact], look: Lookup) -> bool:
    """``[x]`` on any copy closes a task while no `resolvido`, alive or dead, aims at it (§3)."""
    if any(e.type == "resolvido" for e in events):
        return False
    return any(
        copy.flags & TICKED and (copy.extra.ticked_on or task.begins or _FIRST_DAY) <= look.today for copy in look.copies(task)
    )


def guard(extra: Extra) -> str | None:
    """What §5's guard says of a statement's evidence: ``None`` verified is allowed, else a finding's code.

    CAD223 is a warning: it is allowed, on evidence whose stance nobody stated.
    """
    stances = [e.stance for e in extra.evidence] + ["fonte"] * len(extra.sources)
    if "contradiz" in stances or not ("apoia" in stances or "fonte" in stances):
        return "CAD217"
    return None if "apoia" in stances else "CAD223"
