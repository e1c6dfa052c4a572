"""What every door does to write: one request → canonical lines, checked in place, appended under the vault's lock (§8).

A line that `lint` would call an error is never written: it is read back where it is to stand, against the whole vault,
before the disk is touched. Raises Failure (or the disk's VaultError); then nothing was written.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from caderneta.checks.messages import interval, lacks_separator, nearest_type, own_type, refusal
from caderneta.checks.rules import message, severity
from caderneta.doors.failure import BAD_REQUEST, MISSPELT, UNKNOWN, Failure
from caderneta.doors.names import advice, claimants, typed, which
from caderneta.doors.numbers import check_room
from caderneta.format.dates import daily_path
from caderneta.format.line import read_aim
from caderneta.format.links import names_entity
from caderneta.format.statement import opening_link
from caderneta.format.text import fold_type, identity, strip, visible
from caderneta.format.values import OWN_SUBJECT, Fact, Finding, Settings
from caderneta.format.vocabulary import EVENTS, STATEMENTS, vocabulary
from caderneta.format.write import Unwritable, check_subject, check_text, write_line
from caderneta.ledger.fold import RESOLVED, RETIRED, SUPERSEDED
from caderneta.ledger.projection import Projection
from caderneta.vault.append import append
from caderneta.vault.workspace import Workspace
from caderneta.views.facts import ref

_NEEDS_REASON = ("supersede", "aposentado")
_CLOSING = ("supersede", "resolvido", "aposentado")
_LONGEST_NAME = 200


@dataclass(frozen=True, slots=True)
class Request:
    """One line to be written. ``text`` of an event is its targets and reason, unless ``targets`` are given apart."""

    kind: str
    text: str = ""
    entity: str | None = None
    targets: tuple[int, ...] = ()
    day: str | None = None  # another day than today's
    start: str | None = None
    end: str | None = None
    by: str | None = None
    with_: str | None = None
    scope: str | None = None
    sources: tuple[str, ...] = ()
    force: bool = False  # writes a name that looks like a known one


class Written(NamedTuple):
    """The facts as read back, their lines as they stand, and what the person should know."""

    facts: tuple[Fact, ...]
    lines: tuple[str, ...]
    warnings: tuple[str, ...]


def record(workspace: Workspace, requests: Sequence[Request], time: str) -> Written:
    """Writes the requests as consecutive lines of today's daily file, in one stroke."""
    for request in requests:
        _check_alone(request, workspace)
    path = daily_path(workspace.projection.today, workspace.settings.daily)
    lines: list[str] = []
    warnings: list[str] = []

    def build(first: int) -> list[str]:
        held = workspace.projection
        check_room(workspace, first, len(requests))
        for n, request in enumerate(requests):
            line, said = _compose(request, held, first + n, time)
            lines.append(line)
            warnings.extend(said)
        warnings.extend(_lint(workspace, path, lines, first))
        return lines

    facts = append(workspace, path, build)
    warnings += _unmoved(facts, workspace.projection)
    return Written(facts, tuple(lines), tuple(dict.fromkeys(warnings)))


class Replacement(NamedTuple):
    """The two lines of `trocar`, and what the person should know of what the new one did not inherit."""

    requests: tuple[Request, Request]
    notes: tuple[str, ...]


def replacement(
    held: Projection, number: int, text: str, reason: str, end: str | None = None, with_: str | None = None
) -> Replacement:
    """`trocar`: the statement that takes another's place, and the death of the old one.

    The new one inherits a deadline still to come and whoever has to act, unless others are given.
    """
    old = target_of(held, number)
    if old.is_event:
        raise Failure(BAD_REQUEST, f"#{number} é um evento ({old.type}): não se troca. Use caderneta superar {number} MOTIVO.")
    state, cause = held.status(old)
    if state == "superado" and cause is not None:
        by = f"#{cause.id}" if cause.id is not None else f"{cause.path}:{cause.line}"
        raise Failure(
            BAD_REQUEST,
            f"#{number} já não vale: foi superado por {by}. Troque o que vale no lugar dele "
            f"(caderneta ver {number} mostra o que houve), ou escreva uma linha nova com caderneta add. Nada foi escrito.",
        )
    extra = old.extra
    if old.subject is not None and (notes := claimants(held, old.subject)):
        says = f"{which(old.subject, notes)} A linha #{number} não diz de qual delas fala."
        new = f"{advice(old.subject, notes, 'caderneta add')} {old.type} …, e depois caderneta superar {number} MOTIVO."
        raise Failure(MISSPELT, f"{says} {new} Nada foi escrito.")
    if extra.relation is not None and opening_link(text, held.settings.daily)[0] is None:
        edge = extra.relation
        text = f"-[{edge.type}]-> [[{edge.target}]] {text}"
    left: list[str] = []
    if end is None and extra.end:
        if extra.end >= held.today:
            end = extra.end
        else:
            what = f"O prazo {extra.end}" if old.is_task else f'O "até {extra.end}"'
            left.append(f"{what} já passou e não foi copiado.")
    with_ = extra.with_ if with_ is None else with_
    line = Request(old.type, text, old.subject, end=end, with_=with_, scope=extra.scope, force=True)
    return Replacement((line, Request("supersede", reason, targets=(number,))), tuple(left))


