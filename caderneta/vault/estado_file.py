"""ESTADO.md on the disk (format §7): written only when its text changes, and never over somebody's own file."""

from __future__ import annotations

import os
from functools import partial
from pathlib import Path

from caderneta.format.document import GENERATED
from caderneta.vault.files import BOM, Changed, Read, VaultError, WriteFailed, read, replace
from caderneta.vault.workspace import Workspace

NAME = "ESTADO.md"
_TRIES = 5


class NotGenerated(VaultError):
    """An ESTADO.md that caderneta did not make stands at the vault's root."""


def estado_text(workspace: Workspace) -> str:
    """What ESTADO.md is to say of the vault as the workspace holds it, within what its settings ask for."""
    from caderneta.views.estado import Options, render, sections

    settings = workspace.settings
    options = Options(settings.task_days, settings.decision_days, settings.max_tokens, next_id=workspace.next_id)
    return render(sections(workspace.projection, options))


def write_estado(root: Path, text: str) -> bool:
    """Make ESTADO.md say ``text``; whether anything was written. Raises NotGenerated, WriteFailed.

    An empty file is nobody's and may be replaced; one that is a link, only when what it leads to is ours already.
    """
    path = root / NAME
    data = text.encode("utf-8")
    for _ in range(_TRIES):
        old = _current(path)
        if old == data:
            return False
        try:
            replace(path, data, still=partial(_holds, path, old))
        except Changed:
            continue
        return True
    raise WriteFailed(f"{NAME} muda sem parar; desisti de gravar por ora.")


def _holds(path: Path, old: bytes | None) -> bool:
    return _current(path) == old


def _current(path: Path) -> bytes | None:
    result = read(path)
    linked = path.is_symlink()
    if isinstance(result, Read):
        if (result.data.strip() or linked) and not _ours(result.data):
            raise NotGenerated(
                f"Há um {NAME} na raiz do cofre que não foi gerado por caderneta. Não escrevi por cima dele: "
                "dê-lhe outro nome, e eu gero o meu."
            )
        return result.data
    if result.missing and linked:
        raise NotGenerated(
            f"{NAME} é um atalho para um arquivo que não existe ({os.readlink(path)}). Não criei nada fora do lugar: "
            "apague o atalho, e eu gero o meu."
        )
    if result.missing:
        return None
    raise WriteFailed(f"Não deu para ler {NAME}: {result.reason}.")


def _ours(data: bytes) -> bool:
    """By its whole first line: somebody's own file may begin alike."""
    first = data.removeprefix(BOM).partition(b"\n")[0]
    return first.rstrip(b" \t\r") == GENERATED.encode("utf-8")
