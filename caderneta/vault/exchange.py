"""New bytes in the place of a file that other programs may be saving at this very moment (format §8).

A plain replacement throws away whatever came into the file after the last look at it. Where the system can exchange two
names at once, what stood in the place comes out whole and is looked at: if it is not what was expected, it goes back and
nothing happened. A program that still has the old file open is waited for, and what it adds is brought to the new one.
"""

from __future__ import annotations

import errno
import os
import signal
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from functools import cache

from caderneta.vault.files import Changed, WriteFailed, sync_folder, temp_beside, why, write_all, write_new

_FOLLOW = 0.1  # seconds of looking at the old file, where nobody can tell whether it is open elsewhere,
_FOLLOW_OPEN = 2.0  # and where it is known to be
_ROUNDS = 20
_UNSUPPORTED = (errno.ENOSYS, errno.EINVAL, errno.ENOTSUP, errno.EOPNOTSUPP, errno.EPERM)


class InUse(Changed):
    """Another program has the file open for writing: what it writes later would go to the old file."""


def swap(path: str | os.PathLike[str], expected: bytes, new: bytes) -> None:
    """Put ``new`` in the place of the file if it holds ``expected``; what others write meanwhile is kept.

    A symlink stays and its real file changes. Raises Changed (InUse) when the file is not, or may not stay, what was
    expected: then it is as others left it. Other failures raise WriteFailed.
    """
    target = os.path.realpath(path)
    folder, name = os.path.split(target)
    temp = temp_beside(target)
    try:
        write_new(temp, new, target)
        try:
            _swap(temp, target, expected, new)
        except Changed:
            _remove(temp)
            raise
        except BaseException:
            # Only what is known to stand elsewhere, or was about to be replaced, may go.
            if _content_of(temp) in (new, expected):
                _remove(temp)
            raise
        _remove(temp)
    except FileNotFoundError:
        raise Changed(f"{name} sumiu enquanto era gravado. Nada foi escrito.") from None
    except OSError as error:
        kept = f"Parte dele ficou em {temp}." if os.path.exists(temp) else "O que havia continua lá."
        raise WriteFailed(f"Não deu para gravar {name}: {why(error)}. {kept}") from error
    sync_folder(folder)


def exchange(one: str, other: str) -> bool:
    """Each name gets the other's file, at once. False where the system cannot; raises OSError."""
    call = _exchanger()
    if call is None:
        return False
    number = call(os.fsencode(one), os.fsencode(other))
    if number in _UNSUPPORTED:
        return False
    if number:
        raise OSError(number, os.strerror(number), other)
    return True


@cache
def _exchanger() -> Callable[[bytes, bytes], int] | None:
    """The system's own call: two names → 0 or an error number. None where there is none."""
    name, here = {"linux": ("renameat2", (-100,)), "darwin": ("renamex_np", ())}.get(sys.platform, ("", ()))
    if not name:
        return None
    import ctypes

    function = getattr(ctypes.CDLL(None, use_errno=True), name, None)
    if function is None:
        return None

    def call(one: bytes, other: bytes) -> int:
        return ctypes.get_errno() if function(*here, one, *here, other, ctypes.c_uint(2)) else 0

    return call


def _swap(temp: str, target: str, expected: bytes, new: bytes) -> None:
    if os.name != "posix":  # a file that is open, if only by us, cannot be replaced there
        if _content_of(target) != expected:
            raise _changed(target)
        os.replace(temp, target)
        return
    with ExitStack() as held:
        mine, old = held.enter_context(_opened(temp)), held.enter_context(_opened(target))
        out = old
        with _lease(old) as granted:
            if _content(old) != expected or (granted and _awaited(old)):
                raise _changed(target)
            # Of a disk that is no device of this machine the answer may be wrong.
            if granted is False and os.major(os.fstat(old).st_dev):
                name = os.path.basename(target)
                raise InUse(f"Outro programa está com {name} aberto para escrever: feche-o lá e tente de novo. Nada foi escrito.")
            exchanged = exchange(temp, target)
            if not exchanged:
                os.replace(temp, target)
            good = not exchanged or (os.path.samestat(os.stat(temp), os.fstat(old)) and not (granted and _awaited(old)))
            if not good:  # at once: whoever reads it now reads ours
                out = held.enter_context(_opened(temp))
                came = _return(temp, target)
        if good:
            if _follow(old, expected, target) or not exchanged:
                return
            came = _return(temp, target)
        if came:
            saved = _settle(temp, target, out, mine, new, expected)
            _linger(target, saved, expected)
    raise _changed(target)


