"""What is odd about a line in the light of all the others (§3–§6): the 2xx findings of one fact."""

from __future__ import annotations

from typing import TYPE_CHECKING

from caderneta.format.text import fold_value, identity
from caderneta.format.values import BAD_TARGETS, STRUCK, TICKED, Fact, Finding, Target
from caderneta.ledger.entities import link_identity
from caderneta.ledger.fold import RESOLVED, STANDING, SUPERSEDED, acts, content, guard, never_was_true, oldest, reaches

if TYPE_CHECKING:
    from caderneta.ledger.states import States


def of_fact(fact: Fact, held: States) -> tuple[Finding, ...]:
    """Every finding about one line."""
    out: list[Finding] = []
    _duplicates(fact, held, out)
    if fact.is_event:
        _event(fact, held, out)
    else:
        _statement(fact, held, out)
    if fact.date is not None and fact.date > held.today:
        out.append(_say("CAD105", fact, args=(fact.date,)))
    return tuple(out)


def _say(code: str, fact: Fact, ids: tuple[int, ...] = (), args: tuple[str, ...] = ()) -> Finding:
    own = () if fact.id is None else (fact.id,)
    return Finding(code, fact.path, fact.line, fact.column, own + ids, args)


def _place(fact: Fact) -> str:
    return f"{fact.path}:{fact.line}"


def _duplicates(fact: Fact, held: States, out: list[Finding]) -> None:
    if fact.id is None:
        return
    carriers = held.carriers(fact.id)
    if len(carriers) < 2 or fact not in carriers:
        return
    others = tuple(_place(f) for f in sorted(carriers, key=oldest) if f != fact)
    if any(content(f) != content(fact) for f in carriers):
        out.append(_say("CAD209", fact, args=others))
    elif not held.is_counted(fact):
        out.append(_say("CAD210", fact, args=(_place(min(carriers, key=oldest)),)))


def _event(event: Fact, held: States, out: list[Finding]) -> None:
    if event.type in ("supersede", "aposentado") and not event.text and event.targets:
        out.append(_say("CAD207", event, args=(event.type,)))
    if event.flags & STRUCK and held.stands(event):
        out.append(_say("CAD212", event))
    if event.flags & BAD_TARGETS:
        return
    if held.in_circle(event):
        out.append(_say("CAD215", event))
    for target, found in held.targets_of(event):
        finding = _target(event, target, found, held)
        if finding is not None:
            out.append(finding)
        if found is not None and event.type == "verificado" and (finding is None or finding.code == "CAD211"):
            _verified(event, found, held, out)


def _target(event: Fact, target: Target, found: Fact | None, held: States) -> Finding | None:
    number = held.number(event)
    ids = () if target.id is None else (target.id,)
    if found is None:
        if target.id is not None and target.id == number:
            return _say("CAD204", event)
        name = f"#{target.id}" if target.id is not None else f"[[{target.note}#^{target.block}]]"
        return _say("CAD203", event, ids, (name,))
    code = reaches(event, found, number, target.id is not None)
    if code in ("CAD204", "CAD205"):
        return _say(code, event, ids)
    if held.is_target_ambiguous(event, target):
        places = tuple(_place(f) for f in held.aimed(event, target))
        return _say("CAD206", event, ids, places)
    if code is not None:
        return _say(code, event, ids or _ids(found), (found.type, event.type))
    if event.type == "sintese" and held.status(found).state not in (SUPERSEDED, RESOLVED):
        return _say("CAD224", event, ids, (found.type, event.type))
    if event.date is not None and found.begins is not None and event.date < found.begins and not never_was_true(event):
        return _say("CAD211", event, ids or _ids(found), (event.date, found.begins))
    return None


def _ids(fact: Fact) -> tuple[int, ...]:
    return () if fact.id is None else (fact.id,)


def _verified(event: Fact, fact: Fact, held: States, out: list[Finding]) -> None:
    if fact.is_event:
        return
    code = guard(fact.extra)
    if code is not None:
        out.append(_say(code, event, _ids(fact)))
    by, verifier = fact.extra.by, event.extra.by
    if code != "CAD217" and by and verifier and identity(by) == identity(verifier) and acts(event, fact, held):
        out.append(_say("CAD222", event, _ids(fact), (verifier,)))


def _statement(fact: Fact, held: States, out: list[Finding]) -> None:
    state = held.status(fact).state
    if fact.flags & STRUCK and state not in (SUPERSEDED, RESOLVED, "aposentado", "ambiguo"):
        out.append(_say("CAD212", fact))
    if fact.flags & TICKED and fact.is_task and state == RESOLVED and held.status(fact).cause is None:
        out.append(_say("CAD213", fact))
    if state != STANDING:
        return
    _rests_on_dead(fact, held, out)
    if fact.extra.relation is not None:
        edge = fact.extra.relation
        if link_identity(edge.source) == link_identity(edge.target) or held.entity(edge.source) == held.entity(edge.target):
            out.append(_say("CAD219", fact, args=(edge.source,)))
        first = held.same_edges(fact)
        if len(first) > 1 and first[0] != fact:
            out.append(_say("CAD220", fact, _ids(first[0]), (_place(first[0]),)))
    if fact.extra.key is not None and held.is_counted(fact):
        _rivals(fact, held, out)


def _rests_on_dead(fact: Fact, held: States, out: list[Finding]) -> None:
    """The fault the format was born from: something that holds leans on something that died (§4)."""
    said: set[Fact] = set()
    for line, cited in held.cited(fact):
        status = held.status(cited)
        if status.state != SUPERSEDED or cited in said or status.cause is None:
            continue
        said.add(cited)
        when = status.cause.date or cited.date or ""
        name = f"#{cited.id}" if cited.id is not None else _place(cited)
        finding = _say("CAD214", fact, _ids(cited), (name, when, cited.text))
        out.append(finding if line is None else finding._replace(line=line, column=1))


def _rivals(fact: Fact, held: States, out: list[Finding]) -> None:
    if is_unknown(fact):
        return
    rivals = [f for f in held.rivals(fact) if not is_unknown(f)]
    mine = fold_value(fact.extra.value or "")
    different = [f for f in rivals if fold_value(f.extra.value or "") != mine]
    if different and rivals[0] == fact:
        ids = tuple(f.id for f in different if f.id is not None)
        said = tuple(x for f in different for x in (f.extra.value or "", _place(f)))
        out.append(_say("CAD218", fact, ids, (fact.extra.key or "", fact.extra.value or "", *said)))


def is_unknown(fact: Fact) -> bool:
    """Whether a keyed fact says "não sei": ``= ?`` conflicts with nothing (§5)."""
    return fact.extra.value == "?"


def is_absent(fact: Fact) -> bool:
    """Whether a keyed fact says "não tem": ``= nenhum`` or ``∅`` (§5)."""
    return fold_value(fact.extra.value or "") in ("nenhum", "∅")


def jumps(held: States) -> list[Finding]:
    """CAD216: an id far above the one before it (§8)."""
    return [_say("CAD216", fact, args=(str(before),)) for before, fact in held.jumps()]
