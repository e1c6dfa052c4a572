"""*Por assunto*: what holds about each entity on one line (§7)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from caderneta.format.text import fold_key, fold_value, identity
from caderneta.format.values import Fact
from caderneta.ledger.projection import Projection
from caderneta.views.budget import Line
from caderneta.views.facts import entity_link, label, shown_statement
from caderneta.views.items import SHORT, shown_ref, when_and_where
from caderneta.views.shown import count, words

_MOST = 5  # values, and edges, on one line
_VALUE = 80
_HOLDING_BACK = ("bloqueado por", "depende de")


@dataclass(slots=True)
class Holding:
    """The living statements about one entity that its line is made of, newest first."""

    values: list[Fact] = field(default_factory=list)
    edges: list[Fact] = field(default_factory=list)
    blockers: list[Fact] = field(default_factory=list)
    decision: Fact | None = None  # the newest
    decisions: int = 0  # how many
    newest: Fact | None = None  # of what no section above shows


def holding(projection: Projection, key: str | None, seen: set[Fact]) -> Holding:
    """What holds about an entity; it reads no further back than what its line still lacks."""
    out = Holding()
    said: set[tuple[str, ...]] = set()
    lists = {"bloqueio": out.blockers, "fato": out.values, "relacao": out.edges}
    lacking = {kind: projection.standing_count(key, kind) for kind in lists}
    lacking["decisao"] = min(1, projection.standing_count(key, "decisao"))
    others = projection.standing_count(key)
    out.decisions = projection.standing_count(key, "decisao")
    for fact in projection.about(key):
        is_lacking = lacking.get(fact.type, 0) > 0
        if not is_lacking and out.newest is not None and not any(lacking.values()):
            break
        if not (is_lacking or (out.newest is None and fact not in seen)) or not projection.stands(fact):
            continue
        others -= 1
        if is_lacking:
            lacking[fact.type] -= 1
        if out.newest is None and fact not in seen:
            out.newest = fact
        if fact.type == "decisao":
            out.decision = out.decision or fact
        elif is_lacking and _belongs(fact, said):
            lists[fact.type].append(fact)
        if not others:
            break
    return out


def _belongs(fact: Fact, said: set[tuple[str, ...]]) -> bool:
    """Whether a living line is told by itself: not a value only repeated (§5), nor an edge that holds nothing back."""
    extra = fact.extra
    if fact.type == "relacao":
        return extra.relation is not None and extra.relation.type in _HOLDING_BACK
    if fact.type != "fato":
        return True
    if extra.key is None:
        return False
    same = (fold_key(extra.key), identity(extra.scope or ""), fold_value(extra.value or ""))
    if same in said:
        return False
    said.add(same)
    return True


def subject_lines(projection: Projection, seen: set[Fact]) -> Iterator[Line]:
    """A line per entity of which something holds, last moved first; what has no subject, last."""
    for key in projection.recent_subjects():
        if projection.standing_count(key):
            yield subject_line(projection, key, seen)
    if projection.standing_count(None):
        yield subject_line(projection, None, seen)


def subject_line(projection: Projection, key: str | None, seen: set[Fact]) -> Line:
    """One entity: its living values, what holds it back, and its newest living decision; with none, its newest living
    statement that no section above shows.

    What a section above shows in full is here only named by its id; an entity of which nothing else is to be said gets a
    line without text, and is only named. Repeating costs budget that another subject needs, and whoever read above has it.
    """
    name = "sem assunto" if key is None else entity_link(projection, key)
    held = holding(projection, key, seen)
    told = [*held.values[:_MOST], *held.edges[:_MOST]]
    parts = [_value(projection, fact) for fact in held.values[:_MOST]]
    parts += _more(len(held.values) - _MOST, "valor", "valores")
    parts += [f"{shown_statement(projection, fact, _VALUE)} ({shown_ref(fact)})" for fact in held.edges[:_MOST]]
    parts += _more(len(held.edges) - _MOST, "relação", "relações")
    parts += _blockers(held.blockers)
    newest = held.decision or held.newest
    if newest is not None and newest not in told and newest not in held.blockers:
        parts.append(_statement(projection, newest, newest in seen))
        told.append(newest)
    parts += _more(held.decisions - 1, "decisão", "decisões")
    if held.decisions <= 1 and all(fact in seen for fact in (*told, *held.blockers)):
        return Line("", name=name if key is not None else "o que não tem assunto")
    return Line(f"- {name} " + " · ".join(parts), tuple(told))


def _more(number: int, one: str, many: str) -> list[str]:
    return [f"+{count(number, one, many)}"] if number > 0 else []


def _blockers(blockers: list[Fact]) -> list[str]:
    if not blockers:
        return []
    names = ", ".join(shown_ref(fact) for fact in blockers[:_MOST])
    more = f" +{len(blockers) - _MOST}" if len(blockers) > _MOST else ""
    return [f"{'bloqueio' if len(blockers) == 1 else 'bloqueios'} {names}{more}"]


def _value(projection: Projection, fact: Fact) -> str:
    about = [shown_ref(fact), fact.date or "sem data"]
    if fact.extra.scope:
        about.append(f"escopo {words(fact.extra.scope, 40)}")
    if fact.extra.end:
        about.append(f"até {fact.extra.end}")
    if projection.verified(fact):
        about.append("verificado")
    return f"{shown_statement(projection, fact, _VALUE)} ({', '.join(about)})"


def _statement(projection: Projection, fact: Fact, above: bool) -> str:
    name = f"{words(label(fact.type), 40)} {shown_ref(fact)}"
    if above:
        return f"{name} (acima)"
    when, where = when_and_where(projection, fact)
    says = f"{name} {when} {shown_statement(projection, fact, SHORT)}"
    return f"{says} · {where}" if where else says
