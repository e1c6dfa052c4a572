"""A vault on a real disk, a private cache folder."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.vault.watcher_process import TODAY, InThread, Watched, wait


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return tmp_path / "cache"


@pytest.fixture
def vault(tmp_path: Path) -> Path:
    root = tmp_path / "cofre"
    (root / "diario/2026").mkdir(parents=True)
    (root / "Caderneta.md").write_text("---\n---\n# Caderneta\n", encoding="utf-8")
    return root


@pytest.fixture
def day(vault: Path) -> Path:
    """Today's file, with one fact."""
    path = vault / f"diario/2026/{TODAY}.md"
    path.write_text("- [14:00] decisao :: [[Aurora]] base (#41)\n", encoding="utf-8")
    return path


@pytest.fixture
def start() -> Iterator[Callable[..., Watched]]:
    running: list[Watched] = []

    def begin(root: Path, polling: bool = False, wait: bool = True) -> Watched:
        running.append(Watched(root, polling, wait))
        return running[-1]

    yield begin
    for watched in running:
        watched.end()


def run(code: str, *args: str, **env: str) -> subprocess.CompletedProcess[str]:
    """A piece of Python in a process of its own."""
    return subprocess.run(
        [sys.executable, "-c", code, *args], capture_output=True, text=True, env={**os.environ, **env}, timeout=60, check=False
    )


@pytest.fixture
def python() -> Callable[..., subprocess.CompletedProcess[str]]:
    return run


@pytest.fixture
def in_thread() -> Iterator[Callable[[Path], InThread]]:
    running: list[InThread] = []

    def begin(root: Path) -> InThread:
        running.append(InThread(root))
        wait(lambda: bool(running[-1].told))
        return running[-1]

    yield begin
    for one in running:
        one.stop.set()
        one.thread.join(20)
        assert not one.thread.is_alive()
