"""ESTADO.md on the disk (format §7): written only when its text changes, and never over somebody's own file."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from caderneta.format.document import is_generated
from caderneta.vault.files import Changed, Read, VaultError, WriteFailed, read, replace
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

    An empty file is nobody's and may be replaced.
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
    if isinstance(result, Read):
        if result.data.strip() and not is_generated(result.data.decode("utf-8", "replace")):
            raise NotGenerated(
                f"Há um {NAME} na raiz do cofre que não foi gerado por caderneta. Não escrevi por cima dele: "
                "dê-lhe outro nome, e eu gero o meu."
            )
        return result.data
    if result.missing:
        return None
    raise WriteFailed(f"Não deu para ler {NAME}: {result.reason}.")
