"""Commands run in this process (``cad``) or in their own (``caderneta``), on a vault of the test's."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest

from caderneta.doors.cli.main import run

TODAY = "2026-07-20"
ROOT = Path(__file__).parents[2]
DAY = f"diario/2026/{TODAY}.md"
ENTRY = "from caderneta.doors.cli.main import main; main()"


class Answer(NamedTuple):
    code: int
    out: str
    err: str

    @property
    def lines(self) -> list[str]:
        return self.out.splitlines()


Cad = Callable[..., Answer]


@pytest.fixture(autouse=True)
def world(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setenv("CADERNETA_HOJE", TODAY)
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(filter(None, [str(ROOT), os.environ.get("PYTHONPATH")])))
    monkeypatch.delenv("CADERNETA_VAULT", raising=False)


@pytest.fixture
def vault(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty vault, which is also the current folder."""
    root = tmp_path / "cofre"
    (root / "diario/2026").mkdir(parents=True)
    (root / "Caderneta.md").write_text("# Caderneta\n", encoding="utf-8")
    monkeypatch.chdir(root)
    return root


@pytest.fixture
def write(vault: Path) -> Callable[..., Path]:
    """Puts a text in today's daily file (or another)."""

    def put(text: str, path: str = DAY) -> Path:
        full = vault / path
        full.parent.mkdir(parents=True, exist_ok=True)
        full.write_bytes(text.encode("utf-8"))
        return full

    return put


@pytest.fixture
def cad(capsys: pytest.CaptureFixture[str]) -> Cad:
    """One command line in this process."""

    def call(*arguments: str) -> Answer:
        capsys.readouterr()
        code = run(arguments)
        out, err = capsys.readouterr()
        return Answer(code, out, err)

    return call


@pytest.fixture
def caderneta() -> Callable[..., subprocess.CompletedProcess[bytes]]:
    """One command line in a process of its own."""

    def call(*arguments: str, **env: str) -> subprocess.CompletedProcess[bytes]:
        command = [sys.executable, "-c", ENTRY, *arguments]
        return subprocess.run(command, capture_output=True, env={**os.environ, **env}, timeout=60, check=False)

    return call
