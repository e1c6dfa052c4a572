"""Other programs save a file at the very moment it is edited: nothing of theirs is lost."""

from __future__ import annotations

import os
import stat
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import nullcontext, suppress
from pathlib import Path

import pytest

from caderneta.vault import exchange as module
from caderneta.vault.append import edit
from caderneta.vault.exchange import InUse, exchange, swap
from caderneta.vault.files import Changed, WriteFailed
from caderneta.vault.workspace import Workspace

OLD, NEW = b"velha\n", b"velha (#1)\n"

pytestmark = pytest.mark.skipif(os.name != "posix", reason="só onde um arquivo aberto pode ser trocado")


@pytest.fixture
def note(tmp_path: Path) -> Path:
    path = tmp_path / "nota.md"
    path.write_bytes(OLD)
    if not exchange(str(path), str(path)):
        pytest.skip("este disco não troca dois nomes de uma vez")
    return path


def save(path: Path, data: bytes) -> None:
    """As an editor that writes another file and gives it the name."""
    temp = path.with_name(".editor")
    temp.write_bytes(data)
    temp.replace(path)


def add(path: Path, data: bytes) -> None:
    with path.open("ab") as file:
        file.write(data)


@pytest.fixture(params=["arrendamento", "sem"])
def around(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[..., None]]:
    """Do something just before, or just after, the first exchange; where the system can make a writer wait, and where not."""
    acting: list[threading.Thread] = []

    def act(action: Callable[[], object]) -> None:
        acting.append(threading.Thread(target=action))
        acting[-1].start()
        acting[-1].join(0.05)  # it may be made to wait

    def arrange(before: Callable[[], object] = lambda: None, after: Callable[[], object] = lambda: None) -> None:
        calls: list[int] = []

        def watched(one: str, other: str) -> bool:
            calls.append(1)
            if len(calls) > 1:
                return exchange(one, other)
            act(before)
            done = exchange(one, other)
            act(after)
            return done

        monkeypatch.setattr(module, "exchange", watched)

    if request.param == "sem":
        monkeypatch.setattr(module, "_lease", lambda descriptor: nullcontext(None))
    yield arrange
    for thread in acting:
        thread.join()


def settled(path: Path) -> bytes:
    """The bytes, after whoever was made to wait has written."""
    time.sleep(0.1)
    return path.read_bytes()


def test_the_new_bytes_keep_link_permissions_and_owner(note: Path, tmp_path: Path) -> None:
    note.chmod(0o640)
    if os.geteuid() == 0:
        os.chown(note, 1234, 1234)
    owner = note.stat().st_uid
    (tmp_path / "atalho.md").symlink_to(note)
    swap(tmp_path / "atalho.md", OLD, NEW)
    assert (tmp_path / "atalho.md").is_symlink() and note.read_bytes() == NEW
    assert stat.S_IMODE(note.stat().st_mode) == 0o640 and note.stat().st_uid == owner
    assert sorted(os.listdir(tmp_path)) == ["atalho.md", "nota.md"]


def test_bytes_that_are_not_the_expected_stay(note: Path, tmp_path: Path) -> None:
    with pytest.raises(Changed):
        swap(note, b"outra\n", NEW)
    assert note.read_bytes() == OLD and os.listdir(tmp_path) == ["nota.md"]
    with pytest.raises(Changed, match="sumiu"):
        swap(tmp_path / "nada.md", OLD, NEW)


@pytest.mark.parametrize("way", [add, lambda p, d: save(p, OLD + d), lambda p, d: p.write_bytes(OLD + d)])
def test_a_save_between_the_look_and_the_exchange_stays(
    note: Path, tmp_path: Path, around: Callable[..., None], way: Callable[[Path, bytes], object]
) -> None:
    around(before=lambda: way(note, b"de outro\n"))
    first = OLD
    with suppress(Changed):
        swap(note, OLD, NEW)
        first = NEW
    assert settled(note) == first + b"de outro\n" and sorted(os.listdir(tmp_path)) == ["nota.md"]


def test_what_is_added_to_ours_before_it_goes_back_comes_along(note: Path, tmp_path: Path, around: Callable[..., None]) -> None:
    around(before=lambda: save(note, OLD + b"um\n"), after=lambda: add(note, b"dois\n"))
    with pytest.raises(Changed):
        swap(note, OLD, NEW)
    assert note.read_bytes() == OLD + b"um\ndois\n" and os.listdir(tmp_path) == ["nota.md"]


@pytest.mark.parametrize("way", [save, lambda p, d: p.write_bytes(d)])
def test_the_newest_of_two_saves_stays_with_the_lines_of_the_other(
    note: Path, tmp_path: Path, around: Callable[..., None], way: Callable[[Path, bytes], object]
) -> None:
    around(before=lambda: save(note, OLD + b"um\n"), after=lambda: way(note, b"NOVA\ndois\n"))
    with pytest.raises(Changed):
        swap(note, OLD, NEW)
    assert note.read_bytes() == b"NOVA\ndois\num\n" and os.listdir(tmp_path) == ["nota.md"]


def test_a_file_deleted_while_it_is_given_back_comes_back(note: Path, tmp_path: Path, around: Callable[..., None]) -> None:
    around(before=lambda: save(note, OLD + b"de outro\n"), after=note.unlink)
    with pytest.raises(Changed):
        swap(note, OLD, NEW)
    assert note.read_bytes() == OLD + b"de outro\n" and os.listdir(tmp_path) == ["nota.md"]


