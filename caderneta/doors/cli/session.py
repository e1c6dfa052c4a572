"""What a command needs of the world: which vault, which day, what time, and the vault read."""

from __future__ import annotations

import os
import shlex
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from caderneta.doors.cli.text import say, working
from caderneta.doors.failure import BAD_REQUEST, DISK, UNKNOWN, Failure
from caderneta.format.dates import ImpossibleDay, is_day, read_day
from caderneta.format.text import identity, visible

if TYPE_CHECKING:
    from caderneta.format.values import Fact
    from caderneta.ledger.projection import Projection
    from caderneta.vault.workspace import Workspace

TODAY_VARIABLE = "CADERNETA_HOJE"

Vault = Annotated[str | None, typer.Option("--vault", "-C", metavar="PASTA", help="A pasta do cofre.", show_default=False)]
Json = Annotated[bool, typer.Option("--json", help="Responde em JSON.", show_default=False)]


def root_of(ctx: typer.Context, vault: str | None) -> Path:
    """The vault's folder: ``--vault`` here or before the command, else CADERNETA_VAULT, else upwards. Raises VaultNotFound."""
    from caderneta.vault.find import find_root

    try:
        here = os.getcwd()
    except OSError:
        raise Failure(DISK, "A pasta em que você está não existe mais. Entre em outra e tente de novo.") from None
    return find_root(here, os.environ, vault or ctx.find_root().params.get("vault"))


def today() -> str:
    """The day the command believes it is. Raises Failure when CADERNETA_HOJE is no day."""
    said = os.environ.get(TODAY_VARIABLE)
    if not said:
        return datetime.now().date().isoformat()
    if not is_day(said):
        raise Failure(BAD_REQUEST, f'{TODAY_VARIABLE} vale "{visible(said)}", que não é um dia. Escreva AAAA-MM-DD.')
    return said


def now() -> str:
    """The hour a new line carries."""
    return datetime.now().strftime("%H:%M")


def open_vault(ctx: typer.Context, vault: str | None, day: str | None = None, *, tells_findings: bool = False) -> Workspace:
    """The vault, read, as it holds on ``day`` (today).

    Files that could not be read are named on stderr, since any answer may lack what they hold, unless the command
    ``tells_findings`` itself.
    """
    from caderneta.vault.workspace import Workspace

    root = root_of(ctx, vault)
    with working("Lendo o cofre"):
        workspace = Workspace.open(root, day or today())
    if not tells_findings and (unread := unreadable(workspace.projection)):
        names = ", ".join(visible(path) for path in unread[:3]) + (f" e mais {len(unread) - 3}" if len(unread) > 3 else "")
        say(f"Não deu para ler {names}: a resposta pode estar incompleta (caderneta lint diz por quê).")
    return workspace


def unreadable(projection: Projection) -> list[str]:
    """The paths whose lines are unknown: not UTF-8, or not readable at all."""
    return sorted({f.path for code in ("CAD301", "CAD306") for f in projection.findings_of(code)})


def day_option(written: str | None, option: str) -> str | None:
    """A date typed in an option, in any form the format reads. Raises Failure."""
    if written is None:
        return None
    try:
        day = read_day(written.strip())
    except ImpossibleDay:
        raise Failure(BAD_REQUEST, f'{option}: o dia "{visible(written)}" não existe no calendário.') from None
    if day is None:
        raise Failure(BAD_REQUEST, f'{option}: "{visible(written)}" não é um dia. Escreva AAAA-MM-DD.')
    return day


def number_of(written: str, command: str) -> int:
    """An id as typed: ``41``, ``#41`` or ``(#41)``. Raises Failure."""
    digits = written.strip(" ()\\").removeprefix("#")
    if not (digits.isascii() and digits.isdigit() and len(digits) <= 9 and int(digits)):
        raise Failure(
            BAD_REQUEST, f'"{visible(written)}" não é o número de uma linha. Escreva, por exemplo, caderneta {command} 41.'
        )
    return int(digits)


def facts_of(projection: Projection, number: int) -> tuple[Fact, ...]:
    """Every different line that carries an id. Raises Failure when none does."""
    found = projection.with_id(number)
    if not found:
        raise Failure(UNKNOWN, f"{missing(projection, number)}.")
    return found


def missing(projection: Projection, number: int) -> str:
    """That an id does not exist, and which is the last one."""
    last = projection.largest_line_id
    return f"#{number} não existe (o último é #{last})" if last else f"#{number} não existe (ainda não há nenhuma linha numerada)"


def entity_of(projection: Projection, name: str) -> str:
    """The key of an entity typed in an option. Raises Failure when nobody ever wrote it, naming the nearest, and when
    several notes may be meant. ``/Nome`` means the note of that name that stands in no folder."""
    from caderneta.doors.names import advice, claimants, in_no_folder, near, which

    bare = name.strip().removeprefix("[[").removesuffix("]]")
    notes = claimants(projection, bare)
    root = in_no_folder(bare, notes)
    if notes and (root is None or identity(bare) != identity(root)):
        other = f" (ou {shlex.quote(root)}, a que não está em pasta nenhuma)" if root else ""
        raise Failure(UNKNOWN, f"{which(bare, notes)} {advice(bare, notes, '--entidade')}{other}")
    key = projection.known_entity(bare)
    if key is None:
        names = near(projection, bare)
        hint = " A mais parecida é " + " ou ".join(f'"{visible(n)}"' for n in names) + "." if names else ""
        raise Failure(UNKNOWN, f'Ninguém escreveu ainda sobre "{visible(bare)}".{hint}')
    return key
