"""From a save to a fresh ESTADO.md, with the real watcher in another process; and what that process weighs.

The clock starts at the close() or rename() that ends the save and stops when an ESTADO.md that knows of it is in place.
Each save brings a new id, and ESTADO.md's head tells the last id, so nothing else can be taken for the answer.
"""

from __future__ import annotations

import os
import random
import re
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

from bench.medir import Place

_WATCHER = "from caderneta.doors.cli.main import main; import sys; sys.argv[0] = 'caderneta'; main()"
_PATIENCE = 5.0  # a save not answered by then is lost
_LAST_ID = re.compile(rb"#([0-9]+)")  # the first number in ESTADO.md's head
_STEP = 0.0002  # between two looks at ESTADO.md

Save = Callable[[Path, str], float]
"""Adds a line to a file; returns the moment the save ended."""


@dataclass(slots=True)
class Watched:
    """What was seen of one watcher. Seconds; megabytes; -1 where the system does not tell."""

    ready: float = 0.0
    resident: float = -1.0
    peak: float = -1.0
    idle: float = -1.0  # share of one core while nothing happens
    saves: dict[str, list[float]] = field(default_factory=dict)
    lost: int = 0


def append(path: Path, line: str) -> float:
    """A plain append, as ``>>`` does."""
    file = open(path, "ab")  # noqa: SIM115 - the moment of close() is what is measured
    file.write(line.encode() + b"\n")
    file.flush()
    ended = time.perf_counter()
    file.close()
    return ended


def rewrite(path: Path, line: str) -> float:
    """Truncate and write again with a new line in the middle."""
    data = _with_line(path, line)
    file = open(path, "wb")  # noqa: SIM115
    file.write(data)
    file.flush()
    ended = time.perf_counter()
    file.close()
    return ended


def swap(path: Path, line: str) -> float:
    """Write another file and rename it over the old one."""
    data = _with_line(path, line)
    other = path.with_name(f".{path.name}.swp")
    other.write_bytes(data)
    ended = time.perf_counter()
    os.replace(other, path)
    return ended


def _with_line(path: Path, line: str) -> bytes:
    """The file with the line before a fact near its middle."""
    data = path.read_bytes()
    at = data.find(b"\n- [", len(data) // 2)
    return (
        data[: at + 1] + line.encode() + b"\n" + data[at + 1 :] if at >= 0 else data.rstrip(b"\n") + b"\n" + line.encode() + b"\n"
    )


def watch(place: Place, first_id: int, entity: str, times: int, rest: float) -> Watched:
    """Start the watcher, weigh it, save ``times`` times in each way. Raises RuntimeError when it does not start."""
    seen = Watched()
    estado = place.root / "ESTADO.md"
    files = sorted((place.root / "diario").rglob("*.md"))
    today, old = files[-1], files[: -max(1, len(files) // 10)] or files
    choose = random.Random(3)
    ways: tuple[tuple[str, Save, Callable[[], Path]], ...] = (
        ("append", append, lambda: today),
        ("rewrite", rewrite, lambda: old[int(choose.random() * len(old))]),
        ("swap", swap, lambda: today),
    )
    number = first_id
    with _process(place, estado) as (process, started):
        _wait(estado, first_id - 1, _PATIENCE + first_id / 10_000, process)
        seen.ready = time.perf_counter() - started
        time.sleep(0.5)
        seen.resident, seen.peak = _memory(process.pid)
        seen.idle = _idle(process.pid, 1.0 if times < 50 else 5.0)
        for name, save, path in ways:
            samples = seen.saves.setdefault(name, [])
            for i in range(times + 2):
                line = f"- [23:00] observacao :: [[{entity}]] o mesmo de sempre, vez {i} (#{number})"
                ended = save(path(), line)
                took = _wait(estado, number, _PATIENCE, process)
                number += 1
                if took is None:
                    seen.lost += 1
                elif i >= 2:
                    samples.append(took - ended)
                # Each save alone in its batch, and out of step with the watcher's own pace.
                time.sleep(rest + choose.random() * 0.05)
    return seen


def resident(place: Place) -> float:
    """The megabytes of a watcher once it is ready. Raises RuntimeError when it does not start."""
    estado = place.root / "ESTADO.md"
    with _process(place, estado) as (process, _):
        deadline = time.perf_counter() + _PATIENCE * 2
        while not estado.exists():
            if process.poll() is not None or time.perf_counter() > deadline:
                raise RuntimeError("o vigia não começou")
            time.sleep(0.01)
        time.sleep(0.5)
        return _memory(process.pid)[0]


@contextmanager
def _process(place: Place, estado: Path) -> Iterator[tuple[subprocess.Popen[bytes], float]]:
    with suppress(FileNotFoundError):
        estado.unlink()
    started = time.perf_counter()
    process = subprocess.Popen(
        [sys.executable, "-c", _WATCHER, "vigiar"],
        env=place.environment, cwd=place.root, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
    )  # fmt: skip
    try:
        yield process, started
    finally:
        process.terminate()
        try:
            process.wait(10)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def _wait(estado: Path, number: int, patience: float, process: subprocess.Popen[bytes]) -> float | None:
    """The moment an ESTADO.md that knows ``#number`` was seen in place; ``None`` when it never came."""
    name = str(estado)
    last = -1
    deadline = time.perf_counter() + patience
    while True:
        now = time.perf_counter()
        try:
            inode = os.stat(name).st_ino
        except FileNotFoundError:
            inode = -1
        if inode not in (last, -1):
            last = inode
            with open(name, "rb") as file:
                head = b"".join(file.readline() for _ in range(3))
            known = _LAST_ID.search(head)
            if known and int(known[1]) >= number:
                return now
        if now > deadline:
            return None
        if process.poll() is not None:
            raise RuntimeError(f"o vigia saiu com {process.returncode}")
        time.sleep(_STEP)


def _memory(pid: int) -> tuple[float, float]:
    """(resident, peak) megabytes of a process."""
    try:
        with open(f"/proc/{pid}/status", encoding="ascii", errors="replace") as file:
            lines = dict(line.split(":", 1) for line in file)
        return int(lines["VmRSS"].split()[0]) / 1024, int(lines["VmHWM"].split()[0]) / 1024
    except (OSError, KeyError):
        return -1.0, -1.0


def _idle(pid: int, seconds: float) -> float:
    try:
        before = _cpu(pid)
        time.sleep(seconds)
        return (_cpu(pid) - before) / seconds
    except (OSError, AttributeError):
        return -1.0


def _cpu(pid: int) -> float:
    with open(f"/proc/{pid}/stat", encoding="ascii", errors="replace") as file:
        fields = file.read().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
