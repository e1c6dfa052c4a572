"""What must not end the watcher, and what must."""

from __future__ import annotations

import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from caderneta.vault import watch
from caderneta.vault.workspace import Workspace
from tests.vault.test_watch import append_to
from tests.vault.watcher_process import InThread, wait

Threaded = Callable[[Path], InThread]


@pytest.mark.parametrize("error", [RecursionError("fundo demais"), MemoryError(), ZeroDivisionError("x")])
def test_a_turn_that_breaks_is_told_once_and_tried_again(
    vault: Path, day: Path, in_thread: Threaded, monkeypatch: pytest.MonkeyPatch, error: Exception
) -> None:
    watcher = in_thread(vault)
    estado = vault / "ESTADO.md"
    before = estado.read_text(encoding="utf-8")

    def broken(workspace: object) -> str:
        raise error

    with monkeypatch.context() as patch:
        patch.setattr(watch, "estado_text", broken)
        append_to(day)
        wait(lambda: len(watcher.told) == 2)
        append_to(day)
        time.sleep(0.5)
    (told,) = watcher.told[1:]
    assert told.error and told.error.startswith("Não consegui refazer ESTADO.md: ") and type(error).__name__ in told.error
    assert told.error.endswith("Tento de novo no próximo salvamento.")
    assert estado.read_text(encoding="utf-8") == before
    append_to(day)
    wait(lambda: len(watcher.told) == 3 and watcher.told[2].error is None)
    assert "salvo agora" in estado.read_text(encoding="utf-8") and watcher.told[2].facts == 4


def test_a_first_reading_that_breaks_ends_nothing(
    vault: Path, day: Path, in_thread: Threaded, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(root: Path, today: str) -> None:
        raise RecursionError

    with monkeypatch.context() as patch:
        patch.setattr(Workspace, "open", broken)
        watcher = in_thread(vault)
        assert "RecursionError" in str(watcher.told[0].error) and not (vault / "ESTADO.md").exists()
    append_to(day)
    wait(lambda: len(watcher.told) == 2 and watcher.told[1].error is None)
    assert "salvo agora" in (vault / "ESTADO.md").read_text(encoding="utf-8")


_STUCK = """
import os, sys
from pathlib import Path
from caderneta.vault import watch, workspace
watch.ENDING = 0.3
real, pipe = workspace.read, os.pipe()
def read(path):
    if str(path).endswith("presa.md"):
        print("preso", flush=True)
        os.read(pipe[0], 1)  # a disk that does not answer
    return real(path)
workspace.read = read
watch.watch(Path(sys.argv[1]), today=lambda: "2026-07-09", on_refresh=lambda refresh: None)
print("fim", flush=True)
"""


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_reading_that_never_ends_does_not_keep_it(vault: Path, number: int) -> None:
    (vault / "presa.md").touch()
    with subprocess.Popen([sys.executable, "-c", _STUCK, str(vault)], stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout and process.stdout.readline() == "preso\n"
            process.send_signal(number)
            assert process.wait(10) == 0
            assert process.stdout.read() == "fim\n"
        finally:
            process.kill()
