"""How a door says no: a finished Portuguese sentence and the exit code that goes with it (commands.md)."""

from __future__ import annotations

NOTHING_FOUND = 1  # `buscar` found nothing; `lint` found an error
BAD_REQUEST = 2  # usage, or a lint error in what was to be written
UNKNOWN = 3  # an id or entity that does not exist
MISSPELT = 4  # a new spelling of a known entity, or a type outside the vocabulary
DISK = 5  # the vault cannot be read or written; nothing was written


class Failure(Exception):
    """A request that was not carried out. ``str()`` is what a person reads."""

    def __init__(self, code: int, message: str) -> None:
        super().__init__(message)
        self.code = code