def restoration(held: Projection, number: int) -> Request:
    """`restaurar`: the death of the living retirements of a line. Raises Failure when it is not retired."""
    fact = target_of(held, number)
    state = held.status(fact)
    if state.state == SUPERSEDED and state.cause is not None:
        cause = f"#{state.cause.id}" if state.cause.id else "a linha que a derrubou"
        back = f" Para trazê-la de volta: caderneta superar {state.cause.id} MOTIVO." if state.cause.id else ""
        raise Failure(BAD_REQUEST, f"#{number} não está aposentada: caiu por {cause}.{back}")
    retiring = [e for e in held.events_on(fact) if e.type == "aposentado" and held.stands(e)]
    if not retiring:
        raise Failure(BAD_REQUEST, f"#{number} não está aposentada: não há o que restaurar.")
    unnumbered = next((e for e in retiring if e.id is None), None)
    if unnumbered is not None:
        where = f"{unnumbered.path}:{unnumbered.line}"
        raise Failure(BAD_REQUEST, f"A linha que a aposentou ({where}) não tem número. Rode caderneta numerar e tente de novo.")
    return Request("supersede", "volta à vista", targets=tuple(e.id for e in retiring if e.id))


def target_of(held: Projection, number: int) -> Fact:
    """The one fact an id names. Raises Failure when there is none, or several."""
    found = held.with_id(number)
    if not found:
        last = held.largest_line_id
        known = f"o último é #{last}" if last else "ainda não há nenhuma linha numerada"
        raise Failure(UNKNOWN, f"#{number} não existe ({known}). Nada mudou.")
    if len(found) > 1:
        places = " e ".join(f"{f.path}:{f.line}" for f in found)
        last_place = f"{found[-1].path}:{found[-1].line}"
        raise Failure(
            BAD_REQUEST,
            f"#{number} está em {len(found)} linhas diferentes ({places}). Escolha uma: caderneta renumerar {last_place}",
        )
    return found[0]


def type_of(settings: Settings, word: str) -> str:
    """The canonical statement or event a word means. Raises Failure, naming what there is, for any other."""
    known = _known_type(settings, word)
    if known is not None:
        return known
    near = nearest_type(word[:40], settings.types)
    if near:
        hint = f'O mais parecido é "{near}".'
    else:
        own = own_type(word[:40])
        hint = f"Os tipos são: {_every_type(settings)}. Para ter outro, escreva {own} no cabeçalho de Caderneta.md."
    raise Failure(MISSPELT, f'"{visible(word[:40])}" não é um tipo. {hint}')


def searched_type(settings: Settings, word: str) -> str:
    """The same for somebody who only looks for lines of a type."""
    known = _known_type(settings, word)
    if known is None:
        raise Failure(MISSPELT, f'"{visible(word[:40])}" não é um tipo. Os tipos são: {_every_type(settings)}.')
    return known


def _known_type(settings: Settings, word: str) -> str | None:
    known = vocabulary(settings).words.get(fold_type(word)) if len(word) <= 40 else None
    if known is not None and known[1] == "evidence":
        hint = "é evidência, e fica no arquivo, recuada debaixo da linha de que fala."
        raise Failure(MISSPELT, f'"{visible(word)}" não é um tipo: {hint}')
    return None if known is None else known[0]


def _every_type(settings: Settings) -> str:
    return ", ".join((*STATEMENTS, *settings.types, *EVENTS))


def _check_alone(request: Request, workspace: Workspace) -> None:
    """What can be refused before waiting for the lock: the type, and characters no line can hold."""
    kind = type_of(workspace.settings, request.kind)
    if kind in EVENTS and (request.start or request.end):
        why = "um evento vale a partir da data da própria linha. Se foi noutro dia, use --em."
        raise Failure(BAD_REQUEST, f"--de e --ate não servem num evento: {why} Nada foi escrito.")
    try:
        if kind not in EVENTS:
            check_text(request.text)
            if subject := _bare(request.entity):
                check_subject(subject)
                if len(subject) > _LONGEST_NAME:
                    raise Unwritable(f"O nome da entidade tem {len(subject)} caracteres; o de uma nota tem até {_LONGEST_NAME}.")
        elif request.targets:
            check_text(request.text, event=True)
    except Unwritable as refusal:
        raise Failure(BAD_REQUEST, f"{refusal} Nada foi escrito.") from None


