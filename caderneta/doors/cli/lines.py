"""A fact as terminals show it: one item of coloured pieces, its state beside it."""

from __future__ import annotations

from caderneta.doors.cli.text import Piece
from caderneta.format.text import cut
from caderneta.format.values import Fact
from caderneta.ledger.fold import AMBIGUOUS, EXPIRED, FUTURE, RESOLVED, RETIRED, STANDING, SUPERSEDED, Status
from caderneta.ledger.projection import Projection
from caderneta.views.facts import label, ref, statement

_STYLES = {SUPERSEDED: "red", RESOLVED: "green", RETIRED: "dim", AMBIGUOUS: "yellow", FUTURE: "cyan", EXPIRED: "yellow"}


def item(held: Projection, fact: Fact, *, beside: bool = True) -> list[Piece]:
    """One fact in one line: id, date, type, subject, text and, ``beside`` it, its state and its place."""
    subject = held.subject_name(fact)
    dead = held.status(fact).state in (SUPERSEDED, RESOLVED, RETIRED)
    pieces: list[Piece] = [(ref(fact), "bold"), " ", (fact.date or "sem data", "dim"), " "]
    if not fact.is_event:
        pieces += [(label(fact.type), "magenta"), " "]
    if subject:
        pieces += [(f"[[{subject}]]", "blue"), " "]
    pieces.append((cut(statement(held, fact)), "dim" if dead else ""))
    if not beside:
        return pieces
    note = state_note(held, fact)
    if note:
        pieces += [" · " if note[0].isalpha() else " ", (note, _STYLES.get(held.status(fact).state, "green"))]
    return [*pieces, (f" · {fact.path}:{fact.line}", "dim")]


def state_note(held: Projection, fact: Fact) -> str:
    """What a fact's state is, in the words of commands.md; nothing when it simply holds."""
    status = held.status(fact)
    if status.state == SUPERSEDED:
        return f"⊘ superado {_by(status)}"
    if status.state == RESOLVED:
        return "✓ resolvido (caixa marcada)" if status.cause is None else f"✓ resolvido por {ref(status.cause)}"
    if status.state == RETIRED:
        return f"⌁ aposentado {_by(status)}"
    if status.state == FUTURE:
        return f"→ começa em {fact.begins}"
    if status.state == EXPIRED:
        return f"⌛ venceu em {fact.extra.end}"
    if status.state == AMBIGUOUS:
        return "? número repetido em linhas diferentes: não conta"
    if fact.is_task and fact.extra.end:
        return f"atrasada desde {fact.extra.end}" if fact.extra.end < held.today else f"até {fact.extra.end}"
    return "✓ verificado" if not fact.is_event and held.verified(fact) else ""


def state_words(held: Projection, fact: Fact) -> str:
    """The same where something must be said even of what simply holds."""
    if held.status(fact).state == STANDING:
        alive = "age" if fact.is_event else "em aberto" if fact.is_task else "vigente"
        note = state_note(held, fact)
        return f"{alive}, {note}" if note else alive
    return state_note(held, fact)


def _by(status: Status) -> str:
    cause = status.cause
    if cause is None:
        return ""
    return f"por {ref(cause)}: {cut(cause.text)}" if cause.text else f"por {ref(cause)}, sem motivo"
