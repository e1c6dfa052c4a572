"""`estado`: the projection, printed or written to ESTADO.md."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from caderneta.doors.cli.session import Json, Vault, day_option, entity_of, open_vault, today
from caderneta.doors.cli.text import is_terminal, put, say, show, show_json
from caderneta.doors.failure import BAD_REQUEST, Failure
from caderneta.format.settings import MIN_TOKENS

_Days = Annotated[int | None, typer.Option("--dias-pendencia", metavar="N", min=0, help="Dias de pendências em palavras.")]
_Decisions = Annotated[int | None, typer.Option("--dias-decisao", metavar="N", min=0, help="Dias de decisões e mudanças.")]
_Tokens = Annotated[int | None, typer.Option("--max-tokens", metavar="N", min=MIN_TOKENS, help="O tamanho máximo do retrato.")]


def estado(
    ctx: typer.Context,
    day: Annotated[str | None, typer.Option("--em", metavar="DATA", help="O que valia nesse dia.")] = None,
    entity: Annotated[str | None, typer.Option("--entidade", metavar="NOME", help="Tudo sobre uma entidade só.")] = None,
    task_days: _Days = None,
    decision_days: _Decisions = None,
    max_tokens: _Tokens = None,
    write: Annotated[bool, typer.Option("--gravar", help="Refaz ESTADO.md em vez de imprimir.")] = False,
    as_json: Json = False,
    vault: Vault = None,
) -> None:
    """Mostra o que vale: achados, bloqueios, pendências, decisões recentes e os valores de cada assunto.

    Exemplo: caderneta estado --entidade 'Cliente ACME'
    """
    choices = (day, entity, task_days, decision_days, max_tokens)
    if write and (as_json or any(choice is not None for choice in choices)):
        message = "--gravar vai sozinho: ESTADO.md é o retrato inteiro de hoje, com os ajustes de Caderneta.md."
        raise Failure(BAD_REQUEST, message)
    asked = day_option(day, "--em") or today()
    workspace = open_vault(ctx, vault, asked, tells_findings=True)
    if write:
        from caderneta.vault.estado_file import estado_text, write_estado

        changed = write_estado(workspace.root, estado_text(workspace))
        say("ESTADO.md refeito." if changed else "ESTADO.md já estava em dia.")
        return

    from caderneta.views.estado import Options, estado_json, render, sections

    held, settings = workspace.projection, workspace.settings
    options = Options(
        settings.task_days if task_days is None else task_days,
        settings.decision_days if decision_days is None else decision_days,
        max_tokens or settings.max_tokens,
        entity_of(held, entity) if entity is not None else None,
        past=asked < today(),
        next_id=workspace.next_id,
    )
    found = sections(held, options)
    if as_json:
        show_json(estado_json(held, found))
    elif is_terminal(sys.stdout):
        for line in render(found).split("\n")[1:-1]:
            show((line, "bold" if line.startswith("## ") else ""), indent=2)
    else:
        put(render(found))
