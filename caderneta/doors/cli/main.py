"""The command ``caderneta``: which word runs which function, and how its end becomes an exit code.

Each command's module is imported only when that command runs: a hook pays for every import at every start.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from importlib import import_module
from typing import Annotated, Any

import typer

from caderneta import __version__
from caderneta.doors.cli.portuguese import Command, Group, UnknownCommand, complaint
from caderneta.doors.cli.streams import OutputFull, OutputLost, guarded, reserve_descriptors
from caderneta.doors.cli.text import flush, put, say, use_utf8
from caderneta.doors.failure import BAD_REQUEST, DISK, Failure
from caderneta.format.text import collapse, cut, visible

_INTERRUPTED = 130
DEBUG_VARIABLE = "CADERNETA_DEPURAR"

# Command → its module, its function, and a line for the help page, whose order is this one.
COMMANDS = {
    "init": ("init", "init", "Faz de uma pasta um cofre."),
    "add": ("write", "add", "Acrescenta uma linha à nota de hoje."),
    "trocar": ("write", "trocar", "O que passa a valer, e a morte do que valia."),
    "superar": ("events", "superar", "Isto deixou de ser verdade."),
    "resolver": ("events", "resolver", "Isto foi feito."),
    "aposentar": ("events", "aposentar", "Isto sai da vista, sem deixar de ser verdade."),
    "restaurar": ("events", "restaurar", "Isto volta à vista."),
    "estado": ("estado", "estado", "O que vale, num retrato."),
    "vigiar": ("vigiar", "vigiar", "Mantém ESTADO.md em dia a cada arquivo salvo."),
    "buscar": ("buscar", "buscar", "Procura nas linhas, com o estado de cada uma."),
    "ver": ("ver", "ver", "Uma linha inteira: se vale, e por quê (ou: porque)."),
    "porque": ("ver", "ver", ""),
    "numerar": ("numerar", "numerar", "Dá número às linhas que não têm."),
    "renumerar": ("numerar", "renumerar", "Outro número para uma de duas linhas com o mesmo."),
    "lint": ("lint", "lint", "O que não se lê, o que quase conta, o que não fecha."),
    "exportar": ("exportar", "exportar", "Todos os fatos, um objeto JSON por linha."),
}
_ALIASES = {"porque"}  # the same command under another name, out of the help page


class _Commands(Group):
    """The group, with each command built when it is asked for."""

    def list_commands(self, ctx: Any) -> list[str]:
        return [name for name in COMMANDS if name not in _ALIASES]

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        if cmd_name not in COMMANDS:
            return None
        if cmd_name not in self.commands:
            module, function, summary = COMMANDS[cmd_name]
            alone = typer.Typer(add_completion=False, rich_markup_mode=None)
            run = getattr(import_module(f"caderneta.doors.cli.{module}"), function)
            alone.command(cmd_name, cls=Command, short_help=summary)(run)
            self.commands[cmd_name] = typer.main.get_command(alone)
        return self.commands[cmd_name]


def _version(asked: bool) -> None:
    if asked:
        typer.echo(f"caderneta {__version__}")
        raise typer.Exit


app = typer.Typer(cls=_Commands, add_completion=False, rich_markup_mode=None, no_args_is_help=True)


@app.callback()
def caderneta(
    vault: Annotated[str | None, typer.Option("--vault", "-C", metavar="PASTA", help="A pasta do cofre.")] = None,
    version: Annotated[bool, typer.Option("--version", help="Mostra a versão.", callback=_version, is_eager=True)] = False,
) -> None:
    """Memória em Markdown: fatos datados, um por linha, que não se apagam; ESTADO.md diz o que vale.

    O cofre é o de --vault, senão o de CADERNETA_VAULT, senão a pasta mais próxima, daqui para cima, que tenha Caderneta.md.
    """


def run(arguments: Sequence[str]) -> int:
    """Runs one command line and returns its exit code. Complaints go to stderr, as finished sentences."""
    with guarded():
        code = 0
        try:
            code = _run(arguments)
            flush()
        except OutputFull:
            say("A saída está fechada ou cheia: a resposta não saiu inteira.")
            code = code or DISK
        except OutputLost:
            pass  # whoever was reading has seen enough
        except Exception as error:
            code = _unforeseen(error)
        return code


def _run(arguments: Sequence[str]) -> int:
    try:
        result = typer.main.get_command(app)(args=list(arguments), prog_name="caderneta", standalone_mode=False)
        return result if isinstance(result, int) else 0
    except Failure as failure:
        say(str(failure))
        return failure.code
    except UnknownCommand as unknown:
        say(str(unknown))
        return BAD_REQUEST
    except KeyboardInterrupt:
        return _INTERRUPTED
    except OutputLost:
        raise
    except Exception as error:
        return _explain(error)


def _explain(error: Exception) -> int:
    from caderneta.vault.files import VaultError

    if isinstance(error, VaultError):
        from caderneta.vault.append import Refused

        say(str(error))
        return BAD_REQUEST if isinstance(error, Refused) else DISK
    if type(error).__name__ == "NoArgsIsHelpError":
        typer.echo(error.ctx.get_help())  # type: ignore[attr-defined]
        return BAD_REQUEST
    if hasattr(error, "format_message") and hasattr(error, "exit_code"):
        context = getattr(error, "ctx", None)
        if context is not None:
            say(context.get_usage())
        say(complaint(error))
        return BAD_REQUEST
    return _unforeseen(error)


def _unforeseen(error: Exception) -> int:
    """A fault of ours: named for a person, whole for whoever is going to mend it."""
    if os.environ.get(DEBUG_VARIABLE):
        import traceback

        put("".join(traceback.format_exception(error)), sys.stderr)
        return DISK
    said = cut(collapse(visible(str(error))), 200)
    what = f"{type(error).__name__}: {said}" if said else type(error).__name__
    say(
        f"Algo deu errado dentro da caderneta: {what.rstrip('.')}. Nada foi escrito se não há linha acima. "
        f"Rode de novo com {DEBUG_VARIABLE}=1 para ver onde."
    )
    return DISK


def main() -> None:
    """The entry point of the package."""
    reserve_descriptors()
    use_utf8()
    sys.exit(run([_as_utf8(argument) for argument in sys.argv[1:]]))


def _as_utf8(argument: str) -> str:
    """An argument that the locale could not read, read as UTF-8 if it is."""
    try:
        return os.fsencode(argument).decode("utf-8")
    except UnicodeError:
        return argument
