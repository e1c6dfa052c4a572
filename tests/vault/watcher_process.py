"""The watcher in a process of its own, and what it told."""

from __future__ import annotations

import json
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from caderneta.vault import watch

TODAY = "2026-07-09"

_WATCH = """
import json, sys
from dataclasses import asdict
from pathlib import Path
from typing import Any

from caderneta.vault import watch
from caderneta.vault.watch import watch

def tell(refresh):
    print(json.dumps(asdict(refresh)), flush=True)

watch(Path(sys.argv[1]), today=lambda: open(sys.argv[2]).read(), on_refresh=tell, polling=sys.argv[3] == "1")
print(json.dumps("fim"), flush=True)
"""


class Watched:
    """A watcher process: what it told, what ESTADO.md said at every moment."""

    def __init__(self, root: Path, polling: bool = False, wait: bool = True) -> None:
        self.root = root
        self.today = root.parent / "hoje.txt"
        self.today.write_text(TODAY)
        self.told: list[dict[str, Any]] = []
        self.ended = False
        self.process = subprocess.Popen(
            [sys.executable, "-c", _WATCH, str(root), str(self.today), "1" if polling else "0"],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()
        if wait:
            self.until(lambda: bool(self.told))

    def _read(self) -> None:
        assert self.process.stdout
        for line in self.process.stdout:
            value = json.loads(line)
            if value == "fim":
                self.ended = True
            else:
                self.told.append(value)

    def estado(self) -> str:
        try:
            return (self.root / "ESTADO.md").read_text(encoding="utf-8")
        except FileNotFoundError:
            return ""

    def until(self, condition: Callable[[], bool], seconds: float = 20, never_without: str = "") -> float:
        """Wait for a condition; ``never_without`` must be in ESTADO.md at every moment meanwhile."""
        start = time.monotonic()
        while not condition():
            assert time.monotonic() - start < seconds, f"não aconteceu: {self.estado()!r} {self.told[-3:]}"
            assert self.process.poll() is None or self.ended, self.process.communicate()
            if never_without:
                assert never_without in self.estado()
            time.sleep(0.002)
        return time.monotonic() - start

    def says(self, *texts: str, without: tuple[str, ...] = (), never_without: str = "") -> float:
        return self.until(
            lambda: all(t in self.estado() for t in texts) and not any(t in self.estado() for t in without),
            never_without=never_without,
        )

    def errors(self) -> list[object]:
        return [refresh["error"] for refresh in self.told if refresh["error"]]

    def stop(self, number: int) -> int:
        self.process.send_signal(number)
        self.process.wait(20)
        self._reader.join(20)
        return self.process.returncode

    def end(self) -> None:
        """Leave nothing running, nothing open."""
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        self._reader.join(20)
        for pipe in (self.process.stdout, self.process.stderr):
            if pipe:
                pipe.close()


class InThread:
    """The watcher in a thread of this process, so that what it stands on can be changed."""

    def __init__(self, root: Path) -> None:
        self.told: list[watch.Refresh] = []
        self.stop = threading.Event()
        self.thread = threading.Thread(target=self._run, args=(root,))
        self.thread.start()

    def _run(self, root: Path) -> None:
        watch.watch(root, today=lambda: TODAY, on_refresh=self.told.append, stop=self.stop)


def wait(condition: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 20
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.01)
