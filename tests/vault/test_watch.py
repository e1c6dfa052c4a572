"""The watcher against real editors' ways of saving. Deadlines are generous: only what is seen counts, not how fast."""

from __future__ import annotations

import errno
import logging
import os
import shutil
import signal
import subprocess
import threading
import time
from collections.abc import Callable
from pathlib import Path
from queue import SimpleQueue

import pytest

from caderneta.vault import observe, watch
from caderneta.vault.files import VaultError
from caderneta.vault.lock import Busy
from tests.vault.watcher_process import TODAY, InThread, Watched, wait

Start = Callable[..., Watched]
Threaded = Callable[[Path], InThread]
DAY = f"diario/2026/{TODAY}.md"
NEW = "- [14:05] decisao :: [[Baião]] salvo agora (#42)\n"


def vim(path: Path, *options: str) -> None:
    if not shutil.which("vim"):
        pytest.skip("não há vim aqui")
    script = [f"set {option}" for option in options] + [f"normal! Go{NEW.strip()}", "wq"]
    subprocess.run(
        ["vim", "-u", "NONE", "-es", *(f"+{command}" for command in script), str(path)], check=True, stdin=subprocess.DEVNULL
    )


def swap_in_folder(path: Path) -> None:
    temp = path.with_name(".goutputstream-X1")
    temp.write_bytes(path.read_bytes() + NEW.encode())
    os.replace(temp, path)


def swap_from_outside(path: Path) -> None:
    temp = path.parents[3] / "temporario"
    temp.write_bytes(path.read_bytes() + NEW.encode())
    os.replace(temp, path)


def append_to(path: Path) -> None:
    with path.open("ab") as file:
        file.write(NEW.encode())


def truncate_and_write(path: Path) -> None:
    """As Obsidian and VS Code save: the file is empty, then half written, for an instant that is made long here."""
    data = path.read_bytes() + NEW.encode()
    with open(path, "wb", buffering=0) as file:
        time.sleep(0.15)
        file.write(data[:20])
        time.sleep(0.1)
        file.write(data[20:])


def backup_and_write(path: Path) -> None:
    """vim's way, slow: the old file gets another name, and a new one is written in its place."""
    (path.parent / "4913").touch()
    (path.parent / "4913").unlink()
    old = path.with_name(path.name + "~")
    path.rename(old)
    time.sleep(0.15)
    path.write_bytes(old.read_bytes() + NEW.encode())
    old.unlink()


def delete_and_write(path: Path) -> None:
    data = path.read_bytes() + NEW.encode()
    path.unlink()
    time.sleep(0.15)
    path.write_bytes(data)


SAVES = {
    "vim": vim,
    "vim sem cópia": lambda p: vim(p, "nobackup", "nowritebackup"),
    "vim com cópia": lambda p: vim(p, "backup", "backupcopy=no"),
    "vim por cima": lambda p: vim(p, "backup", "backupcopy=yes"),
    "gedit": swap_in_folder,
    "troca de fora": swap_from_outside,
    "acréscimo": append_to,
    "trunca e grava": truncate_and_write,
    "cópia e grava, devagar": backup_and_write,
    "apaga e grava, devagar": delete_and_write,
}


@pytest.mark.parametrize("way", SAVES)
def test_every_way_of_saving(vault: Path, day: Path, start: Start, way: str) -> None:
    """R37: the new fact comes, and at no moment does ESTADO.md lack the old one."""
    watched = start(vault)
    watched.says("base")
    saver = threading.Thread(target=SAVES[way], args=(day,))
    saver.start()
    watched.says("salvo agora", never_without="base")
    saver.join()
    end = time.monotonic() + 0.6  # nor afterwards, when the dust settles
    watched.until(lambda: time.monotonic() > end, never_without="base")
    assert "salvo agora" in watched.estado() and not watched.errors()
    assert not any("4913" in str(r) or "~" in str(r) for r in watched.told), watched.told


@pytest.mark.parametrize("way", ["acréscimo", "gedit", "trunca e grava"])
def test_without_events_by_looking_again_and_again(vault: Path, day: Path, start: Start, way: str) -> None:
    watched = start(vault, polling=True)
    watched.says("base")
    SAVES[way](day)
    watched.says("salvo agora", never_without="base")


def test_edits_that_keep_size_and_date(vault: Path, day: Path, start: Start) -> None:
    """R40."""
    watched = start(vault)
    for text in ("7.350", "7.530"):
        day.write_text(f"- [14:00] decisao :: [[Aurora]] {text} (#41)\n", encoding="utf-8")
        watched.says(text)
    before = day.stat()
    day.write_text("- [14:00] decisao :: [[Aurora]] 7.035 (#41)\n", encoding="utf-8")
    os.utime(day, ns=(before.st_atime_ns, before.st_mtime_ns))
    watched.says("7.035", without=("7.530",))
    day.write_text("- [14:00] decisao :: [[Aurora]] 3.750 (#41)\n", encoding="utf-8")
    os.utime(day, (1577836800, 1577836800))
    watched.says("3.750", without=("7.035",))


