"""How much of each section fits (§7): shares, what flows on, and the room kept for every heading and closing line."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from caderneta.format.values import Fact, Finding

Closing = Callable[[int, Sequence[str], str], str]
"""(left out, the names told in full above, the command that shows what is left out) → the line under a section, or nothing."""


class Line(NamedTuple):
    """One line of a section: the facts it shows, and of how many of the section's things it tells.

    A line without text is about ``name``, of which everything stands in full above; it costs no line of its own.
    """

    text: str
    facts: tuple[Fact, ...] = ()
    tells: int = 1
    finding: Finding | None = None
    name: str = ""


@dataclass(slots=True)
class Part:
    """A section while it is filled. ``lines`` is drawn from only as far as there is room; ``total`` things are to be told."""

    name: str
    heading: str
    total: int
    weight: int
    lines: Iterator[Line]
    closing: Closing
    taken: list[Line] = field(default_factory=list)
    told: int = 0
    above: list[str] = field(default_factory=list)
    reserve: int = 0
    waiting: Line | None = None
    done: bool = False

    @property
    def omitted(self) -> int:
        return self.total - self.told

    def take(self, room: int, seen: set[Fact]) -> int:
        """Takes lines while they fit; returns the room left."""
        while not self.done:
            line = self.waiting or next(self.lines, None)
            self.waiting = line
            if line is None:
                self.done = True
                break
            if size(line.text) > room:
                break
            self.waiting = None
            room -= size(line.text)
            self.told += line.tells
            if line.text:
                self.taken.append(line)
                seen.update(line.facts)
            else:
                self.above.append(line.name)
        return room


_WIDEST = ["x"] * 1000  # names so short that a closing line shows as much of them as it ever will


def size(text: str) -> int:
    """What a line costs in bytes, its line end included; no line, nothing."""
    return len(text.encode("utf-8")) + 1 if text else 0


def fill(parts: Sequence[Part], room: int, seen: set[Fact], command: Callable[[int], str]) -> None:
    """Shares ``room`` bytes among the parts, in order.

    First each takes up to its share and what those before it left; what is still left goes to the first that wait for
    more. ``command(n)`` shows n things left out. ``seen`` gathers every fact a line shows, so later ones need not repeat it.
    """
    widest = command(sum(part.total for part in parts))
    for part in parts:
        part.reserve = max(size(part.closing(part.total - told, _WIDEST[: part.total], widest)) for told in range(6))
        room -= size(part.heading) + 1 + part.reserve
    weights = sum(part.weight for part in parts)
    flowing = 0
    for part in parts:
        flowing = part.take(flowing + max(room, 0) * part.weight // weights, seen)
        if part.done and not part.closing(part.omitted, part.above, ""):
            flowing += part.reserve
    for part in parts:
        flowing = part.take(flowing, seen)


def enough(tokens: int) -> int:
    """A round budget of at least so many tokens: 1, 2 or 5 and zeros."""
    unit = 1000
    while True:
        for step in (1, 2, 5):
            if unit * step >= tokens:
                return unit * step
        unit *= 10