def test_a_save_after_the_exchange_is_a_save_after_ours(note: Path, tmp_path: Path, around: Callable[..., None]) -> None:
    around(after=lambda: save(note, b"depois\n"))
    swap(note, OLD, NEW)
    assert note.read_bytes() == b"depois\n" and os.listdir(tmp_path) == ["nota.md"]


def late(path: Path, mode: str, data: bytes) -> Callable[[], object]:
    """Open the file now, write a little later."""

    def begin() -> None:
        file = path.open(mode)

        def end() -> None:
            with file:
                file.write(data)

        threading.Timer(0.05, end).start()

    return begin


def test_what_is_added_through_the_old_file_reaches_the_new(note: Path, tmp_path: Path, around: Callable[..., None]) -> None:
    around(before=late(note, "ab", b"de outro\n"))
    try:
        swap(note, OLD, NEW)
    except Changed:  # it was waiting to open the file, so the old one stayed
        assert settled(note) == OLD + b"de outro\n"
    else:
        assert note.read_bytes() == NEW + b"de outro\n"
    assert os.listdir(tmp_path) == ["nota.md"]


def test_without_exchange_what_is_added_through_the_old_file_reaches_the_new(
    note: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "_lease", lambda descriptor: nullcontext(None))
    begin = late(note, "ab", b"de outro\n")
    monkeypatch.setattr(module, "exchange", lambda one, other: bool(begin()))
    swap(note, OLD, NEW)
    assert note.read_bytes() == NEW + b"de outro\n" and os.listdir(tmp_path) == ["nota.md"]


def test_a_file_written_anew_through_its_old_name_goes_back(note: Path, tmp_path: Path, around: Callable[..., None]) -> None:
    around(before=late(note, "r+b", b"NOVA, de outro\n"))
    with pytest.raises(Changed):
        swap(note, OLD, NEW)
    assert settled(note) == b"NOVA, de outro\n" and os.listdir(tmp_path) == ["nota.md"]


def test_a_file_that_somebody_keeps_open_is_not_touched(note: Path, tmp_path: Path) -> None:
    if sys.platform != "linux" or not os.major(note.stat().st_dev):
        pytest.skip("aqui não se sabe quem tem o arquivo aberto")
    with note.open("ab", buffering=0) as kept:
        with pytest.raises(InUse, match="aberto para escrever"):
            swap(note, OLD, NEW)
        kept.write(b"de outro\n")
    assert note.read_bytes() == OLD + b"de outro\n" and os.listdir(tmp_path) == ["nota.md"]
    with note.open("rb"):  # whoever only reads is no hindrance
        swap(note, OLD + b"de outro\n", NEW)


def test_bytes_that_cannot_go_back_are_kept_and_told(note: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    calls: list[int] = []

    def broken(one: str, other: str) -> bool:
        calls.append(1)
        if len(calls) > 1:
            raise OSError(5, "erro")
        save(note, b"de outro\n")
        return exchange(one, other)

    monkeypatch.setattr(module, "exchange", broken)
    with pytest.raises(WriteFailed, match=r"Parte dele ficou em .*\.tmp") as failure:
        swap(note, OLD, NEW)
    (kept,) = note.parent.glob(".caderneta-*.tmp")
    assert kept.read_bytes() == b"de outro\n" and str(kept) in str(failure.value)


_SAVER = """
import os, sys, time
path, way, end, n = sys.argv[1], sys.argv[2], time.monotonic() + float(sys.argv[3]), 0
while time.monotonic() < end:
    line = f"- observacao :: linha {n}\\n"
    if way == "acrescenta":
        with open(path, "a") as file:
            file.write(line)
    else:
        text = open(path).read() + line
        name = path if way == "trunca" else path + "~"
        with open(name, "w") as file:
            file.write(text)
        if way == "troca":
            os.replace(name, path)
    n += 1
    time.sleep(0.0005)
print(n)
"""


@pytest.mark.parametrize("way", ["acrescenta", "troca", "trunca"])
def test_a_program_that_saves_all_the_time_loses_no_line(vault: Path, day: Path, way: str) -> None:
    saver = subprocess.Popen([sys.executable, "-c", _SAVER, str(day), way, "2"], stdout=subprocess.PIPE, text=True)
    edits = 0
    while saver.poll() is None:
        old = day.read_bytes()
        head, _, rest = old.partition(b"\n")
        try:
            swap(day, old, head[:50].ljust(51 + edits % 9, b".") + b"\n" + rest)
            edits += 1
        except Changed:
            time.sleep(0.0001)
    out, _ = saver.communicate()
    lines = [line for line in day.read_text(encoding="utf-8").split("\n") if "linha" in line]
    assert sorted(lines) == sorted(f"- observacao :: linha {n}" for n in range(int(out))) and edits > 10, sorted(lines)
    assert os.listdir(day.parent) == [day.name]


def test_numbering_starts_over_when_a_line_comes_at_the_last_moment(vault: Path, day: Path, around: Callable[..., None]) -> None:
    path = day.relative_to(vault).as_posix()
    day.write_text("- decisao :: [[Aurora]] uma\n", encoding="utf-8")
    workspace = Workspace.open(vault, "2026-07-09")
    text = day.read_bytes()
    around(before=lambda: save(day, text + b"- decisao :: [[Aurora]] duas\n"))
    assert edit(workspace, path, lambda text, n: text.replace("duas\n", f"duas (#{n})\n").replace("uma\n", "uma (#9)\n"))
    assert settled(day).decode() == "- decisao :: [[Aurora]] uma (#9)\n- decisao :: [[Aurora]] duas (#1)\n"