def _compose(request: Request, held: Projection, number: int, time: str) -> tuple[str, list[str]]:
    """The canonical line of a request, and what to warn of."""
    kind = type_of(held.settings, request.kind)
    warnings: list[str] = []
    subject, targets, text, name = None, request.targets, request.text, _bare(request.entity)
    daily = held.settings.daily
    if kind in EVENTS:
        if not targets:
            targets, text, before = _aim(kind, text)
            name = name or before
        for target in targets:
            warnings += _check_target(kind, target, held)
        if name:
            warnings += _check_event_entity(name, targets, held)
        if kind in _NEEDS_REASON and not strip(text):
            raise Failure(BAD_REQUEST, f"Faltou o motivo: {kind} :: {_ids(targets)} · por quê? Nada foi escrito.")
    else:
        subject = known_spelling(held, name, request.force) if name else None
        if subject is None and kind == "relacao":
            daily = ""  # an edge opens with its own link
    retro = request.day if request.day != held.today else None
    try:
        line = write_line(
            kind, text, number=number, date=retro, time=None if retro else time, subject=subject, targets=targets,
            start=request.start, end=request.end, by=request.by, with_=request.with_, scope=request.scope,
            sources=request.sources, daily=daily,
        )  # fmt: skip
    except Unwritable as refusal:
        raise Failure(BAD_REQUEST, f"{refusal} Nada foi escrito.") from None
    return line, warnings


def known_spelling(held: Projection, name: str, force: bool) -> str:
    """How an entity is to be written: the known way when only case differs. Raises Failure for a near miss (§2), and for
    a name that does not say which of several notes it means."""
    if not names_entity(name, held.settings.daily):
        raise Failure(BAD_REQUEST, f'"{visible(name)}" é nome de nota diária ou de anexo, e não de entidade. Nada foi escrito.')
    notes = claimants(held, name)
    if notes:
        raise Failure(MISSPELT, f"{which(name, notes)} {advice(name, notes, 'caderneta add')} … Nada foi escrito.")
    key = held.known_entity(name)
    if key is not None:
        shown = typed(held, key)
        return shown if identity(shown) == identity(name) else name
    near = held.similar_entities(name)
    if near and not force:
        known = " e ".join(f'"{visible(n)}"' for n in near[:3])
        raise Failure(
            MISSPELT, f'"{visible(name)}" é nome novo, parecido com {known}, que já existe. Se é outro, repita com --forcar.'
        )
    return name


def _bare(entity: str | None) -> str | None:
    """A name as typed, without brackets; ``-`` and nothing mean no subject."""
    if entity is None or entity.strip() in ("", "-"):
        return None
    name = entity.strip()
    return name[2:-2] if name.startswith("[[") and name.endswith("]]") else name


def _aim(kind: str, text: str) -> tuple[tuple[int, ...], str, str | None]:
    """The targets and the reason of an event typed as text, and the entity that may stand before them."""
    aim = read_aim(strip(text))
    numbers = tuple(dict.fromkeys(t for t in aim.ids if isinstance(t, int)))
    if aim.bad is not None and (instead := interval(aim.bad)):
        raise Failure(BAD_REQUEST, f"{instead} Nada foi escrito.")
    if aim.bad is not None and lacks_separator(aim.bad):
        raise Failure(BAD_REQUEST, 'Entre os alvos e o motivo falta o "·": "#41, #42 · motivo". Nada foi escrito.')
    if aim.bad is not None or len(numbers) != len(set(aim.ids)):
        raise Failure(
            BAD_REQUEST,
            f'Não entendi o alvo em "{visible(text[:60])}". Escreva os números, um · e o motivo: "#41, #42 · motivo".',
        )
    if not numbers:
        raise Failure(BAD_REQUEST, f'{kind.capitalize()} o quê? Falta o número. Escreva "#41 · motivo".')
    return numbers, aim.reason, aim.entity


def _check_target(kind: str, number: int, held: Projection) -> list[str]:
    """Refuses a target the event cannot act on; warns of one already closed or dead."""
    fact = target_of(held, number)
    if kind == "resolvido" and not fact.is_task:
        raise Failure(
            BAD_REQUEST,
            f'#{number} é {_article(fact.type)}: não se faz, deixa de valer. Use "supersede :: #{number} · motivo". Nada mudou.',
        )
    if fact.is_event and kind in ("aposentado", "verificado", "sintese"):
        raise Failure(BAD_REQUEST, f"#{number} é um evento ({fact.type}): {kind} não age sobre ele. Nada mudou.")
    status = held.status(fact)
    fell = {SUPERSEDED: "já caiu", RESOLVED: "já estava resolvida", RETIRED: "já estava aposentada"}.get(status.state)
    expected = (status.state, kind) in ((RESOLVED, "supersede"), (RETIRED, "supersede"), (RETIRED, "resolvido"))
    if fell is None or expected:
        return []
    return [f"Atenção: #{number} {fell}{f' por {ref(status.cause)}' if status.cause else ''}."]


