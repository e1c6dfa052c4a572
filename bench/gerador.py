"""A seeded vault for measuring: the same arguments give the same bytes, and a manifest says what a reader must find.

``python -m bench.gerador PASTA --fatos 100000`` writes one by hand; the bench calls :func:`generate`.
"""

from __future__ import annotations

import argparse
import json
import os
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from datetime import date
from pathlib import Path
from random import Random

from bench.historia import Entry, Story
from bench.palavras import PEOPLE, SENTENCES, WEEKDAYS, fill, pick
from caderneta.format.dates import add_days

LAST_DAY = "2026-11-30"
SEED = 11
_FEWEST, _MOST = 42, 238  # facts of a day: with what stands around them, 50 to 300 lines


@dataclass(frozen=True, slots=True)
class Manifest:
    """What was written, and what the reader and the fold must say of it on ``last_day``."""

    facts: int
    seed: int
    first_day: str
    last_day: str
    files: int  # daily ones
    notes: int  # of entities
    bytes: int
    lines: int
    types: dict[str, int]
    states: dict[str, int]
    open_tasks: int
    largest_id: int
    traps: int  # fact-like lines where nothing counts (each is a CAD116)
    almost: int  # lines that nearly count (each is a CAD108)


def generate(root: Path, facts: int, seed: int = SEED, last_day: str = LAST_DAY) -> Manifest:
    """Write a vault of ``facts`` lines (events included) whose last daily file is ``last_day``'s. ``root`` must be new."""
    root.mkdir(parents=True)
    story = Story(facts, seed, last_day)
    writer = _Writer(root, story, seed)
    writer.file("Caderneta.md", ["---", "diario: diario/**/AAAA-MM-DD.md", "---", "", "# Cofre gerado para medir"])
    notes = writer.notes()
    sizes = _sizes(facts, seed)
    first_day = add_days(last_day, 1 - len(sizes))
    number = 1
    for i, size in enumerate(sizes):
        writer.day(add_days(first_day, i), number, size)
        number += size
    types = dict(sorted(story.types.items()))
    return Manifest(
        facts, seed, first_day, last_day, len(sizes), notes, writer.bytes, writer.lines, types, story.states(),
        story.open_tasks, story.largest_id, writer.traps, writer.almost,
    )  # fmt: skip


def _sizes(facts: int, seed: int) -> list[int]:
    """How many facts each day has; what is left over goes to the oldest day."""
    random = Random(f"dias {seed}").random
    sizes: list[int] = []
    while facts > 0:
        size = min(facts, _FEWEST + int(random() * (_MOST - _FEWEST)))
        sizes.append(size)
        facts -= size
    sizes.reverse()
    return sizes


