"""Adding lines to a file that a person may have open, and ids to lines already there (format §8).

Everything here happens under the vault's lock, on bytes read a moment before, and is proven on the resulting text
before the disk is touched: a line that would not count exactly as meant is refused, and nothing is written.
"""

from __future__ import annotations

import errno
import os
import random
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import NamedTuple

from caderneta.format.document import is_generated, parse
from caderneta.format.text import cut, split_lines, visible
from caderneta.format.values import Document, Fact
from caderneta.vault.exchange import InUse, swap
from caderneta.vault.files import (
    Changed,
    Read,
    Unreadable,
    VaultError,
    WriteFailed,
    decode,
    read,
    style,
    sync_folder,
    why,
)
from caderneta.vault.find import is_linked
from caderneta.vault.lock import locked
from caderneta.vault.workspace import Workspace

LARGEST_ID = 999_999_999
_TURNS = 3
_PATIENCE = 5.0  # seconds of starting over while somebody else keeps changing the file
_BINARY = getattr(os, "O_BINARY", 0)


class Refused(VaultError):
    """The line would not count where it was to be written. Nothing was written."""


def append(workspace: Workspace, path: str, build: Callable[[int], Sequence[str]]) -> tuple[Fact, ...]:
    """Add lines at the end of a file of the vault, which is created if need be, and return them as read back.

    ``build`` is called once, with the workspace up to date and the vault locked, and gets the next id, ``n``. It
    returns whole lines without line ends, the first carrying id ``n``, the second ``n + 1`` and so on: all of them are
    written in one stroke. It may look at ``workspace.projection``, raise (nothing is written), or return no line.
    Raises Refused, WriteFailed, Busy.
    """
    with locked(workspace.root):
        workspace.settle()
        first = workspace.next_id
        lines = tuple(build(first))
        if not lines:
            return ()
        if first + len(lines) - 1 > LARGEST_ID:
            raise Refused(f"Os números acabaram: o maior id possível é #{LARGEST_ID}.")
        tried: list[str] = []
        for _ in range(_TURNS):
            _retry(path, partial(_append_once, workspace, path, lines, first, tried))
            workspace.refresh([path])
            facts = _read_back(workspace, path, lines, first)
            if len(facts) == len(lines):
                return facts
            if _stand(_bytes(read(workspace.root / path)), lines):
                raise WriteFailed(
                    f"A linha foi escrita em {path}, mas outro programa mudou o arquivo no mesmo instante, e ali ela não "
                    "conta: confira o fim dele."
                )
    raise WriteFailed(f"Outro programa gravou {path} por cima da linha nova, sem ela: ela não está lá. Tente de novo.")


def edit(workspace: Workspace, path: str, change: Callable[[str, int], str | None]) -> bool:
    """Give ids (or days) to lines of a file: whether anything changed.

    ``change`` gets the file's text as it is (BOM and line ends included) and the next id, and returns the new text, or
    None. It is called again if somebody saves meanwhile. Raises Refused when a fact would come, go or say another
    thing, WriteFailed, Busy.
    """
    with locked(workspace.root):
        changed = _retry(path, partial(_edit_once, workspace, path, change))
        workspace.refresh([path])
        return changed


def shared_ids(workspace: Workspace, path: str) -> frozenset[int]:
    """The ids of a file that another line of the vault carries too, there or elsewhere."""
    document = workspace.projection.documents.get(path) or Document(path)
    numbers = {fact.id for fact in document.facts if fact.id is not None}
    return frozenset(number for number in numbers if len(workspace.projection.carriers(number)) > 1)


def edit_bytes(path: str | os.PathLike[str], expected: bytes, new: bytes) -> None:
    """Put ``new`` in the place of the file if it still holds ``expected``. Raises Changed, WriteFailed."""
    swap(path, expected, new)


def _retry(path: str, attempt: Callable[[], bool]) -> bool:
    end = time.monotonic() + _PATIENCE
    while True:
        try:
            return attempt()
        except Changed as changed:
            if time.monotonic() >= end:
                if isinstance(changed, InUse):
                    raise
                break
        time.sleep(random.uniform(0, 0.02))
    raise WriteFailed(f"{path} muda sem parar; tente de novo daqui a pouco. Nada foi escrito.")