def test_deleted_and_renamed_files_and_folders(vault: Path, day: Path, start: Start, tmp_path: Path) -> None:
    watched = start(vault)
    note = vault / "nota.md"
    note.write_text(f"- [{TODAY} 10:00] decisao :: [[Beta]] da nota (#50)\n", encoding="utf-8")
    watched.says("da nota", "base")
    note.rename(vault / "outra.md")
    watched.until(lambda: any("outra.md" in r["files"] for r in watched.told), never_without="da nota")
    (vault / "outra.md").unlink()
    watched.says("base", without=("da nota",))
    shutil.move(vault / "diario", tmp_path / "guardado")
    watched.says(without=("base",))
    shutil.move(tmp_path / "guardado", vault / "diario")
    watched.says("base")
    shutil.rmtree(vault / "diario")
    watched.says(without=("base",))
    day.parent.mkdir(parents=True)
    day.write_text(NEW, encoding="utf-8")
    watched.says("salvo agora")
    append_to(vault / "diario/2026/2026-07-09.md")
    (vault / "novas/dentro/fundo").mkdir(parents=True)
    (vault / "novas/dentro/fundo/n.md").write_text(f"- [{TODAY}] decisao :: [[Beta]] funda (#60)\n", encoding="utf-8")
    watched.says("funda")
    (vault / "novas").rename(vault / "antigas")
    end = time.monotonic() + 0.5
    watched.until(lambda: time.monotonic() > end, never_without="funda")


def test_a_storm_and_a_steady_stream(vault: Path, start: Start) -> None:
    """R43, shortened: many files at once, then writes without a pause; nobody starves and nothing is lost."""
    watched = start(vault)
    stream = vault / DAY
    stream.touch()
    for i in range(1, 151):
        (vault / f"nota-{i}.md").write_text(f"- [{TODAY} 10:00] observacao :: lote {i} (#{i})\n", encoding="utf-8")
    turns = len(watched.told)
    longest, last = 0.0, time.monotonic()
    for i in range(150):
        with stream.open("a", encoding="utf-8") as file:
            file.write(f"- [10:00] observacao :: rajada {i} (#{1000 + i})\n")
        if len(watched.told) > turns:
            turns, last = len(watched.told), time.monotonic()
        longest = max(longest, time.monotonic() - last)
        time.sleep(0.02)
    watched.until(lambda: watched.told[-1]["facts"] == 300)
    assert longest < 5
    assert len(watched.told) < 150


def test_own_writes_and_readings_wake_nobody(vault: Path, day: Path, start: Start) -> None:
    watched = start(vault)
    append_to(day)
    watched.says("salvo agora")
    time.sleep(0.7)
    turns, before = len(watched.told), (vault / "ESTADO.md").stat()
    for _ in range(20):
        day.read_bytes()
        (vault / "ESTADO.md").read_bytes()
        list(vault.rglob("*"))
    (vault / "lista.txt").write_text("x")
    (vault / ".obsidian").mkdir()
    (vault / ".obsidian/workspace.json").write_text("{}")
    time.sleep(0.7)
    assert len(watched.told) == turns
    assert (vault / "ESTADO.md").stat().st_ino == before.st_ino


def test_estado_comes_back_when_deleted(vault: Path, day: Path, start: Start) -> None:
    watched = start(vault)
    watched.says("base")
    (vault / "ESTADO.md").unlink()
    watched.says("base")


def test_midnight(vault: Path, day: Path, start: Start) -> None:
    watched = start(vault)
    watched.says(TODAY, "base")
    watched.today.write_text("2026-07-10")
    watched.says("2026-07-10")


def test_somebody_elses_estado_is_reported_and_kept(vault: Path, day: Path, start: Start) -> None:
    (vault / "ESTADO.md").write_text("# Meu estado\n", encoding="utf-8")
    watched = start(vault)
    assert "não foi gerado" in str(watched.errors()[0])
    append_to(day)
    watched.until(lambda: any(DAY in r["files"] for r in watched.told[1:]))
    assert watched.estado() == "# Meu estado\n"
    (vault / "ESTADO.md").rename(vault / "meu.txt")
    watched.says("base", "salvo agora")
    watched.until(lambda: watched.told[-1]["error"] is None)