def _settle(temp: str, target: str, theirs: int, ours: int, known: bytes, expected: bytes) -> bytes:
    """See that what came out of ``target``, now that ``theirs`` stands there again, is ``ours`` holding ``known``.

    If it is something newer, that goes back in its turn: the newest save of others stays. Returns all the lines of
    others that were seen.
    """
    seen = []
    with ExitStack() as held:
        for turn in range(_ROUNDS):
            content = _content(theirs)
            seen.append(content)
            out = held.enter_context(_opened(temp))
            if _same(out, ours) and _follow(out, known, target):
                if turn:
                    _bring(known, expected, target)
                break
            ours, known, theirs = theirs, content, out
            if not _return(temp, target):
                break
        else:
            raise OSError(errno.EBUSY, os.strerror(errno.EBUSY))
    return b"\n".join(seen)


def _linger(target: str, saved: bytes, expected: bytes) -> None:
    """Who read ours in that instant may yet save it with a line more, and so without the last save: its lines come again."""
    end = time.monotonic() + _FOLLOW
    while time.monotonic() < end:
        time.sleep(0.002)
        with suppress(FileNotFoundError), _opened(target) as now:
            if not _open_elsewhere(now):
                _bring(saved, expected, target)


def _return(temp: str, target: str) -> bool:
    """Exchange again. False when nothing came out, for ``target`` was gone."""
    while True:
        try:
            exchange(temp, target)
            return True
        except FileNotFoundError:
            with suppress(FileExistsError):
                os.link(temp, target)
                return False


def _follow(old: int, known: bytes, target: str) -> bool:
    """Bring to ``target`` what is added to a file that has lost its name. False when it is written anew instead."""
    start = time.monotonic()
    calm = 0
    while True:
        content = _content(old)
        if not content.startswith(known):
            return False
        busy = _open_elsewhere(old)
        over = time.monotonic() - start > (_FOLLOW_OPEN if busy else _FOLLOW)
        added = content[len(known) :]
        if added and (added.endswith(b"\n") or busy is False or over):
            _append(target, added)
            known = content
        # Twice: what was written before the first look at who has it open is seen by the second reading.
        calm = calm + 1 if busy is False and known == content else 0
        if over or calm == 2:
            return True
        time.sleep(0.001 if busy is False else 0.005)


def _open_elsewhere(descriptor: int) -> bool | None:
    """Whether any program has the file open for writing; None when the system does not say."""
    with _lease(descriptor) as granted:
        return None if granted is None else not granted


@contextmanager
def _lease(descriptor: int) -> Iterator[bool | None]:
    """Make whoever would open the file for writing wait. False when somebody has it open so, None where nobody can tell.

    Linux grants a read lease only on a file that nobody is writing.
    """
    if sys.platform != "linux":
        yield None
        return
    import fcntl

    try:
        # Who is made to wait is announced by a signal: one that nobody minds.
        fcntl.fcntl(descriptor, fcntl.F_SETSIG, signal.SIGURG)
        fcntl.fcntl(descriptor, fcntl.F_SETLEASE, fcntl.F_RDLCK)
    except OSError as error:
        yield False if error.errno == errno.EAGAIN else None
        return
    try:
        yield True
    finally:
        with suppress(OSError):
            fcntl.fcntl(descriptor, fcntl.F_SETLEASE, fcntl.F_UNLCK)


def _awaited(descriptor: int) -> bool:
    """Whether somebody waits for the end of our lease."""
    import fcntl

    return fcntl.fcntl(descriptor, fcntl.F_GETLEASE) != fcntl.F_RDLCK


def _bring(lost: bytes, expected: bytes, target: str) -> None:
    """Add to ``target`` the lines of a save that another one, made without having seen it, took the place of."""
    here = _content_of(target)
    if not here:  # deleted, or being written anew
        return
    present = {*here.split(b"\n"), *expected.split(b"\n")}
    lines = [line for line in lost.split(b"\n") if line.strip() and line not in present]
    if lines:
        _append(target, (b"" if here.endswith(b"\n") else b"\n") + b"\n".join(lines) + b"\n")


def _append(target: str, data: bytes) -> None:
    with suppress(FileNotFoundError):
        descriptor = os.open(target, os.O_WRONLY | os.O_APPEND)
        try:
            write_all(descriptor, data)
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


@contextmanager
def _opened(path: str) -> Iterator[int]:
    descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
    try:
        yield descriptor
    finally:
        os.close(descriptor)


def _content(descriptor: int) -> bytes:
    pieces = []
    at = 0
    while piece := os.pread(descriptor, 1 << 20, at):
        pieces.append(piece)
        at += len(piece)
    return b"".join(pieces)


def _content_of(path: str) -> bytes | None:
    with suppress(OSError), open(path, "rb") as file:
        return file.read()
    return None


def _same(one: int, other: int) -> bool:
    return os.path.sameopenfile(one, other)


def _changed(target: str) -> Changed:
    return Changed(f"{os.path.basename(target)} mudou enquanto era gravado. Nada foi escrito.")


def _remove(path: str) -> None:
    with suppress(OSError):
        os.unlink(path)