class _Plan(NamedTuple):
    """Bytes to add to ``old`` (None: no file yet)."""

    old: bytes | None
    added: bytes


def _append_once(workspace: Workspace, path: str, lines: Sequence[str], first: int, tried: list[str]) -> bool:
    if tried and _stand(_bytes(read(workspace.root / path)), lines):
        return True  # somebody who was saving took the lines of an earlier attempt with him
    plan = _plan(workspace, path, lines, first)
    tried.append(path)
    _write(os.path.join(workspace.root, path), plan)
    # An editor may have put another file in the place of the one we wrote to.
    if not _stand(_bytes(read(workspace.root / path)), lines):
        raise Changed(f"{path} mudou enquanto era gravado.")
    return True


def _stand(data: bytes | None, lines: Sequence[str]) -> bool:
    """Whether every line stands in the file, whole."""
    text = decode(data or b"")
    return isinstance(text, str) and set(lines) <= set(split_lines(text))


def _read_back(workspace: Workspace, path: str, lines: Sequence[str], first: int) -> tuple[Fact, ...]:
    """The facts of the lines just written, by number and by what the line says: another may have taken the number."""
    document = workspace.projection.documents.get(path) or Document(path)
    written = split_lines(workspace.text(path)) if document.facts else []
    found = {
        fact.id: fact
        for fact in document.facts
        if fact.id is not None and 0 <= fact.id - first < len(lines) and written[fact.line - 1 :][:1] == [lines[fact.id - first]]
    }
    return tuple(found[number] for number in sorted(found))


def _plan(workspace: Workspace, path: str, lines: Sequence[str], first: int) -> _Plan:
    """What to add so that each line counts as it would alone in that file; a blank line first if that is needed."""
    old, text = _read_place(workspace, path)
    here = style(old or b"")
    expected = [_alone(workspace, path, line, first + n) for n, line in enumerate(lines)]
    before = parse(path, text, workspace.settings)
    newline = here.newline.decode()
    start = "" if here.final_newline else newline
    for blank in ("", newline) if text.strip("\ufeff") else ("",):
        added = start + blank + "".join(line + newline for line in lines)
        after = parse(path, text + added, workspace.settings)
        count = len(split_lines(text + start + blank))
        if _as_meant(before, after, expected, count):
            return _Plan(old, added.encode("utf-8"))
    raise Refused(_swallowed(path, before))


def _read_place(workspace: Workspace, path: str) -> tuple[bytes | None, str]:
    """The bytes (None: no file yet) and the text of a file where lines count; else raises Refused or WriteFailed."""
    strange = os.path.isabs(path) or ".." in path.split("/") or not workspace.rules.file(path)
    if strange or (is_linked(workspace.root, path) and path not in workspace.projection.documents):
        raise Refused(f"Uma linha escrita em {path} não contaria: não é uma nota deste cofre. Nada foi escrito.")
    _check_place(workspace.root, path)
    old = _bytes(read(workspace.root / path))
    text = decode(old or b"")
    if isinstance(text, int):
        raise WriteFailed(f"{path} não está em UTF-8 (byte {text}): nada foi escrito nele.")
    if is_generated(text):
        raise Refused(f"{path} é gerado por caderneta e não guarda fatos. Nada foi escrito.")
    if not workspace.counts(path):
        raise Refused(f"{path} é uma cópia de conflito: uma linha escrita nela não contaria. Nada foi escrito.")
    return old, text


def _check_place(root: Path, path: str) -> None:
    """Raises WriteFailed when no file of that name can be made, for a piece of its path is something else."""
    parts = path.split("/")
    for folder in ("/".join(parts[:n]) for n in range(1, len(parts))):
        if os.path.lexists(root / folder) and not (root / folder).is_dir():
            raise WriteFailed(f"{folder} é um arquivo, e não uma pasta: não há onde pôr {path}. Nada foi escrito.")
    if (root / path).is_symlink() and not (root / path).exists():
        raise WriteFailed(f"{path} é um atalho para um arquivo que não existe. Nada foi escrito.")


