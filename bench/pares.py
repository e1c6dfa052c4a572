"""Other programs on the same facts, when they are installed: a figure alone says little."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path

from bench.medir import NOT_INSTALLED, Place, Row

_LEDGER = "import sys; from beancount import loader; entries, errors, _ = loader.load_file(sys.argv[1]); assert not errors"


def linter(place: Place, file: str, times: int) -> Row:
    """A Markdown linter on the file that our `lint` reads."""
    row = Row("par: linter de Markdown, um arquivo")
    for name, arguments in (("pymarkdown", ["scan"]), ("markdownlint-cli2", []), ("markdownlint", [])):
        program = _program(name)
        if program:
            row.name += f" ({name})"
            return _timed(row, place, times, [program, *arguments, file], (0, 1))
    row.note = NOT_INSTALLED
    return row


def scanner(place: Place, times: int) -> Row:
    """A plain text search for the word that our `buscar` looks for."""
    row = Row("par: busca de texto puro no cofre")
    for name, arguments in (("rg", ["-c"]), ("grep", ["-rc"])):
        program = _program(name)
        if program:
            row.name += f" ({name})"
            return _timed(row, place, times, [program, *arguments, "cardápio", str(place.root)])
    row.note = NOT_INSTALLED
    return row


def ledger(place: Place, facts: int, scratch: Path, times: int) -> Row:
    """The loader of a plain-text accounting program on as many directives as the vault has facts."""
    row = Row("par: carga de diário contábil (beancount), tantas linhas quantos fatos", unit="s")
    if find_spec("beancount") is None:
        row.note = NOT_INSTALLED
        return row
    book = scratch / f"diario-{facts}.beancount"
    with book.open("w", encoding="utf-8") as file:
        file.write("2020-01-01 open Assets:Caixa\n")
        for number in range(facts):
            file.write(f'2020-{1 + number % 12:02d}-{1 + number % 28:02d} note Assets:Caixa "observação {number} do diário"\n')
    return _timed(row, place, times, [sys.executable, "-c", _LEDGER, str(book)])


def _timed(row: Row, place: Place, times: int, command: Sequence[str], accept: Sequence[int] = (0,)) -> Row:
    row.samples, row.note = place.timed(times, lambda turn: command, accept)
    return row


def _program(name: str) -> str | None:
    beside = Path(sys.executable).with_name(name)
    return str(beside) if beside.exists() else shutil.which(name)
