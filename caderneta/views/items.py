"""A fact as one line of ESTADO.md: id, date, subject, text, deadline, who, note (§7)."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping

from caderneta.format.values import Fact
from caderneta.ledger.index import newest
from caderneta.ledger.projection import Projection
from caderneta.views.budget import Line
from caderneta.views.facts import entity_link, note_link, ref, shown_statement, subject_link
from caderneta.views.shown import link, ranges, words

Groups = Mapping[str | None, list[Fact]]
SHORT = 120  # code points of a text in a line that tells of many
_WHO = 60
_PLAIN_PLACE = re.compile(r"[0-9A-Za-zÀ-ɏ][^\[\]:]*:[0-9]+\Z")


def shown_ref(fact: Fact) -> str:
    """A fact's id, or its place when it has none: the beginning of a line, where a file's name may not pass for a fact."""
    if fact.id is not None:
        return f"#{fact.id}"
    shown = words(ref(fact), SHORT)
    return shown if _PLAIN_PLACE.match(shown) else f"«{shown}»"


def when_and_where(projection: Projection, fact: Fact) -> tuple[str, str]:
    """A fact's date and the note it stands in. In the daily note of its date, the date is the link: one thing said once."""
    note = note_link(projection, fact)
    if fact.date is not None and note == link(fact.date):
        return note, ""
    return fact.date or "sem data", note


def item(projection: Projection, fact: Fact, more: str = "", limit: int = 240) -> Line:
    """A fact as one line; ``more`` is what its section has to add."""
    when, where = when_and_where(projection, fact)
    parts = (shown_ref(fact), when, subject_link(projection, fact), shown_statement(projection, fact, limit))
    says = " ".join(x for x in parts if x)
    return Line("- " + " · ".join(x for x in (says, *particulars(projection, fact), more, where) if x), (fact,))


def particulars(projection: Projection, fact: Fact) -> Iterator[str]:
    """What a line says besides its text: deadline or validity, scope, who, whether it was verified."""
    extra, today = fact.extra, projection.today
    if extra.start is not None and extra.start != fact.date:
        yield f"desde {extra.start}" if extra.start <= today else f"a partir de {extra.start}"
    if extra.end is not None:
        if extra.end >= today:
            yield f"até {extra.end}"
        elif fact.is_task:
            yield f"**{'atrasado' if fact.type == 'bloqueio' else 'atrasada'}** (até {extra.end})"
        else:
            yield f"venceu em {extra.end}"
    if extra.scope:
        yield f"escopo {words(extra.scope, _WHO)}"
    if extra.with_:
        yield f"com {words(extra.with_, _WHO)}"
    if extra.by:
        yield f"por {words(extra.by, _WHO)}"
    if not fact.is_event and projection.verified(fact):
        yield "verificado"


def is_overdue(fact: Fact, today: str) -> bool:
    """Whether an open task's deadline has passed."""
    return fact.extra.end is not None and fact.extra.end < today


def older_tasks(projection: Projection, is_older: Callable[[Fact], bool]) -> Iterator[Line]:
    """Open tasks too old to be told one by one: a line per subject, with their count, every id, and the oldest (§7).

    The subjects last moved come first; tasks without one, last.
    """
    for key in _order(projection):
        older = [task for task in projection.open_about(key) if is_older(task)]
        if len(older) == 1:
            yield item(projection, older[0], limit=SHORT)
        elif older:
            yield _group(projection, key, older)


def _order(projection: Projection) -> Iterator[str | None]:
    waiting = projection.open_entities()
    for key in projection.recent_subjects():
        if key in waiting:
            waiting.remove(key)
            yield key
    yield from sorted(key for key in waiting if key is not None)
    if None in waiting:
        yield None


def _group(projection: Projection, key: str | None, tasks: list[Fact]) -> Line:
    oldest = min(tasks, key=newest)
    when, where = when_and_where(projection, oldest)
    name = "sem assunto" if key is None else entity_link(projection, key)
    numbered = [task.id for task in tasks if task.id is not None]
    bare = len(tasks) - len(numbered)
    ids = " e ".join(x for x in (ranges(numbered), f"{bare} sem número" if bare else "") if x)
    says = f"a mais antiga {shown_ref(oldest)} {when} {shown_statement(projection, oldest, SHORT)}"
    return Line(f"- {name} {len(tasks)}: {ids} · " + " · ".join(x for x in (says, where) if x), (oldest,), len(tasks))
