"""`ver` (also `porque`): one fact whole, the answer to "por quê?"."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, Any

import typer

from caderneta.doors.cli.session import Json, Vault, facts_of, number_of, open_vault
from caderneta.doors.cli.text import show, show_json

if TYPE_CHECKING:
    from caderneta.format.values import Fact
    from caderneta.ledger.projection import Projection
    from caderneta.vault.workspace import Workspace

_INHERITED = {"titulo": "vem do título acima", "item": "vem do item em volta", "cabecalho": "vem do cabeçalho do arquivo"}


def ver(
    ctx: typer.Context,
    number: Annotated[str, typer.Argument(metavar="ID", help="O número da linha.")],
    as_json: Json = False,
    vault: Vault = None,
) -> None:
    """Mostra uma linha inteira: o que diz, onde está, se vale, por quê, e tudo o que já se disse dela.

    ver e porque são o mesmo comando.

    Exemplo: caderneta ver 41
    """
    wanted = number_of(number, "ver")
    workspace = open_vault(ctx, vault)
    held = workspace.projection
    facts = facts_of(held, wanted)
    if as_json:
        show_json({"versao": 1, "linhas": [_whole_json(held, fact) for fact in facts]})
        return
    if len(facts) > 1:
        show((f"#{wanted} está em {len(facts)} linhas diferentes: nenhuma conta até se escolher uma.", "yellow"))
        show(f"Para dar outro número à última: caderneta renumerar {facts[-1].path}:{facts[-1].line}")
    for n, fact in enumerate(facts):
        if n or len(facts) > 1:
            show("")
        _whole(workspace, held, fact)


def replaced_by(held: Projection, fact: Fact) -> list[Fact]:
    """What a fact put an end to: an event's targets; of a statement, the targets of the `supersede` written right after it."""
    if fact.is_event:
        return [aimed for _, aimed in held.targets_of(fact) if aimed is not None]
    after = held.at(fact.path, fact.line + 1)
    if fact.id is None or after is None or after.id != fact.id + 1 or after.type != "supersede":
        return []
    aims = [aimed for _, aimed in held.targets_of(after) if aimed is not None]
    return [old for old in aims if old.type == fact.type and held.entity(old.subject) == held.entity(fact.subject)]


def without_effect(held: Projection, fact: Fact) -> list[Fact]:
    """The events that aim at a fact and could never act on it (a `resolvido` on a decision, an ambiguous id)."""
    able = held.events_on(fact)
    aiming = [e for d in held.documents.values() for e in d.facts if e.targets and any(a == fact for _, a in held.targets_of(e))]
    return [e for e in aiming if e not in able]


def _whole(workspace: Workspace, held: Projection, fact: Fact) -> None:
    from caderneta.doors.cli.lines import item, state_words

    show(*item(held, fact, beside=False), indent=2)
    _field("estado", state_words(held, fact))
    _field("onde", ", ".join(f"{f.path}:{f.line}" for f in held.copies(fact)))
    for line in _written(workspace, fact):
        _field("linha", line)
    if fact.extra.subject_source:
        _field("assunto", _INHERITED[fact.extra.subject_source])
    for evidence in fact.extra.evidence:
        _field(evidence.stance, f"{evidence.text} (linha {evidence.line})")
    _list(held, "no lugar de" if not fact.is_event else "mira", replaced_by(held, fact))
    _list(held, "miram nela", held.events_on(fact))
    _list(held, "miram nela, sem poder agir", without_effect(held, fact))
    _list(held, "citada por", held.cited_by(fact))


def _field(name: str, value: str) -> None:
    show((f"  {name}: ", "dim"), value, indent=4)


def _list(held: Projection, title: str, facts: Sequence[Fact]) -> None:
    from caderneta.doors.cli.lines import item

    if facts:
        show((f"  {title}:", "dim"))
    for fact in facts:
        show("    ", *item(held, fact), indent=6)


def _written(workspace: Workspace, fact: Fact) -> list[str]:
    """The physical lines of a fact as they stand in its file."""
    from caderneta.format.text import split_lines

    lines = split_lines(workspace.text(fact.path))
    return lines[fact.line - 1 : fact.extra.last_line or fact.line]


def _whole_json(held: Projection, fact: Fact) -> dict[str, Any]:
    from caderneta.views.facts import fact_json

    return {
        "fato": fact_json(held, fact),
        "eventos": [fact_json(held, e) for e in held.events_on(fact)],
        "eventos_sem_efeito": [fact_json(held, e) for e in without_effect(held, fact)],
        "citado_por": [fact_json(held, f) for f in held.cited_by(fact)],
        "no_lugar_de": [fact_json(held, f) for f in replaced_by(held, fact)],
    }
