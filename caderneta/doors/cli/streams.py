"""The standard streams while a command runs: one that is closed, full or no longer read never ends in a traceback.

What stderr cannot take is dropped. What stdout cannot take is told once, as an OutputLost, and then dropped too; a stdout
that was closed from the start takes everything and keeps nothing, as /dev/null does.
"""

from __future__ import annotations

import errno
import io
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import IO, Any, TextIO, cast

_CLOSED_PIPE = (errno.EPIPE, errno.EINVAL) if sys.platform == "win32" else (errno.EPIPE,)


class OutputLost(Exception):
    """Some of what was written to stdout went nowhere."""


class ReaderGone(OutputLost):
    """Whoever was reading the output has seen enough (`| head`)."""


class OutputFull(OutputLost):
    """The output takes no more (a full disk)."""


class _Nowhere(io.StringIO):
    """What stands for a stream that is closed."""

    encoding = "utf-8"


class _Stream:
    """A text stream that cannot fail (stderr) or fails only with OutputLost (stdout)."""

    def __init__(self, inner: TextIO | None, tells: bool) -> None:
        self.absent = inner is None
        self.lost: OutputLost | None = None  # not yet told
        self._inner: TextIO = _Nowhere() if inner is None else inner
        self._tells = tells
        self._mute = inner is None

    def __getattr__(self, name: str) -> Any:
        return getattr(self._inner, name)

    def write(self, text: str) -> int:
        if not isinstance(text, str):
            raise TypeError("só texto")  # typer asks streams whether they take bytes
        self._tell()
        if text and not self._mute:
            try:
                self._inner.write(text)
            except (OSError, ValueError) as error:
                self._lose(error)
                self._tell()
        return len(text)

    def flush(self) -> None:
        self.settle()
        self._tell()

    def settle(self) -> None:
        """Sends on what was written; a loss is told by the next write or flush, not now."""
        if not self._mute:
            try:
                self._inner.flush()
            except (OSError, ValueError) as error:
                self._lose(error)

    def isatty(self) -> bool:
        try:
            return not self.absent and self._inner.isatty()
        except ValueError:
            return False

    def close(self) -> None:
        """Sends on what is left. The stream itself was opened by somebody else."""
        self.settle()

    def _lose(self, error: OSError | ValueError) -> None:
        self._mute = True
        gone = isinstance(error, OSError) and error.errno in _CLOSED_PIPE
        self.lost = (ReaderGone() if gone else OutputFull()) if self._tells else None
        with suppress(OSError, ValueError):  # Python would complain of what is left while closing
            nowhere = os.open(os.devnull, os.O_WRONLY)
            os.dup2(nowhere, self._inner.fileno())
            os.close(nowhere)

    def _tell(self) -> None:
        lost, self.lost = self.lost, None
        if lost is not None:
            raise lost


def reserve_descriptors() -> None:
    """Puts /dev/null where 0, 1 or 2 is closed: a note opened later must not be what a stray message is written to."""
    for descriptor in range(3):
        try:
            os.fstat(descriptor)
        except OSError:
            with suppress(OSError):
                os.open(os.devnull, os.O_RDWR)


@contextmanager
def guarded() -> Iterator[None]:
    """sys.stdout and sys.stderr, guarded until the end of the block."""
    before = sys.stdout, sys.stderr
    out, err = _Stream(sys.stdout, tells=True), _Stream(sys.stderr, tells=False)
    sys.stdout, sys.stderr = cast(TextIO, out), cast(TextIO, err)
    try:
        yield
    finally:
        out.close()
        err.close()
        sys.stdout, sys.stderr = before


def is_closed(stream: IO[str]) -> bool:
    """Whether there was no such stream to begin with (`>&-`)."""
    return bool(getattr(stream, "absent", False))


def settle(stream: IO[str]) -> None:
    """Sends on what was written to stdout before something goes to stderr, so that both tell one story."""
    if isinstance(stream, _Stream):
        stream.settle()
    else:
        stream.flush()
