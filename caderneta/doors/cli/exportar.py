"""`exportar`: every fact, one JSON object a line, in the order of section 3 of the format."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

import typer

from caderneta.doors.cli.session import Vault, open_vault
from caderneta.doors.cli.text import show_json


class Formato(StrEnum):
    """What `exportar` can write."""

    jsonl = "jsonl"


def exportar(
    ctx: typer.Context,
    form: Annotated[Formato, typer.Option("--formato", help="Em que forma.")] = Formato.jsonl,
    vault: Vault = None,
) -> None:
    """Escreve todos os fatos, um objeto JSON por linha.

    Exemplo: caderneta exportar --formato jsonl > fatos.jsonl
    """
    from caderneta.views.facts import fact_json

    held = open_vault(ctx, vault).projection
    for fact in held.facts():
        show_json(fact_json(held, fact))