def _check_event_entity(name: str, targets: tuple[int, ...], held: Projection) -> list[str]:
    """An event takes its subject from its target: another one typed beside it may be a mistake."""
    keys = {held.entities.key(path) for path in claimants(held, name)} | {held.known_entity(name)}
    others = [f for n in targets for f in held.with_id(n) if not f.is_event and held.entity(f.subject) not in keys]
    if not others:
        return []
    subject = held.subject_name(others[0])
    about = f"é sobre [[{visible(subject)}]]" if subject else "não tem assunto"
    return [f"Atenção: #{others[0].id} {about}, e não [[{visible(name)}]]."]


def _article(kind: str) -> str:
    return f"um {kind}" if kind in ("fato", "experimento", "feedback", *EVENTS) else f"uma {kind.replace('decisao', 'decisão')}"


def _ids(targets: tuple[int, ...]) -> str:
    return ", ".join(f"#{n}" for n in targets)


def _lint(workspace: Workspace, path: str, lines: Sequence[str], first: int) -> list[str]:
    """Reads the lines back at the end of their file, against the whole vault: refuses errors in them, and returns what else
    they would bring about, here or elsewhere (somebody's plan that rests on what now falls)."""
    standing = path in workspace.projection.documents
    text = workspace.text(path) if standing else ""
    newline = "" if not text or text.endswith("\n") else "\n"
    before = {_same(finding) for finding in workspace.projection.findings()}
    workspace.overlay(path, text + newline + "".join(f"{line}\n" for line in lines))
    try:
        numbers = range(first, first + len(lines))
        mine = [f for n in numbers for f in workspace.projection.carriers(n)]
        own = {(f.path, f.line) for f in mine}
        for fact in mine:
            _check_ends(fact, workspace.projection)
        found = [f for f in workspace.projection.findings() if _same(f) not in before and severity(f.code) != "nota"]
    finally:
        workspace.overlay(path, None)
    for finding in found:
        if severity(finding.code) == "erro" and (finding.path, finding.line) in own:
            raise Failure(BAD_REQUEST, f"{refusal(finding)} Nada foi escrito.")
        # A line without a number comes after all that have one: then it is the old one that is called the second copy.
        if finding.code == "CAD220" and finding.args[0] in {f"{p}:{n}" for p, n in own}:
            raise Failure(BAD_REQUEST, f"Esta relação já vale em {finding.path}:{finding.line}. Basta uma. Nada foi escrito.")
    return [_warning(finding, own) for finding in found]


def _check_ends(fact: Fact, held: Projection) -> None:
    """Refuses a subject, or an end of an edge, that does not say which of several notes it means."""
    edge, subject = fact.extra.relation, fact.subject if fact.flags & OWN_SUBJECT else None
    for link in dict.fromkeys((subject, *((edge.source, edge.target) if edge else ()))):
        notes = claimants(held, link) if link else []
        if link and notes:
            raise Failure(MISSPELT, f"{which(link, notes)} {advice(link, notes, in_link=True)}. Nada foi escrito.")


def _same(finding: Finding) -> tuple[str, str, int, tuple[int, ...]]:
    """What stays of a finding when only what it says in passing changes, such as the last id there is."""
    return finding.code, finding.path, finding.line, finding.ids


def _unmoved(facts: Sequence[Fact], held: Projection) -> list[str]:
    """Who undoes an event expects what it closed to come back: what something else still keeps closed."""
    aimed = [event for fact in facts if fact.type == "supersede" for _, event in held.targets_of(fact)]
    undone = [event for event in aimed if event is not None and event.type in _CLOSING]
    warnings = []
    for target in (t for event in undone for _, t in held.targets_of(event) if t is not None):
        state, cause = held.status(target)
        word = {SUPERSEDED: "superada", RESOLVED: "resolvida", RETIRED: "aposentada"}.get(state)
        if word and cause not in facts:
            by = f"por {ref(cause)}" if cause else "pela caixa marcada"
            warnings.append(f"{ref(target)} continua {word} {by}.")
    return warnings


def _warning(finding: Finding, own: set[tuple[str, int]]) -> str:
    place = (finding.path, finding.line)
    return message(finding) if place in own else f"{finding.path}:{finding.line}: {message(finding)}"
