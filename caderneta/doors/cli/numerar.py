"""`numerar` and `renumerar`: ids for lines already there."""

from __future__ import annotations

from typing import Annotated

import typer

from caderneta.doors.cli.session import Vault, open_vault, unreadable
from caderneta.doors.cli.text import after_writing, say, show
from caderneta.doors.failure import BAD_REQUEST, DISK, UNKNOWN, Failure
from caderneta.format.number import Numbered, number, renumber
from caderneta.format.text import visible


def numerar(
    ctx: typer.Context,
    files: Annotated[list[str] | None, typer.Argument(metavar="ARQUIVOS…", help="Só estes; sem nenhum, o cofre todo.")] = None,
    vault: Vault = None,
) -> None:
    """Dá número às linhas que não têm. Fora dos diários, escreve também o dia de hoje nas que não têm data.

    Exemplo: caderneta numerar diario/2026/2026-07-20.md
    """
    from caderneta.doors.cli.places import among, vault_paths
    from caderneta.doors.numbers import check_room
    from caderneta.vault.append import LARGEST_ID, edit, shared_ids

    workspace = open_vault(ctx, vault)
    chosen = vault_paths(workspace, files, missing_is_wrong=True) if files else {"."}
    today, settings = workspace.projection.today, workspace.settings
    results: dict[str, Numbered] = {}
    for path in sorted(chosen):
        if path not in workspace.projection.documents and (workspace.root / path).is_file():
            raise Failure(BAD_REQUEST, f"{visible(path)} não é uma nota do cofre: nada nela conta. Nada foi escrito.")

    named = {path for path in unreadable(workspace.projection) if path in chosen}
    if named:
        raise Failure(DISK, f"Não deu para ler {visible(min(named))} (caderneta lint diz por quê). Nada foi escrito.")

    def change(text: str, first: int) -> str:
        document = workspace.projection.documents.get(path)
        wanted = sum(1 for fact in document.facts if fact.id is None) if document else 0
        if first + wanted > LARGEST_ID:  # few vaults, and only they need to know how many lines can really take one
            check_room(workspace, first, len(number(path, text, 1, today, settings).ids))
        results[path] = number(path, text, first, today, settings, shared_ids(workspace, path))
        return results[path].text

    path = ""
    try:
        every = workspace.projection.documents.items()
        for path in sorted(p for p, document in every if document.facts and among(p, chosen)):
            edit(workspace, path, change)
    except BaseException:
        results.pop(path, None)
        if any(done.ids or done.dated for done in results.values()):
            _report(results)  # those stand written
        raise
    _report(results)


def _report(results: dict[str, Numbered]) -> None:
    if any(done.ids or done.dated for done in results.values()):
        with after_writing():
            _tell(results)
    for path, done in results.items():
        for line in done.skipped:
            say(f"{path}:{line} ficou sem número: o fim da linha não se lê (caderneta lint diz por quê).")
        for line in done.shared:
            say(f"{path}:{line} ficou sem data: outra linha tem o mesmo número (caderneta lint diz qual).")
    if not any(done.ids or done.dated for done in results.values()):
        say("Toda linha que pode ter número já tem.")


def _tell(results: dict[str, Numbered]) -> None:
    for path, done in results.items():
        for line, given in done.ids:
            show((f"#{given}", "bold"), f" {path}:{line}")
    for path, done in results.items():
        numbered = {line for line, _ in done.ids}
        for line in done.dated:
            if line not in numbered:
                show(("data de hoje", "bold"), f" {path}:{line}")


def renumerar(
    ctx: typer.Context,
    place: Annotated[str, typer.Argument(metavar="ARQUIVO:LINHA", help="A linha que troca de número.")],
    vault: Vault = None,
) -> None:
    """Dá outro número a uma de duas linhas que têm o mesmo. A outra fica com ele.

    Exemplo: caderneta renumerar diario/2026/2026-07-20.md:9
    """
    from caderneta.doors.cli.places import place_of
    from caderneta.doors.numbers import check_room
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
        check_room(workspace, first, 1)
        new = renumber(path, text, line, first, workspace.settings)
        if new is None:
            raise Failure(BAD_REQUEST, f"Não consegui trocar só o número em {path}:{line}. Troque-o à mão por (#{first}).")
        given[:] = [fact.id, first]
        return new

    edit(workspace, path, change)
    with after_writing():
        show((f"#{given[1]}", "bold"), f" {path}:{line}")
    kept = workspace.projection.carriers(given[0])
    say(f"O que aponta para #{given[0]} vale para {', '.join(f'{f.path}:{f.line}' for f in kept)}.")
