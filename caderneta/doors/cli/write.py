"""`add` and `trocar`: new statements, and the death certificate of the ones they replace."""

from __future__ import annotations

from typing import Annotated

import typer

from caderneta.doors.cli.session import Json, Vault, day_option, now, number_of, open_vault
from caderneta.doors.cli.text import after_writing, say, show, show_json
from caderneta.doors.failure import BAD_REQUEST, Failure
from caderneta.doors.record import Request, Written, record, replacement


def add(
    ctx: typer.Context,
    entity: Annotated[str, typer.Argument(metavar="ENTIDADE", help='De quem ou do que se fala; "-" para ninguém.')],
    kind: Annotated[
        str, typer.Argument(metavar="TIPO", help="decisao, pendencia, bloqueio… ou um evento: resolvido, supersede…")
    ],
    text: Annotated[str, typer.Argument(metavar="TEXTO", help='O que anotar; num evento, "#41 · motivo".')],
    day: Annotated[str | None, typer.Option("--em", metavar="DATA", help="O dia em que aconteceu, se não foi hoje.")] = None,
    by: Annotated[str | None, typer.Option("--por", metavar="NOME", help="Quem anotou.")] = None,
    with_: Annotated[str | None, typer.Option("--com", metavar="NOME", help="Com quem está.")] = None,
    start: Annotated[str | None, typer.Option("--de", metavar="DATA", help="Desde quando vale, se não é desde o dia.")] = None,
    end: Annotated[str | None, typer.Option("--ate", metavar="DATA", help="Até quando vale; numa tarefa, o prazo.")] = None,
    scope: Annotated[str | None, typer.Option("--escopo", metavar="TEXTO", help="Onde ou para quê vale.")] = None,
    sources: Annotated[
        list[str] | None, typer.Option("--fonte", metavar="TEXTO", help="De onde veio: uma nota, um endereço. Pode repetir.")
    ] = None,
    force: Annotated[bool, typer.Option("--forcar", help="Aceita um nome novo parecido com um que já existe.")] = False,
    as_json: Json = False,
    vault: Vault = None,
) -> None:
    """Acrescenta uma linha à nota de hoje e a mostra, com o número que recebeu.

    Exemplo: caderneta add 'Cliente ACME' decisao 'proposta fechada em 7.350/mês'
    """
    if not entity.strip():
        raise Failure(BAD_REQUEST, 'A entidade está vazia. Se a linha não é sobre ninguém, escreva "-". Nada foi escrito.')
    request = Request(
        kind, text, entity, day=day_option(day, "--em"), start=day_option(start, "--de"), end=day_option(end, "--ate"),
        by=by, with_=with_, scope=scope, sources=tuple(sources or ()), force=force,
    )  # fmt: skip
    workspace = open_vault(ctx, vault)
    written = record(workspace, [request], now())
    if as_json:
        from caderneta.views.facts import fact_json

        with after_writing():
            show_json(fact_json(workspace.projection, written.facts[0]))
        warn(written)
    else:
        tell(written)


def trocar(
    ctx: typer.Context,
    number: Annotated[str, typer.Argument(metavar="ID", help="O número da linha que deixa de valer.")],
    text: Annotated[str, typer.Argument(metavar="TEXTO", help="O que passa a valer no lugar dela.")],
    reason: Annotated[str, typer.Option("--motivo", metavar="MOTIVO", help="Por que mudou.", show_default=False)],
    end: Annotated[str | None, typer.Option("--ate", metavar="DATA", help="Outra data-limite, em vez da antiga.")] = None,
    with_: Annotated[str | None, typer.Option("--com", metavar="NOME", help="Com quem fica, em vez de quem estava.")] = None,
    vault: Vault = None,
) -> None:
    """Escreve o que passa a valer e, no mesmo passo, a morte da linha que valia.

    O assunto, o tipo, com quem está e o prazo, se ainda não passou, são os da linha antiga.

    Exemplo: caderneta trocar 41 'proposta fechada em 6.900/mês' --motivo 'cliente pediu desconto'
    """
    old = number_of(number, "trocar")
    workspace = open_vault(ctx, vault)
    requests, notes = replacement(workspace.projection, old, text, reason, day_option(end, "--ate"), with_)
    tell(record(workspace, requests, now()))
    for note in notes:
        say(note)


def tell(written: Written) -> None:
    """The lines just written, on stdout, and what the person should know, on stderr."""
    with after_writing():
        for line in written.lines:
            show(line, indent=2)
    warn(written)


def warn(written: Written) -> None:
    for warning in written.warnings:
        say(warning)
