"""`init`: a vault from the template, or the example beside it. Adds what is missing, overwrites nothing."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated

import typer

import caderneta
from caderneta.doors.cli.text import after_writing, say, show
from caderneta.doors.failure import BAD_REQUEST, DISK, Failure
from caderneta.format.settings import SETTINGS_FILE as SETTINGS
from caderneta.vault.files import why
from caderneta.vault.find import OBSIDIAN_DAILY

_EXAMPLE_FOLDER = "caderneta-exemplo"
_DAILY_KEY = b"\ndiario:"


def init(
    folder: Annotated[str | None, typer.Argument(metavar="PASTA", help="Onde fica o cofre; sem ela, a pasta atual.")] = None,
    example: Annotated[
        bool, typer.Option("--exemplo", help=f"Um cofre de exemplo, à parte (sem PASTA, em {_EXAMPLE_FOLDER}).")
    ] = False,
) -> None:
    """Faz de uma pasta um cofre. Numa pasta que já tem notas, só acrescenta o que falta.

    Exemplo: caderneta init minhas-notas
    """
    root = Path(folder or (_EXAMPLE_FOLDER if example else ".")).expanduser()
    source = _source("exemplo" if example else "vault-template")
    if example:
        _check_apart(root, source)
    try:
        made, kept = _lay(source, root)
    except OSError as error:
        name = f" {error.filename}" if error.filename else ""
        raise Failure(DISK, f"Não deu para criar{name}: {why(error)}.") from error
    if made:
        with after_writing():
            for path in made:
                show(f"+ {path}")
    _close(root, made, kept, example)


def _source(name: str) -> Path:
    """The folder to copy: package data in a wheel, the repository's own folder beside the package."""
    package = Path(caderneta.__file__).parent
    packed = package / "data" / name
    return packed if packed.is_dir() else package.parent / ("docs/exemplo" if name == "exemplo" else name)


def _check_apart(root: Path, source: Path) -> None:
    """The example is never mixed with somebody's notes."""
    ours = root / SETTINGS
    if ours.is_file() and ours.read_bytes() == (source / SETTINGS).read_bytes():
        return
    if root.exists() and any(root.iterdir()):
        raise Failure(BAD_REQUEST, f"{root} já tem coisas dentro: o exemplo vai numa pasta só dele. Nada foi escrito.")
    around = next((up for up in root.resolve().parents if (up / SETTINGS).is_file()), None)
    if around is not None:
        raise Failure(
            BAD_REQUEST, f"{root} fica dentro do cofre {around}: o exemplo se misturaria às suas notas. Nada foi escrito."
        )


def _lay(source: Path, root: Path) -> tuple[list[str], list[str]]:
    """Copies what is missing: (files made, files that were there already)."""
    made: list[str] = []
    kept: list[str] = []
    own_daily = (root / OBSIDIAN_DAILY).is_file()
    for folder, folders, names in os.walk(source):
        folders.sort()
        place = root / Path(folder).relative_to(source)
        place.mkdir(parents=True, exist_ok=True)
        for name in sorted(names):
            path = (place / name).relative_to(root).as_posix()
            data = (Path(folder) / name).read_bytes()
            if path == SETTINGS and own_daily:
                data = data.replace(_DAILY_KEY, b"\n# diario:", 1)
            try:
                with open(place / name, "xb") as file:
                    file.write(data)
                made.append(path)
            except FileExistsError:
                kept.append(path)
    return made, kept


def _close(root: Path, made: list[str], kept: list[str], example: bool) -> None:
    if not made:
        say(f"Nada a fazer: {root} já é um cofre completo.")
        return
    if kept:
        say(f"Já havia, e não mexi: {', '.join(kept)}.")
    here = "" if root.resolve() == Path.cwd() else f"cd {root} && "
    day = " --em 2026-07-20" if example else ""
    say(f"Pronto. Agora: {here}caderneta {'estado' + day if example else 'vigiar'}")