class _Writer:
    """Turns entries into files, and counts what it writes."""

    def __init__(self, root: Path, story: Story, seed: int) -> None:
        self.root = str(root)
        self.story = story
        self.random = Random(f"linhas {seed}").random
        self.bytes = self.lines = self.traps = self.almost = 0
        self._folders: set[str] = set()

    def file(self, path: str, lines: list[str], newline: str = "\n") -> None:
        data = (newline.join(lines) + newline).encode()
        folder = os.path.dirname(f"{self.root}/{path}")
        if folder not in self._folders:
            os.makedirs(folder, exist_ok=True)
            self._folders.add(folder)
        with open(f"{self.root}/{path}", "xb") as file:
            file.write(data)
        self.bytes += len(data)
        self.lines += len(lines)

    def notes(self) -> int:
        """A note for every tenth entity, some with an alias that nothing else uses."""
        names = self.story.entities[::10]
        for i, name in enumerate(names):
            header = ["---", f"aliases: [Codinome {i + 1}]", "---", ""] if i % 3 == 0 else []
            self.file(f"entidades/{name}.md", [*header, f"# {name}", "", self._prose()])
        return len(names)

    def day(self, day: str, number: int, size: int) -> None:
        """The daily file of ``day``: ``size`` facts from ``number`` on, and the life around them."""
        random = self.random
        lines = self._opening(day)
        around = -1
        minute, step = 420.0, 960 / size
        for i in range(size):
            self._entry(lines, self.story.entry(number + i, day, i == size - 1, around), day, minute)
            minute += step
            if not self.story.awaits_nested(number + i + 1):
                around = self._between(lines, around)
        self._closing(lines)
        self.file(f"diario/{day[:4]}/{day}.md", lines, "\r\n" if random() < 0.04 else "\n")

    def _opening(self, day: str) -> list[str]:
        lines: list[str] = []
        if self.random() < 0.7:
            lines += ["---", f"humor: {1 + int(self.random() * 5)}", "tags: [diário, ateliê]", "---", ""]
        weekday = WEEKDAYS[date.fromisoformat(day).weekday()]
        lines += [f"# {weekday.capitalize()}, {day[8:]}/{day[5:7]}", "", self._prose(), ""]
        return lines

    def _entry(self, lines: list[str], entry: Entry, day: str, minute: float) -> None:
        """One fact as a person or a tool writes it: mostly the canonical line."""
        x = self.random()
        hour, rest = divmod(int(minute), 60)
        if entry.nested:
            lines.append(f"  - feito :: {entry.text}")
            return
        stamp = f"[{hour:02d}:{rest:02d}] "
        bullet = "- "
        if x < 0.03:
            stamp = f"[{day} {hour:02d}:{rest:02d}] "
        elif x < 0.04:
            stamp = f"[{hour}:{rest:02d}] "
        elif x < 0.05:
            stamp = ""
        elif x < 0.055:
            bullet = "* "
        kind = entry.type
        if x > 0.99 and kind in ("decisao", "observacao", "mudanca"):
            kind = {"decisao": "Decisão", "observacao": "observação", "mudanca": "Mudança"}[kind]
        box = f"[{entry.box}] " if entry.box else ""
        subject = f"[[{self.story.entities[entry.subject]}]] " if entry.subject >= 0 else ""
        number = f" (#{entry.number})" if entry.own_id else ""
        body = f"{box}{stamp}{kind} :: {subject}{entry.text}{number}"
        lines.append(f"{bullet}~~{body}~~{entry.tail}" if entry.struck else f"{bullet}{body}{entry.tail}")
        lines += ["  " + child for child in entry.children]

    def _between(self, lines: list[str], around: int) -> int:
        """What a person writes between facts; the entity of the heading that now encloses, -1 for none."""
        x = self.random()
        if x > 0.045:
            return around
        if x < 0.02:
            lines.append(f"- {fill(SENTENCES['detalhe'][int(self.random() * 3)], self.random)}")
        elif x < 0.025:
            lines.append(f"- [ ] {pick(PEOPLE, self.random)}: {fill(SENTENCES['detalhe'][1], self.random)}")
        elif x < 0.032:
            lines += ["", self._prose(), ""]
        elif x < 0.04:
            around = int(self.random() * len(self.story.entities))
            lines += ["", f"## [[{self.story.entities[around]}]]", ""]
        else:
            around = -1
            lines += ["", f"## {fill(SENTENCES['detalhe'][1], self.random).capitalize()}", ""]
        return around

    def _closing(self, lines: list[str]) -> None:
        random = self.random
        lines += ["", "## Notas soltas", ""]
        for _ in range(1 + int(random() * 2)):
            lines += [self._prose(), ""]
        x = random()
        if x < 0.12:
            lines += self._trap("```markdown", "```")
        elif x < 0.45:
            lines += ["```python", "def total(itens):", "    return sum(itens)  # 10:00 nada disto conta", "```", ""]
        elif x < 0.48:
            lines += self._trap("~~~", "~~~")
        elif x < 0.50:
            lines += self._trap("%%", "%%")
        x = random()
        if x < 0.04:
            lines += ["> - [09:00] decisao :: [[Exemplo]] citada de outro dia, não conta (#3)", ""]
            self.traps += 1
        elif x < 0.06:
            lines += ["<!--", "- [09:30] mudanca :: [[Exemplo]] comentada, não conta (#4)", "-->", ""]
            self.traps += 1
        elif x < 0.08:
            lines += [f"Decisão: {fill(SENTENCES['decisao'][0], random)}", ""]
            self.almost += 1
        while not lines[-1]:
            lines.pop()

    def _trap(self, opening: str, closing: str) -> list[str]:
        self.traps += 2
        return [
            opening,
            "- [10:00] decisao :: [[Exemplo]] escondida, não conta (#1)",
            "- [11:00] supersede :: #1 · escondido, também não (#2)",
            closing,
            "",
        ]

    def _prose(self) -> str:
        sentences = SENTENCES["prosa"]
        return " ".join(
            fill(sentences[int(self.random() * len(sentences))], self.random) for _ in range(1 + int(self.random() * 2))
        )


def _arguments() -> Iterator[tuple[Path, int, int, str]]:
    parser = argparse.ArgumentParser(prog="python -m bench.gerador", description="Escreve um cofre de medir.")
    parser.add_argument("pasta", type=Path, help="onde criar o cofre (não pode existir)")
    parser.add_argument("--fatos", type=int, default=10_000)
    parser.add_argument("--semente", type=int, default=SEED)
    parser.add_argument("--ate", default=LAST_DAY, help="último dia (AAAA-MM-DD)")
    given = parser.parse_args()
    yield given.pasta, given.fatos, given.semente, given.ate


if __name__ == "__main__":
    for arguments in _arguments():
        print(json.dumps(asdict(generate(*arguments)), ensure_ascii=False, indent=1))
