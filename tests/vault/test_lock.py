"""One writer and one watcher a vault, whatever cache folder each process has."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from caderneta.vault import lock as module
from caderneta.vault.append import append
from caderneta.vault.files import VaultError
from caderneta.vault.lock import Busy, locked, watching
from caderneta.vault.workspace import Workspace

DAY = "diario/2026/2026-07-09.md"

_ADD = """
import sys
from pathlib import Path
from caderneta.vault.append import append
from caderneta.vault.workspace import Workspace
workspace = Workspace.open(Path(sys.argv[1]), "2026-07-09")
for i in range(15):
    (fact,) = append(workspace, "diario/2026/2026-07-09.md", lambda n: [f"- [15:00] decisao :: [[Aurora]] x{i} (#{n})"])
    print(fact.id)
"""


def test_writers_with_other_cache_folders_give_no_id_twice(vault: Path, tmp_path: Path) -> None:
    running = [
        subprocess.Popen(
            [sys.executable, "-c", _ADD, str(vault)],
            stdout=subprocess.PIPE,
            text=True,
            env={**os.environ, "XDG_CACHE_HOME": str(tmp_path / f"outro{n}")},
        )
        for n in range(6)
    ]
    given = [int(line) for process in running for line in process.communicate(timeout=120)[0].split()]
    assert sorted(given) == list(range(1, 91))
    assert sorted(f.id or 0 for f in Workspace.open(vault, "2026-07-09").projection.facts()) == sorted(given)


def test_the_folder_s_own_lock_is_enough(vault: Path, cache: Path) -> None:
    cache.write_text("um arquivo no lugar da pasta")
    workspace = Workspace.open(vault, "2026-07-09")
    assert append(workspace, DAY, lambda n: [f"- [15:00] decisao :: x (#{n})"])
    with locked(vault), pytest.raises(Busy, match="tente de novo"), locked(vault, timeout=0.1):
        pass
    with locked(vault, timeout=0.1):
        pass


def test_without_any_lock_nothing_is_written(vault: Path, cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    cache.write_text("um arquivo no lugar da pasta")
    monkeypatch.setattr(module, "fcntl", None)
    workspace = Workspace.open(vault, "2026-07-09")
    with pytest.raises(VaultError, match="trava do cofre"):
        append(workspace, DAY, lambda n: [f"- [15:00] decisao :: x (#{n})"])
    assert not (vault / DAY).exists()


def test_without_the_folder_s_lock_the_cache_s_is_enough(vault: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "fcntl", None)
    with locked(vault), pytest.raises(Busy), locked(vault, timeout=0.1):
        pass


def test_a_watcher_with_another_cache_folder_is_still_another_watcher(
    vault: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with watching(vault):
        monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "outro"))
        with pytest.raises(Busy, match="vigiado"), watching(vault):
            pass
        with locked(vault, timeout=1):  # watching is no writing
            pass
    with watching(vault):
        pass


def test_a_folder_without_marker_can_be_watched(tmp_path: Path) -> None:
    with watching(tmp_path), locked(tmp_path, timeout=1):
        assert os.listdir(tmp_path) == ["cache"]


def test_who_waits_gets_it_when_it_is_free(vault: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    free = threading.Event()

    def hold() -> None:
        with locked(vault):
            free.set()
            time.sleep(0.2)

    holder = threading.Thread(target=hold)
    holder.start()
    free.wait()
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "outro"))
    with locked(vault, timeout=5):
        pass
    holder.join()
