"""The commands as people start them: a fresh process each time, imports included."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from bench.medir import MISSING, Place, Row

_MAIN = "import sys; sys.argv[0] = 'caderneta'; from caderneta.doors.cli.main import main; main()"
# What start-up should not pay for unless the command needs it.
_HEAVY = {"filelock", "frontmatter", "markdown_it", "mcp", "pathspec", "platformdirs"}
_HEAVY |= {"pydantic", "rich", "sqlite3", "typer", "watchdog", "yaml"}
_IMPORT = re.compile(r"import time:\s+(\d+) \|\s+\d+ \|\s*([\w.]+)")
_UNKNOWN = 2  # how a command line that is not understood ends


@dataclass(frozen=True, slots=True)
class Command:
    """What is typed (``turn`` tells one run from another), its goal in seconds, and the exits that mean it worked."""

    name: str
    line: Callable[[int], Sequence[str]]
    goal: float | None = None
    accept: tuple[int, ...] = (0,)


def commands(entity: str, file: str) -> tuple[Command, ...]:
    """The commands of architecture.md's goals, and those that come with later issues."""
    return (
        Command("estado", lambda turn: ["estado"], 0.2),
        Command("buscar", lambda turn: ["buscar", "cardápio"], 0.2),
        Command("lint de um arquivo", lambda turn: ["lint", file], 0.2, (0, 1)),
        Command("lint do cofre inteiro", lambda turn: ["lint"], None, (0, 1)),
        Command("contexto", lambda turn: ["contexto", "cardápio"]),
        Command("contradicoes", lambda turn: ["contradicoes"], None, (0, 1)),
        Command("add", lambda turn: ["add", entity, "observacao", f"anotada ao medir, vez {turn}"], 0.2),
    )


def measure(place: Place, each: Command, times: int, bare: Row) -> Row:
    """Seconds from start to end of a command in a fresh process, beside a Python that does nothing."""
    row = Row(f"`{each.name}`, processo novo", goal=each.goal)
    row.note = _missing(place, each)
    if row.note:
        return row
    row.samples, row.note = place.timed(times, lambda turn: [sys.executable, "-c", _MAIN, *each.line(turn)], each.accept)
    return row.against(bare, "Python vazio")


def imports(place: Place, each: Command, times: int) -> Row:
    """Seconds spent importing during a command, and which heavy packages it woke."""
    row = Row(f"importar: `{each.name}`")
    row.note = _missing(place, each)
    if row.note:
        return row
    samples = []
    woken: set[str] = set()
    for turn in range(times + 1):
        done = place.run([sys.executable, "-X", "importtime", "-c", _MAIN, *each.line(1000 + turn)])
        found = _IMPORT.findall(done.stderr)
        woken |= {name for _, name in found} & _HEAVY
        if turn:
            samples.append(sum(int(spent) for spent, _ in found) / 1e6)
    row.samples = samples
    row.ratio = "acorda " + ", ".join(sorted(woken)) if woken else "nada de pesado"
    return row


def _missing(place: Place, each: Command) -> str:
    """Why a command cannot be measured; empty when it can."""
    code = place.run([sys.executable, "-c", _MAIN, each.line(0)[0], "--help"]).returncode
    return "" if code == 0 else MISSING if code == _UNKNOWN else f"saiu com {code}"
