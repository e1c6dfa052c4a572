"""What reaches a terminal or a pipe: plain text, never markup, nothing that could command a screen (cases R57, R59).

On a terminal rich paints and wraps; in a pipe each line goes out as it is, and rich is never imported.
"""

from __future__ import annotations

import json
import os
import re
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import IO, Any

from caderneta.doors.cli.streams import OutputLost, is_closed, settle
from caderneta.format.text import visible

Piece = str | tuple[str, str]
"""Text, or text and its style (a rich style such as ``bold`` or ``red``)."""

_UNSAFE_IN_JSON = re.compile(
    "[\x00-\x1f\x7f-\x9f\u2028\u2029\u200e\u200f\u202a-\u202e\u2066-\u2069\ufff9-\ufffb\U000e0000-\U000e007f\ud800-\udfff]"
)
_PATIENCE = 0.7  # seconds before a person is told that work is under way


def use_utf8() -> None:
    """UTF-8 with LF on every stream, whatever the locale; what cannot be encoded is shown, never raised."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(encoding="utf-8", errors="backslashreplace", newline="\n")


def is_terminal(stream: IO[str]) -> bool:
    """Whether a person is looking at a stream."""
    try:
        return stream.isatty()
    except ValueError:
        return False


def show(*pieces: Piece, indent: int = 0, error: bool = False) -> None:
    """One item: one line in a pipe; on a terminal wrapped to its width, later lines indented by ``indent``."""
    stream = sys.stderr if error else sys.stdout
    if error:
        settle(sys.stdout)
    parts = [(piece, "") if isinstance(piece, str) else piece for piece in pieces]
    if is_terminal(stream):
        _paint([(visible(text), style) for text, style in parts], indent, stream)
    else:
        put("".join(visible(text) for text, _ in parts) + "\n", stream)


def put(text: str, stream: IO[str] | None = None) -> None:
    """Writes a text as it is. Raises OutputLost."""
    (stream or sys.stdout).write(text)


def flush() -> None:
    """Sends on what was written. Raises OutputLost."""
    sys.stdout.flush()


@contextmanager
def after_writing() -> Iterator[None]:
    """For telling what was just written to the vault: it stands there, whatever becomes of the answer."""
    lost = is_closed(sys.stdout)
    try:
        yield
        flush()
    except OutputLost:
        lost = True
    if lost:
        say("Escrito; mas a saída está fechada ou cheia.")


def say(message: str) -> None:
    """A word to the person, apart from the answer: on stderr."""
    show(message, error=True)


def show_json(value: Any) -> None:
    """JSON on one line, readable letters kept, every character that could command a screen escaped."""
    put(to_json(value) + "\n")


def to_json(value: Any) -> str:
    """The text :func:`show_json` writes."""
    text = json.dumps(value, ensure_ascii=False, separators=(", ", ": "))
    return _UNSAFE_IN_JSON.sub(lambda found: json.dumps(found[0])[1:-1], text)


@contextmanager
def working(what: str) -> Iterator[None]:
    """Says what is being done when it takes long, on a terminal only, and cleans up after itself."""
    if not is_terminal(sys.stderr) or os.environ.get("TERM") == "dumb":
        yield
        return
    said = threading.Event()

    def tell() -> None:
        said.set()
        sys.stderr.write(f"\r{what}…")
        sys.stderr.flush()

    timer = threading.Timer(_PATIENCE, tell)
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
        timer.join()
        if said.is_set():
            sys.stderr.write("\r" + " " * (len(what) + 1) + "\r")
            sys.stderr.flush()


def _paint(parts: list[tuple[str, str]], indent: int, stream: IO[str]) -> None:
    from rich.console import Console
    from rich.text import Text

    console = Console(file=stream, markup=False, highlight=False, emoji=False, soft_wrap=False)
    text = Text.assemble(*(Text(part, style) for part, style in parts))
    first = True
    for line in text.wrap(console, max(console.width - indent, 20)):
        line.rstrip()
        console.print(line if first else Text(" " * indent) + line, no_wrap=True, overflow="ignore", crop=False)
        first = False
    if first:
        console.print()
