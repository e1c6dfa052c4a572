"""`numerar` and `renumerar`: ids for lines already there."""

from __future__ import annotations

from typing import Annotated

import typer

from caderneta.doors.cli.session import Vault, open_vault
from caderneta.doors.cli.text import say, show
from caderneta.doors.failure import BAD_REQUEST, UNKNOWN, Failure
from caderneta.format.number import Numbered, number, renumber


def numerar(
    ctx: typer.Context,
    files: Annotated[list[str] | None, typer.Argument(metavar="ARQUIVOS…", help="Só estes; sem nenhum, o cofre todo.")] = None,
    vault: Vault = None,
) -> None:
    """Dá número às linhas que não têm. Fora dos diários, escreve também o dia de hoje nas que não têm data.

    Exemplo: caderneta numerar diario/2026/2026-07-20.md
    """
    from caderneta.doors.cli.places import among, vault_paths
    from caderneta.vault.append import edit

    workspace = open_vault(ctx, vault)
    chosen = vault_paths(workspace, files) if files else {"."}
    today, settings = workspace.projection.today, workspace.settings
    results: dict[str, Numbered] = {}

    def change(text: str, first: int) -> str:
        results[path] = number(path, text, first, today, settings)
        return results[path].text

    for path in sorted(p for p, document in workspace.projection.documents.items() if document.facts and among(p, chosen)):
        edit(workspace, path, change)
    _report(results)


def _report(results: dict[str, Numbered]) -> None:
    for path, done in results.items():
        for line, given in done.ids:
            show((f"#{given}", "bold"), f" {path}:{line}")
    for path, done in results.items():
        dated = [line for line in done.dated if line not in dict(done.ids)]
        for line in dated:
            show(("data de hoje", "bold"), f" {path}:{line}")
        for line in done.skipped:
            say(f"{path}:{line} ficou sem número: o fim da linha não se lê (caderneta lint diz por quê).")
    if not any(done.ids or done.dated for done in results.values()):
        say("Toda linha que pode ter número já tem.")


def renumerar(
    ctx: typer.Context,
    place: Annotated[str, typer.Argument(metavar="ARQUIVO:LINHA", help="A linha que troca de número.")],
    vault: Vault = None,
) -> None:
    """Dá outro número a uma de duas linhas que têm o mesmo. A outra fica com ele.

    Exemplo: caderneta renumerar diario/2026/2026-07-20.md:9
    """
    from caderneta.doors.cli.places import place_of
    from caderneta.vault.append import edit

    workspace = open_vault(ctx, vault)
    path, line = place_of(workspace, place)
    given: list[int] = []

    def change(text: str, first: int) -> str:
        fact = workspace.projection.at(path, line)
        if fact is None:
            raise Failure(UNKNOWN, f"Em {path}:{line} não há fato nenhum.")
        if fact.id is None:
            raise Failure(BAD_REQUEST, f"A linha {path}:{line} não tem número: use caderneta numerar {path}.")
        others = [f for f in workspace.projection.carriers(fact.id) if f != fact]
        if not others:
            raise Failure(BAD_REQUEST, f"#{fact.id} só está em {path}:{line}: não há por que mudar. Nada foi escrito.")
        new = renumber(path, text, line, first, workspace.settings)
        if new is None:
            raise Failure(BAD_REQUEST, f"Não consegui trocar só o número em {path}:{line}. Troque-o à mão por (#{first}).")
        given[:] = [fact.id, first]
        return new

    edit(workspace, path, change)
    show((f"#{given[1]}", "bold"), f" {path}:{line}")
    kept = workspace.projection.carriers(given[0])
    say(f"O que aponta para #{given[0]} vale para {', '.join(f'{f.path}:{f.line}' for f in kept)}.")
