"""`buscar`: ranked full-text search, the state beside each hit."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from caderneta.doors.cli.session import Json, Vault, day_option, entity_of, open_vault, today
from caderneta.doors.cli.text import say, show, show_json, working
from caderneta.doors.failure import BAD_REQUEST, NOTHING_FOUND, Failure
from caderneta.views.shown import count

if TYPE_CHECKING:
    from caderneta.vault.search import Found

_LIMIT = 20


def buscar(
    ctx: typer.Context,
    words: Annotated[list[str], typer.Argument(metavar="TERMO…", help="Palavras, um número (41), ou um trecho entre aspas.")],
    standing: Annotated[bool, typer.Option("--vigente", help="Só o que vale.")] = False,
    kind: Annotated[str | None, typer.Option("--tipo", metavar="TIPO", help="Só deste tipo.")] = None,
    entity: Annotated[str | None, typer.Option("--entidade", metavar="NOME", help="Só o que é sobre ela, ou a cita.")] = None,
    day: Annotated[str | None, typer.Option("--em", metavar="DATA", help="Com o estado de cada linha nesse dia.")] = None,
    limit: Annotated[int, typer.Option("--limite", metavar="N", min=1, help="Quantas linhas, no máximo.")] = _LIMIT,
    cold: Annotated[bool, typer.Option("--incluir-frios", help="Também o que foi aposentado ou resumido.")] = False,
    as_json: Json = False,
    vault: Vault = None,
) -> None:
    """Procura nas linhas e mostra, ao lado de cada uma, se ainda vale. Termina em 1 se não acha nada.

    Exemplo: caderneta buscar proposta --entidade 'Cliente ACME' --vigente
    """
    from caderneta.doors.record import searched_type
    from caderneta.vault.search import Filters, Found, Index, read_query

    query = " ".join(words)
    if limit < 1:
        raise Failure(BAD_REQUEST, "--limite: é preciso ao menos 1.")
    if not read_query(query):
        if as_json:
            show_json(_json([], Found((), 0, False)))
        say("Procurar o quê? Escreva ao menos uma palavra ou um número: caderneta buscar proposta")
        raise typer.Exit(NOTHING_FOUND)
    workspace = open_vault(ctx, vault, day_option(day, "--em") or today())
    held = workspace.projection
    filters = Filters(
        standing, searched_type(workspace.settings, kind) if kind else None, entity_of(held, entity) if entity else None, cold
    )
    with working("Procurando"):
        found = Index(held).search(query, filters, limit)
    left = _left_out(found)
    if as_json:
        from caderneta.views.facts import fact_json

        show_json(_json([fact_json(held, fact) for fact in found.hits], found))
    else:
        from caderneta.doors.cli.lines import item

        for fact in found.hits:
            show(*item(held, fact), indent=2)
        if found.hits and found.loose:
            say(f"Nenhuma linha{' à vista' if left else ''} tem todas as palavras; estas têm alguma.")
        if found.total > len(found.hits):
            say(f"Mais {found.total - len(found.hits)}: caderneta buscar … --limite {found.total}")
        if found.hits and left:
            say(left)
    if not found.hits:
        say(f"Nada encontrado. {left}".rstrip())
        raise typer.Exit(NOTHING_FOUND)


def _json(hits: list[Any], found: Found) -> dict[str, Any]:
    return {
        "versao": 1,
        "fatos": hits,
        "total": found.total,
        "qualquer_palavra": found.loose,
        "fora": {"aposentados": found.retired, "frios": found.cold},
    }


def _left_out(found: Found) -> str:
    """How many hits are kept out of sight, and how to see them."""
    kinds = ((found.retired, "aposentada", "aposentadas"), (found.cold, "fria", "frias"))
    told = ", ".join(f"+{count(number, one, many)}" for number, one, many in kinds if number)
    return f"{told}: --incluir-frios" if told else ""
