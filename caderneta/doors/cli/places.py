"""Files and lines as a person types them, from any folder → paths inside the vault."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from caderneta.doors.cli.text import say
from caderneta.doors.failure import BAD_REQUEST, DISK, Failure
from caderneta.format.text import visible

if TYPE_CHECKING:
    from caderneta.vault.workspace import Workspace


def vault_path(workspace: Workspace, written: str) -> str:
    """A file's path inside the vault: typed from the current folder, from the vault's, or by its name alone.

    Messages call a file by its name, so a name that only one note of the vault has is enough. Raises Failure outside the
    vault, and for a name that several notes have.
    """
    root = workspace.root
    if "/" not in written and not any(os.path.lexists(base / written) for base in (Path.cwd(), root)):
        named = [path for path in sorted(workspace.projection.documents) if path.rpartition("/")[2] == written]
        if len(named) > 1:
            places = ", ".join(visible(path) for path in named)
            raise Failure(
                BAD_REQUEST, f"{visible(written)} é o nome de {len(named)} arquivos ({places}). Escreva o caminho de um."
            )
        if named:
            return named[0]
    for base in (Path.cwd(), root):
        full = base / written
        if not os.path.lexists(full) and base != root:
            continue
        folder = os.path.realpath(full.parent)  # a linked file keeps its own name
        inside = os.path.relpath(os.path.join(folder, full.name), os.path.realpath(root)).replace(os.sep, "/")
        if inside.split("/")[0] != "..":
            return inside
    raise Failure(BAD_REQUEST, f"{visible(written)} não está no cofre {root}.")


def vault_paths(workspace: Workspace, written: Sequence[str], *, missing_is_wrong: bool = False) -> set[str]:
    """The same for many; one that is not there is told and left out, or (for who writes) raises Failure."""
    found = set()
    for name in written:
        path = vault_path(workspace, name)
        if os.path.lexists(workspace.root / path):
            found.add(path)
        elif missing_is_wrong:
            raise Failure(DISK, f"{visible(name)} não existe. Nada foi escrito.")
        else:
            say(f"{visible(name)} não existe: passo adiante.")
    return found


def among(path: str, chosen: set[str]) -> bool:
    """Whether a path is one of the chosen files, or stands in a chosen folder."""
    return path in chosen or "." in chosen or any(path.startswith(f"{folder}/") for folder in chosen)


def place_of(workspace: Workspace, written: str) -> tuple[str, int]:
    """``ARQUIVO:LINHA`` → (path in the vault, line). Raises Failure."""
    name, colon, line = written.rpartition(":")
    if not (colon and name and line.isascii() and line.isdigit()):
        raise Failure(BAD_REQUEST, f'"{visible(written)}" não diz onde: escreva ARQUIVO:LINHA, como diario/2026/2026-07-20.md:9.')
    path = vault_path(workspace, name)
    if not os.path.lexists(workspace.root / path):
        raise Failure(DISK, f"{visible(name)} não existe. Nada foi escrito.")
    return path, int(line)
