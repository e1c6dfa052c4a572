"""Rows of the result and the ways to fill them: samples of a function, of a fresh process, of a probe."""

from __future__ import annotations

import gc
import json
import os
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parent.parent
MISSING = "ainda não existe"
NOT_INSTALLED = "não instalado"
NOT_HERE = "não se mede neste sistema"

_FEWEST = 3  # samples of a slow command,
_BUDGET = 15.0  # once it took so many seconds in all

_SCALE = {"s": (1.0, " s"), "ms": (1000.0, " ms"), "bytes": (1.0, " bytes"), "MB": (1.0, " MB")}


@dataclass(slots=True)
class Row:
    """One measure. Times are in seconds; ``note`` stands in the place of figures that there are not."""

    name: str
    samples: Sequence[float] = ()
    unit: str = "ms"
    goal: float | None = None  # of the median, in the samples' unit
    goal_p99: float | None = None
    ratio: str = ""
    note: str = ""

    @property
    def median(self) -> float | None:
        return statistics.median(self.samples) if self.samples else None

    @property
    def p99(self) -> float | None:
        return percentile(self.samples, 99) if self.samples else None

    def against(self, limit: Row, what: str) -> Row:
        """The same row with its ratio to another."""
        if self.median and limit.median:
            self.ratio = f"{number(self.median / limit.median)} × {what}"
        elif limit.note:
            self.ratio = f"{what}: {limit.note}"
        return self

    def shown(self, value: float | None) -> str:
        if value is None:
            return "—"
        factor, suffix = _SCALE[self.unit]
        return number(value * factor) + suffix


@dataclass(slots=True)
class Report:
    """The rows of one size of vault."""

    facts: int
    about: str
    rows: list[Row] = field(default_factory=list)

    def add(self, rows: Iterable[Row]) -> None:
        """Take rows as they come, and tell of each: a long run must not be lost with its last row."""
        for row in rows:
            self.rows.append(row)
            say(f"  {row.name}: {row.note or row.shown(row.median)}")


def percentile(samples: Sequence[float], percent: int) -> float:
    """The nearest-rank percentile; with few samples, the largest."""
    ordered = sorted(samples)
    return ordered[min(len(ordered) - 1, -(-len(ordered) * percent // 100) - 1)]


def number(value: float) -> str:
    """Three significant digits, as written in Portuguese."""
    if value >= 100:
        return f"{value:,.0f}".replace(",", ".")
    return f"{value:.2f}".replace(".", ",") if value < 10 else f"{value:.1f}".replace(".", ",")


def whole(count: int) -> str:
    """A count, as written in Portuguese."""
    return f"{count:,}".replace(",", ".")


def repeat(times: int, work: Callable[[], object]) -> list[float]:
    """Seconds of each call, after one that does not count; the collector rests meanwhile, as it does while a vault loads."""
    work()
    samples = []
    enabled = gc.isenabled()
    gc.disable()
    try:
        for _ in range(times):
            started = time.perf_counter()
            result = work()
            samples.append(time.perf_counter() - started)
            del result  # to throw it away is not part of the work
            gc.collect()
    finally:
        if enabled:
            gc.enable()
    return samples


def say(text: str) -> None:
    """Progress, apart from the result."""
    print(text, file=sys.stderr, flush=True)


@dataclass(frozen=True, slots=True)
class Place:
    """A vault and the conditions under which its processes run."""

    root: Path
    cache: Path
    today: str

    @property
    def environment(self) -> dict[str, str]:
        own = {
            "PYTHONPATH": str(REPOSITORY),
            "CADERNETA_VAULT": str(self.root),
            "CADERNETA_HOJE": self.today,
            "XDG_CACHE_HOME": str(self.cache),
            "NO_COLOR": "1",
        }
        return {**os.environ, **own}

    def run(self, command: Sequence[str]) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            command,
            env=self.environment,
            cwd=self.root,
            capture_output=True,
            text=True,
            encoding="utf-8",
            errors="replace",
            check=False,
        )

    def timed(self, times: int, command: Callable[[int], Sequence[str]], accept: Sequence[int] = (0,)) -> tuple[list[float], str]:
        """Seconds of fresh processes, after one that does not count; and, if one failed, how. Slow ones run fewer times."""
        samples: list[float] = []
        began = time.perf_counter()
        for i in range(times + 1):
            argv = command(i)
            started = time.perf_counter()
            done = self.run(argv)
            took = time.perf_counter() - started
            if done.returncode not in accept:
                return [], f"saiu com {done.returncode}"
            if i:
                samples.append(took)
            if len(samples) >= _FEWEST and time.perf_counter() - began > _BUDGET:
                break
        return samples, ""

    def probe(self, module: str, *arguments: object) -> dict[str, list[float]]:
        """What ``python -m module`` measured of itself in its own process, as JSON. Raises SystemExit with its last line."""
        done = self.run([sys.executable, "-m", module, *(str(argument) for argument in arguments)])
        if done.returncode:
            raise SystemExit("não deu para medir: " + (done.stderr.strip().splitlines() or ["sem mensagem"])[-1])
        result: dict[str, list[float]] = json.loads(done.stdout)
        return result
