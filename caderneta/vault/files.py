"""Bytes on the disk: strict reading, signatures, style, and the atomic replacement of a file (format §1).

Nothing here knows what a fact is. Reading never raises: a file that cannot be read is a value that says why.
Writing raises :class:`WriteFailed` with a Portuguese sentence, and then the old bytes are still there.
"""

from __future__ import annotations

import errno
import hashlib
import os
import secrets
import stat
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import NamedTuple

# A change this close to the moment of reading may share its time stamp with a later one: look again next time.
RACY_NS = 2_000_000_000
_TRIES = 5

# How long a file that people were reading a moment ago may be gone, empty or cut short before that is believed:
# editors rename, truncate and write again.
GRACE = 0.3

# Whoever opens a pipe or a device by mistake must not wait for it.
_READING = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_BINARY", 0)
_SYSTEM = ("/proc/", "/sys/", "/dev/")

_REASONS = {
    errno.ENOENT: "o arquivo não existe",
    errno.EACCES: "sem permissão",
    errno.EPERM: "o sistema não permite",
    errno.ENOSPC: "o disco está cheio",
    errno.EDQUOT: "a cota de disco acabou",
    errno.EFBIG: "o arquivo passaria do tamanho permitido",
    errno.EROFS: "o disco só aceita leitura",
    errno.EIO: "o disco deu erro",
    errno.EISDIR: "é uma pasta",
    errno.ENOTDIR: "um pedaço do caminho não é uma pasta",
    errno.ELOOP: "o atalho aponta para si mesmo",
    errno.ENAMETOOLONG: "o nome é longo demais",
    errno.EMFILE: "há arquivos abertos demais",
    errno.ENFILE: "há arquivos abertos demais",
    errno.ETXTBSY: "outro programa está usando o arquivo",
    errno.EBUSY: "outro programa está usando o arquivo",
}


class VaultError(Exception):
    """Something about the disk that a person must know. ``str()`` is a finished Portuguese sentence."""


class WriteFailed(VaultError):
    """Nothing was written: what stood in the file stands there still."""


class Changed(WriteFailed):
    """Somebody else changed the file between our reading it and our writing it."""


class Signature(NamedTuple):
    """What ``stat`` says of a file. ``ctime`` moves even when an edit keeps size and date (``touch -r``, ``cp -p``)."""

    size: int
    mtime: int
    ctime: int
    inode: int


@dataclass(frozen=True, slots=True)
class Read:
    """A file's bytes. ``doubtful``: it was changing, or changed so recently that its signature proves nothing."""

    data: bytes
    signature: Signature
    digest: bytes
    doubtful: bool


@dataclass(frozen=True, slots=True)
class Unreadable:
    """A file that could not be read; ``reason`` is a piece of a Portuguese sentence."""

    errno: int
    reason: str

    @property
    def missing(self) -> bool:
        return self.errno in (errno.ENOENT, errno.ENOTDIR)


class Style(NamedTuple):
    """How a person's editor writes the file, so that what we add looks like the rest."""

    bom: bool
    newline: bytes
    final_newline: bool


class Doubt(NamedTuple):
    """A loss not yet believed: since when (monotonic), and what the file looked like."""

    since: float
    seen: object


class Doubts(dict[str, Doubt]):
    """Files whose loss is not yet believed. Whoever is not ``patient`` believes everything."""

    patient = False

    def believe(self, path: str, seen: object) -> bool:
        """Whether a loss was seen, unchanged, for GRACE seconds; the first sight of it begins the wait."""
        if not self.patient:
            return True
        doubt = self.get(path)
        if doubt is None or doubt.seen != seen:
            doubt = self[path] = Doubt(time.monotonic(), seen)
        return time.monotonic() - doubt.since >= GRACE

    def with_due(self, paths: tuple[str, ...]) -> list[str]:
        """Paths of which something was heard (their wait begins again), with those whose wait is over."""
        for path in [doubted for doubted in self if doubted in paths]:
            del self[path]
        now = time.monotonic()
        return [*paths, *(path for path, doubt in self.items() if now - doubt.since >= GRACE)]


BOM = b"\xef\xbb\xbf"


def why(error: OSError) -> str:
    """The reason of a system error, as a piece of a Portuguese sentence."""
    return _REASONS.get(error.errno or 0) or f"o sistema recusou ({error.strerror or error})"


def signature(path: str | os.PathLike[str]) -> Signature | Unreadable:
    """The signature of a regular file. Anything else (folder, pipe, device) is unreadable, and is never opened.

    So is a link into the system's own folders: files there may look ordinary and keep a reader waiting for ever.
    """
    try:
        status = os.lstat(path)
        if stat.S_ISLNK(status.st_mode):
            if os.path.realpath(path).startswith(_SYSTEM):
                return Unreadable(errno.EACCES, "o atalho leva a uma pasta do sistema")
            status = os.stat(path)
        return _signature(status)
    except OSError as error:
        return Unreadable(error.errno or 0, why(error))