def _alone(workspace: Workspace, path: str, line: str, number: int) -> Fact:
    facts = parse(path, line, workspace.settings).facts if len(split_lines(line)) == 1 else ()
    if len(facts) != 1 or facts[0].id != number or facts[0].line != 1:
        raise Refused(f"Esta linha não seria lida como o fato #{number}. Nada foi escrito: {cut(visible(line))}")
    return facts[0]


def _as_meant(before: Document, after: Document, expected: Sequence[Fact], line_count: int) -> bool:
    """Whether the old facts stay as they are and each new line says there what it says alone."""
    old = tuple(fact for fact in after.facts if fact.line <= line_count)
    new = tuple(fact for fact in after.facts if fact.line > line_count)
    if old != before.facts or len(new) != len(expected):
        return False
    return all(fact == alone._replace(line=line_count + 1 + n) for n, (fact, alone) in enumerate(zip(new, expected, strict=True)))


def _swallowed(path: str, document: Document) -> str:
    opened = [finding.line for finding in document.findings if finding.code in ("CAD121", "CAD125")]
    where = f" aberto na linha {opened[-1]}" if opened else ""
    return (
        f"{path} termina dentro de um trecho{where} onde nada conta (cerca, comentário, HTML ou título com outro "
        "assunto): a linha nova não valeria. Feche-o e tente de novo. Nada foi escrito."
    )


def _write(path: str, plan: _Plan) -> None:
    """One ``write`` to the end of the file, on the disk before this returns. On failure the file is as it was."""
    name = os.path.basename(path)
    try:
        descriptor = _open(path, plan.old is None)
    except FileExistsError:
        raise Changed(f"{name} apareceu enquanto era criado.") from None
    except OSError as error:
        raise WriteFailed(f"Não deu para gravar {name}: {why(error)}. Nada foi escrito.") from error
    try:
        size = os.fstat(descriptor).st_size
        if plan.old is not None and _bytes(read(path)) != plan.old:
            raise Changed(f"{name} mudou enquanto era gravado.")
        try:
            if os.write(descriptor, plan.added) != len(plan.added):
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
            os.fsync(descriptor)
        except BaseException:
            _undo(descriptor, path, size, plan)
            raise
    except OSError as error:
        raise WriteFailed(f"Não deu para gravar {name}: {why(error)}. O que havia continua lá.") from error
    finally:
        os.close(descriptor)
    if plan.old is None:
        sync_folder(os.path.dirname(path))


def _open(path: str, new: bool) -> int:
    if not new:
        return os.open(path, os.O_WRONLY | os.O_APPEND | _BINARY)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    return os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_EXCL | _BINARY, 0o666)


def _undo(descriptor: int, path: str, size: int, plan: _Plan) -> None:
    """Cut off what a failed write left, unless somebody else wrote after it."""
    with suppress(OSError):
        left = (_bytes(read(path)) or b"")[size:]
        if left and plan.added.startswith(left):
            os.ftruncate(descriptor, size)
        if plan.old is None and os.fstat(descriptor).st_size == 0:
            os.unlink(path)


def _edit_once(workspace: Workspace, path: str, change: Callable[[str, int], str | None]) -> bool:
    workspace.settle()
    old, text = _read_place(workspace, path)
    if old is None:
        raise WriteFailed(f"{path} não existe.")
    new = change(text, workspace.next_id)
    if new is None or new == text:
        return False
    if _sayings(workspace, path, text) != _sayings(workspace, path, new):
        raise Refused(f"Numerar {path} mudaria o que as linhas dizem. Nada foi escrito.")
    edit_bytes(workspace.root / path, old, new.encode("utf-8"))
    return True


def _sayings(workspace: Workspace, path: str, text: str) -> list[tuple[object, ...]]:
    facts = parse(path, text, workspace.settings).facts
    return [(fact.type, fact.text, fact.subject, fact.targets, fact.line) for fact in facts]


def _bytes(result: Read | Unreadable) -> bytes | None:
    """A file's bytes; None when there is no file. Raises WriteFailed when it cannot be read."""
    if isinstance(result, Read):
        return result.data
    if result.missing:
        return None
    raise WriteFailed(f"Não deu para ler o arquivo antes de gravar: {result.reason}. Nada foi escrito.")
