from __future__ import annotations

import os
import stat
import threading
from pathlib import Path

import pytest

from caderneta.vault import files
from caderneta.vault.files import Changed, Read, Style, Unreadable, WriteFailed, decode, read, replace, signature, style


def test_reads_bytes_signature_and_digest(tmp_path: Path) -> None:
    path = tmp_path / "a.md"
    path.write_bytes(b"um\r\ndois")
    result = read(path)
    assert isinstance(result, Read)
    assert result.data == b"um\r\ndois"
    assert result.signature == signature(path)
    assert result.doubtful  # written a moment ago


def test_a_date_set_back_settles_no_doubt(tmp_path: Path) -> None:
    path = tmp_path / "a.md"
    path.write_bytes(b"x")
    os.utime(path, (1, 1))  # the system's own date of change still is of this moment
    result = read(path)
    assert isinstance(result, Read) and result.doubtful


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda p: None, "não existe"),
        (lambda p: p.mkdir(), "pasta"),
        (lambda p: os.mkfifo(p), "arquivo comum"),
        (lambda p: p.symlink_to(p), "aponta para si mesmo"),
        (lambda p: p.symlink_to("/proc/kmsg"), "pasta do sistema"),
        (lambda p: p.symlink_to("/dev/zero"), "pasta do sistema"),
    ],
)
def test_what_is_no_readable_file_is_a_value(tmp_path: Path, make, words: str) -> None:  # type: ignore[no-untyped-def]
    path = tmp_path / "a.md"
    make(path)
    result = read(path)
    assert isinstance(result, Unreadable)
    assert words in result.reason


def test_a_file_without_permission(tmp_path: Path) -> None:
    path = tmp_path / "a.md"
    path.write_bytes(b"x")
    path.chmod(0)
    if os.access(path, os.R_OK):
        pytest.skip("quem manda em tudo lê tudo")
    result = read(path)
    assert isinstance(result, Unreadable) and result.reason == "sem permissão"


@pytest.mark.parametrize(("data", "offset"), [(b"decis\xe3o", 5), (b"\xff\xfea\x00", 0), (b"ok \xc3", 3), (b"\xed\xa0\x80", 0)])
def test_bytes_that_are_not_utf8_give_their_offset(data: bytes, offset: int) -> None:
    assert decode(data) == offset


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (b"", Style(False, b"\n", True)),
        (b"\xef\xbb\xbf", Style(True, b"\n", True)),
        (b"a", Style(False, b"\n", False)),
        (b"a\r\nb\r\nc\n", Style(False, b"\r\n", True)),
        (b"a\r\nb\n", Style(False, b"\n", True)),
        (b"a\rb", Style(False, b"\n", False)),
    ],
)
def test_style(data: bytes, expected: Style) -> None:
    assert style(data) == expected


def test_replace_keeps_permissions_and_leaves_no_temp(tmp_path: Path) -> None:
    path = tmp_path / "a.md"
    path.write_bytes(b"velho")
    path.chmod(0o640)
    replace(path, b"novo")
    assert path.read_bytes() == b"novo"
    assert stat.S_IMODE(path.stat().st_mode) == 0o640
    assert os.listdir(tmp_path) == ["a.md"]


def test_replace_writes_through_a_link(tmp_path: Path) -> None:
    (tmp_path / "fora").mkdir()
    real = tmp_path / "fora/real.md"
    real.write_bytes(b"velho")
    link = tmp_path / "link.md"
    link.symlink_to(real)
    replace(link, b"novo")
    assert link.is_symlink() and real.read_bytes() == b"novo"


def test_replace_stops_when_the_file_changed(tmp_path: Path) -> None:
    path = tmp_path / "a.md"
    path.write_bytes(b"velho")
    with pytest.raises(Changed):
        replace(path, b"novo", still=lambda: False)
    assert path.read_bytes() == b"velho"
    assert os.listdir(tmp_path) == ["a.md"]


def test_replace_that_fails_says_why_and_leaves_nothing(tmp_path: Path) -> None:
    (tmp_path / "a.md").mkdir()
    (tmp_path / "a.md/x").touch()
    with pytest.raises(WriteFailed, match="pasta"):
        replace(tmp_path / "a.md", b"novo")
    assert os.listdir(tmp_path) == ["a.md"]


def test_replacing_while_others_read_never_shows_half_a_file(tmp_path: Path) -> None:
    path = tmp_path / "a.md"
    texts = [bytes([letter]) * 200_000 for letter in b"ab"]
    path.write_bytes(texts[0])
    stop = threading.Event()
    seen: set[bytes] = set()

    def look() -> None:
        while not stop.is_set():
            seen.add(path.read_bytes())

    def write(text: bytes) -> None:
        for _ in range(50):
            replace(path, text)

    reader = threading.Thread(target=look)
    reader.start()
    writers = [threading.Thread(target=write, args=(text,)) for text in texts]
    for writer in writers:
        writer.start()
    for writer in writers:
        writer.join()
    stop.set()
    reader.join()
    assert seen <= set(texts)
    assert os.listdir(tmp_path) == ["a.md"]


def test_a_disk_without_room_leaves_the_old_bytes(tmp_path: Path, python) -> None:  # type: ignore[no-untyped-def]
    path = tmp_path / "a.md"
    path.write_bytes(b"velho")
    code = (
        "import resource, signal, sys; from caderneta.vault.files import *\n"
        "signal.signal(signal.SIGXFSZ, signal.SIG_IGN); resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))\n"
        "try: replace(sys.argv[1], b'x' * 5000)\n"
        "except WriteFailed as error: print(error)"
    )
    done = python(code, str(path))
    assert "tamanho permitido" in done.stdout, done
    assert path.read_bytes() == b"velho"
    assert os.listdir(tmp_path) == ["a.md"]


def test_a_pipe_that_takes_the_place_of_a_file_makes_nobody_wait(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "a.md"
    os.mkfifo(path)
    monkeypatch.setattr(files, "signature", lambda path: files.Signature(0, 0, 0, 0))  # as it was a moment ago
    result = read(path)
    assert isinstance(result, Unreadable) and "arquivo comum" in result.reason