def read(path: str | os.PathLike[str]) -> Read | Unreadable:
    """The whole file, read again (a few times at most) when somebody saves in the middle."""
    result: Read | Unreadable = Unreadable(0, "não foi lido")
    for attempt in range(_TRIES):
        result, quiet = _read_once(path)
        if quiet:
            break
        time.sleep(0.005 * (attempt + 1))
    return result


def decode(data: bytes) -> str | int:
    """The text, BOM included, or the offset of the first byte that is not UTF-8."""
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        return error.start


def digest(data: bytes) -> bytes:
    return hashlib.blake2b(data, digest_size=16).digest()


def style(data: bytes) -> Style:
    """LF unless CRLF ends most lines. An empty file needs no newline before the first line."""
    bom = data.startswith(BOM)
    crlf = data.count(b"\r\n")
    lf = data.count(b"\n") - crlf
    body = data[len(BOM) :] if bom else data
    return Style(bom, b"\r\n" if crlf > lf else b"\n", not body or body.endswith(b"\n"))


def replace(path: str | os.PathLike[str], data: bytes, still: Callable[[], bool] | None = None) -> None:
    """Put ``data`` in the place of the file at once: a reader sees the old bytes or the new, never a mixture.

    A symlink stays and its real file changes. ``still`` is asked at the last moment; if it says no, nothing happens
    and :class:`Changed` is raised. Other failures raise :class:`WriteFailed`.
    """
    target = os.path.realpath(path)
    folder, name = os.path.split(target)
    temp = temp_beside(target)
    try:
        write_new(temp, data, target)
        try:
            if still is not None and not still():
                raise Changed(f"{name} mudou enquanto era gravado. Nada foi escrito.")
            os.replace(temp, target)
        except BaseException:
            with suppress(OSError):
                os.unlink(temp)
            raise
    except OSError as error:
        raise WriteFailed(f"Não deu para gravar {name}: {why(error)}. O que havia continua lá.") from error
    sync_folder(folder)


def temp_beside(target: str) -> str:
    """A new hidden name in the same folder, which no door reads."""
    return os.path.join(os.path.dirname(target), f".caderneta-{os.getpid()}-{secrets.token_hex(6)}.tmp")


def write_new(temp: str, data: bytes, target: str) -> None:
    """Make ``temp``, to take the place of ``target``, and have it on the disk. On failure (OSError) there is no ``temp``."""
    descriptor = os.open(temp, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), 0o666)
    try:
        try:
            write_all(descriptor, data)
            _like(descriptor, target)
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
    except BaseException:
        with suppress(OSError):
            os.unlink(temp)
        raise


def write_all(descriptor: int, data: bytes) -> None:
    view = memoryview(data)
    while view:
        view = view[os.write(descriptor, view) :]


def sync_folder(folder: str) -> None:
    """Make a new name survive a power cut, where the system can (Windows cannot)."""
    with suppress(OSError):
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


def _read_once(path: str | os.PathLike[str]) -> tuple[Read | Unreadable, bool]:
    # Asked by name first: opening a pipe would wait for ever.
    before = signature(path)
    if isinstance(before, Unreadable):
        return before, True
    try:
        with open(os.open(path, _READING), "rb", buffering=0) as file:
            _signature(os.fstat(file.fileno()))  # still a regular file
            now = time.time_ns()
            data = file.readall()
            after = _signature(os.fstat(file.fileno()))
    except OSError as error:
        return Unreadable(error.errno or 0, why(error)), True
    if data is None:  # would have waited
        return Unreadable(errno.EAGAIN, "não é um arquivo comum"), True
    quiet = before == after and len(data) == after.size
    racy = abs(now - after.mtime) < RACY_NS or abs(now - after.ctime) < RACY_NS
    return Read(data, after, digest(data), racy or not quiet), quiet


def _signature(status: os.stat_result) -> Signature:
    if not stat.S_ISREG(status.st_mode):
        raise OSError(errno.EISDIR if stat.S_ISDIR(status.st_mode) else errno.EINVAL, "não é um arquivo comum")
    return Signature(status.st_size, status.st_mtime_ns, status.st_ctime_ns, status.st_ino)


def _like(descriptor: int, target: str) -> None:
    """Give a new file the permissions, and where we may the owner, of the one whose place it takes."""
    with suppress(OSError):
        status = os.stat(target)
        if os.name == "posix":
            with suppress(OSError):
                os.chown(descriptor, status.st_uid, status.st_gid)
            os.chmod(descriptor, stat.S_IMODE(status.st_mode))