def test_a_disk_that_refuses_is_reported_and_tried_again(vault: Path, day: Path, start: Start) -> None:
    watched = start(vault)
    watched.says("base")
    (vault / "ESTADO.md").unlink()
    (vault / "ESTADO.md").mkdir()
    append_to(day)
    watched.until(lambda: bool(watched.errors()))
    (vault / "ESTADO.md").rmdir()
    watched.says("base", "salvo agora")


def test_the_vault_goes_away_and_comes_back(vault: Path, day: Path, start: Start, tmp_path: Path) -> None:
    watched = start(vault)
    watched.says("base")
    vault.rename(tmp_path / "longe")
    watched.until(lambda: any("não está" in str(e) for e in watched.errors()))
    vault.mkdir()  # the empty folder of a disk that was taken away is not the vault
    time.sleep(2.5)
    assert os.listdir(vault) == []
    vault.rmdir()
    (tmp_path / "longe").rename(vault)
    watched.until(lambda: watched.told[-1]["error"] is None)
    append_to(day)
    watched.says("base", "salvo agora")


def test_the_vault_deleted_and_made_anew(vault: Path, day: Path, start: Start) -> None:
    watched = start(vault)
    watched.says("base")
    shutil.rmtree(vault)
    watched.until(lambda: bool(watched.errors()))
    day.parent.mkdir(parents=True)
    (vault / "Caderneta.md").write_text("---\n---\n", encoding="utf-8")
    day.write_text(NEW, encoding="utf-8")
    watched.says("salvo agora", without=("base",))


def test_settings_that_change(vault: Path, day: Path, start: Start) -> None:
    watched = start(vault)
    watched.says("base")
    (vault / "Caderneta.md").write_text("---\nignorar: [diario/]\n---\n", encoding="utf-8")
    watched.says(without=("base",))
    (vault / "Caderneta.md").write_text("---\nignorar: []\n---\n", encoding="utf-8")
    watched.says("base")


def test_one_watcher_a_vault(vault: Path, day: Path, start: Start) -> None:
    watched = start(vault)
    with pytest.raises(Busy, match="vigiado"):
        watch.watch(vault, today=lambda: TODAY, on_refresh=lambda refresh: None)
    watched.process.kill()
    watched.process.wait()
    start(vault).says("base")


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_clean_end(vault: Path, day: Path, start: Start, number: int) -> None:
    watched = start(vault)
    append_to(day)
    assert watched.stop(number) == 0
    assert watched.ended
    assert watched.process.stderr and watched.process.stderr.read() == ""
    assert sorted(os.listdir(vault)) == ["Caderneta.md", "ESTADO.md", "diario"]


def test_killed_it_leaves_nothing_that_counts(vault: Path, day: Path, start: Start) -> None:
    watched = start(vault)
    append_to(day)
    watched.process.kill()
    watched.process.wait()
    assert "base" in watched.estado()
    again = start(vault)
    again.says("base", "salvo agora")


@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EMFILE])  # too many watches, too many watchers
def test_at_the_systems_limit_it_says_so_and_polls(
    vault: Path, day: Path, in_thread: Threaded, monkeypatch: pytest.MonkeyPatch, number: int
) -> None:
    def refuse(root: Path, queue: object) -> None:
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr(watch, "start", refuse)
    told = in_thread(vault).told
    assert told[0].error and "cada segundo" in told[0].error
    append_to(day)
    wait(lambda: len(told) == 2 and told[1].error is None)
    assert "salvo agora" in (vault / "ESTADO.md").read_text(encoding="utf-8")


def test_folders_left_without_a_watch_are_noticed(
    vault: Path, day: Path, in_thread: Threaded, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(watch, "all_watched", lambda root: False)
    told = in_thread(vault).told
    assert told[0].error and "tantas pastas" in told[0].error


@pytest.mark.skipif(not os.path.isdir("/proc/self/fdinfo"), reason="só no Linux")
def test_the_watches_are_counted(vault: Path) -> None:
    queue: observe.Paths = SimpleQueue()
    assert not observe.all_watched(vault)
    observer = observe.start(vault, queue)
    assert observe.all_watched(vault)
    observer.stop()
    observer.join()


def test_lost_events_make_it_look_at_everything(
    vault: Path, day: Path, in_thread: Threaded, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(observe, "_interesting", lambda event, base: iter(()))  # no event arrives
    told = in_thread(vault).told
    append_to(day)
    time.sleep(0.3)
    assert len(told) == 1
    logging.getLogger("watchdog.observers.inotify_c").warning("Inotify queue overflowed; filesystem events were lost")
    wait(lambda: len(told) == 2 and told[1].files == (DAY,))


def test_a_vault_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(VaultError):
        watch.watch(tmp_path / "nada", today=lambda: TODAY, on_refresh=lambda refresh: None)
