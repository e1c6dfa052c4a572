"""`vigiar`: keeps ESTADO.md true while people save, and says quietly what it saw."""

from __future__ import annotations

from contextlib import ExitStack
from typing import TYPE_CHECKING, Annotated

import typer

from caderneta.doors.cli.session import Vault, now, root_of, today
from caderneta.doors.cli.streams import OutputFull
from caderneta.doors.cli.text import flush, say, show, working
from caderneta.format.text import visible
from caderneta.views.shown import count

if TYPE_CHECKING:
    from caderneta.vault.watch import Refresh

_SHOWN_FILES = 3


def vigiar(
    ctx: typer.Context,
    polling: Annotated[
        bool, typer.Option("--polling", help="Olha o cofre a cada segundo, sem esperar avisos do sistema.")
    ] = False,
    vault: Vault = None,
) -> None:
    """Vigia o cofre e mantém ESTADO.md em dia a cada arquivo salvo. Ctrl-C encerra.

    Exemplo: caderneta vigiar
    """
    from caderneta.vault.watch import watch

    root = root_of(ctx, vault)
    begun = False

    def tell(refresh: Refresh) -> None:
        nonlocal begun
        if not begun:  # not before: another process may be watching, and then this one never begins
            begun = True
            reading.close()
            say(f"Vigiando {root}. Ctrl-C encerra.")
        try:
            _tell(refresh)
        except OutputFull:  # ESTADO.md matters more than the account of it
            say("A saída está fechada ou cheia: sigo vigiando, calado.")

    with ExitStack() as reading:
        reading.enter_context(working("Lendo o cofre"))
        watch(root, today=today, on_refresh=tell, polling=polling)
    say("Parei de vigiar.")


def _tell(refresh: Refresh) -> None:
    """One quiet line a refresh: hour, files, what there is now, how long it took."""
    if refresh.error:
        show((now(), "dim"), " ", (refresh.error, "red"), indent=6)
    else:
        facts, findings = count(refresh.facts, "fato", "fatos"), count(refresh.findings, "achado", "achados")
        show(
            (now(), "dim"), " ", _files(refresh.files), (" · ", "dim"), facts, (" · ", "dim"),
            (findings, "yellow" if refresh.findings else ""), (f" · {refresh.seconds * 1000:.0f} ms", "dim"), indent=6,
        )  # fmt: skip
    flush()


def _files(files: tuple[str, ...]) -> str:
    if not files:
        return "ESTADO.md"
    shown = ", ".join(visible(f) for f in files[:_SHOWN_FILES])
    return shown if len(files) <= _SHOWN_FILES else f"{shown} e mais {len(files) - _SHOWN_FILES}"
