"""The events by name: `superar`, `resolver`, `aposentar`, `restaurar`."""

from __future__ import annotations

import re
from typing import Annotated

import typer

from caderneta.doors.cli.session import Vault, now, number_of, open_vault
from caderneta.doors.cli.write import tell
from caderneta.doors.failure import BAD_REQUEST, Failure
from caderneta.doors.record import Request, record, restoration

Number = Annotated[str, typer.Argument(metavar="ID", help="O número da linha.")]
_ONLY_NUMBERS = re.compile(r"[ (]*#?[0-9]+\)?(?:[ ,e&]+\(?#?[0-9]+\)?)*[ .]*")


def superar(
    ctx: typer.Context,
    number: Number,
    reason: Annotated[str, typer.Argument(metavar="MOTIVO", help='Por que deixou de valer; "erro" se nunca foi verdade.')],
    vault: Vault = None,
) -> None:
    """Registra que uma linha deixou de ser verdade. Serve também para desfazer uma baixa ou outra morte.

    Exemplo: caderneta superar 41 'cliente voltou atrás'
    """
    _record(ctx, vault, "superar", "supersede", number, reason)


def resolver(
    ctx: typer.Context,
    number: Number,
    note: Annotated[str, typer.Argument(metavar="NOTA", help="Como foi feito.", show_default=False)] = "",
    vault: Vault = None,
) -> None:
    """Dá baixa numa pendência ou bloqueio que foi feito.

    Exemplo: caderneta resolver 42 'notas enviadas'
    """
    _record(ctx, vault, "resolver", "resolvido", number, note)


def aposentar(
    ctx: typer.Context,
    number: Number,
    reason: Annotated[str, typer.Argument(metavar="MOTIVO", help="Por que sai da vista.")],
    vault: Vault = None,
) -> None:
    """Tira uma linha da busca e de ESTADO.md sem dizer que deixou de ser verdade.

    Exemplo: caderneta aposentar 13 'virou decisão em #27'
    """
    _record(ctx, vault, "aposentar", "aposentado", number, reason)


def restaurar(ctx: typer.Context, number: Number, vault: Vault = None) -> None:
    """Traz de volta à vista uma linha aposentada.

    Exemplo: caderneta restaurar 13
    """
    target = number_of(number, "restaurar")
    workspace = open_vault(ctx, vault)
    tell(record(workspace, [restoration(workspace.projection, target)], now()))


def _record(ctx: typer.Context, vault: str | None, command: str, kind: str, number: str, text: str) -> None:
    target = number_of(number, command)
    if _ONLY_NUMBERS.fullmatch(text):
        what, more = ("uma nota", "") if kind == "resolvido" else ("um motivo", " MOTIVO")
        each = " e ".join(f"caderneta {command} {n}{more}" for n in (target, *re.findall("[0-9]+", text)))
        raise Failure(
            BAD_REQUEST,
            f'"{text.strip()}" é um número, e não {what}. Se são outras linhas, rode uma vez para cada: {each}. Nada mudou.',
        )
    workspace = open_vault(ctx, vault)
    tell(record(workspace, [Request(kind, text, targets=(target,))], now()))
