"""Outputs that are closed, full or no longer read, and faults of our own: never a traceback, never a line written twice."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from caderneta.doors.cli import lint as lint_module
from tests.doors.conftest import DAY, ENTRY, Cad

Write = Callable[..., Path]
WRITTEN = "Escrito; mas a saída está fechada ou cheia.\n"
CUT = "A saída está fechada ou cheia: a resposta não saiu inteira.\n"

pytestmark = pytest.mark.skipif(not os.path.exists("/dev/full"), reason="redireções do shell e /dev/full")


def shell(redirection: str, *words: str) -> subprocess.CompletedProcess[str]:
    """A command with its streams as a shell redirects them; what is left of stderr comes back."""
    line = f'exec "$0" -c "$1" "${{@:2}}" {redirection}'
    command = ["bash", "-c", line, sys.executable, ENTRY, *words]
    return subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)


@pytest.mark.parametrize("redirection", [">/dev/full", ">&-", "1</dev/null"])
@pytest.mark.parametrize(
    "words",
    [
        ["add", "A", "decisao", "y"], ["add", "A", "decisao", "y", "--json"], ["superar", "1", "mudou"], ["resolver", "2"],
        ["aposentar", "1", "fora"], ["trocar", "1", "y", "--motivo", "z"], ["numerar"], ["renumerar", f"{DAY}:4"],
        ["init", "novo"],
    ],
    ids=lambda words: " ".join(words[:1] + words[4:]),
)  # fmt: skip
def test_what_was_written_ends_in_0_and_is_said(write: Write, redirection: str, words: list[str]) -> None:
    day = write("- decisao :: x (#1)\n- pendencia :: y (#2)\n- decisao :: a (#5)\n- decisao :: b (#5)\n- decisao :: sem\n")
    before = day.read_bytes()
    answer = shell(redirection, *words)
    assert (answer.returncode, answer.stdout) == (0, "") and answer.stderr.startswith(WRITTEN), answer
    assert (day.read_bytes() != before) == (words[0] != "init")


@pytest.mark.parametrize("words", [["estado"], ["ver", "1"], ["buscar", "x"], ["exportar"], ["lint", "--regras"], ["--help"], []])
def test_reading_into_a_full_output_ends_in_5(write: Write, words: list[str]) -> None:
    write("- decisao :: x (#1)\n")
    answer = shell(">/dev/full", *words)
    assert answer.returncode == 5 and answer.stderr.endswith(CUT)


def test_a_long_answer_into_a_full_output(write: Write) -> None:
    write("".join(f"- decisao :: {'palavra ' * 20} (#{n})\n" for n in range(1, 300)))
    answer = shell(">/dev/full", "exportar")
    assert (answer.returncode, answer.stderr) == (5, CUT)


@pytest.mark.parametrize(
    ("words", "code"),
    [(["estado"], 0), (["ver", "1"], 0), (["lint"], 1), (["buscar", "zebra"], 1), (["ver", "9"], 3), (["--help"], 0)],
)
@pytest.mark.parametrize("redirection", [">&-", ">&- 2>&-", "<&- >&- 2>&-", "<&- >/dev/null 2>/dev/full"])
def test_closed_streams_leave_the_exit_code(write: Write, redirection: str, words: list[str], code: int) -> None:
    write("- decisao :: x (#1)\n- [10:00] decizao :: y\n")
    answer = shell(redirection, *words)
    assert answer.returncode == code and "Traceback" not in answer.stderr


@pytest.mark.parametrize("redirection", ["2>&-", "2>/dev/full"])
def test_nobody_hears_stderr(write: Write, redirection: str) -> None:
    day = write("- decisao :: x (#1)\n- supersede :: #1 · caiu (#2)\n")
    answer = shell(redirection, "add", "A", "pendencia", "como em #1")
    assert (answer.returncode, answer.stderr) == (0, "") and "como em #1 (#3)" in answer.stdout
    assert shell(redirection, "ver", "9").returncode == 3
    assert shell(redirection, "ver").returncode == 2
    assert len(day.read_text(encoding="utf-8").splitlines()) == 3


def test_a_note_is_never_what_a_closed_stream_writes_to(write: Write) -> None:
    day = write("- decisao :: x (#1)\n")
    assert shell("<&- >&- 2>&-", "add", "A", "decisao", "y").returncode == 0
    first, second = day.read_text(encoding="utf-8").splitlines()
    assert first == "- decisao :: x (#1)" and second.endswith("decisao :: [[A]] y (#2)")


def test_a_reader_that_left_before_the_line_is_told(vault: Path) -> None:
    read, written = os.pipe()
    os.close(read)
    command = [sys.executable, "-c", ENTRY, "add", "A", "decisao", "x"]
    answer = subprocess.run(command, stdout=written, stderr=subprocess.PIPE, text=True, timeout=60, check=False)
    os.close(written)
    assert (answer.returncode, answer.stderr) == (0, WRITTEN)
    assert (vault / DAY).read_text(encoding="utf-8").endswith("[[A]] x (#1)\n")


@pytest.mark.parametrize("redirection", [">/dev/full", ">&-"])
def test_vigiar_goes_on_when_nobody_can_hear_it(vault: Path, redirection: str) -> None:
    line = f'exec "$0" -c "$1" vigiar {redirection}'
    process = subprocess.Popen(["bash", "-c", line, sys.executable, ENTRY], stderr=subprocess.PIPE, text=True)
    assert process.stderr and process.stderr.readline().startswith("Vigiando ")
    (vault / DAY).write_text("- decisao :: [[A]] um dois três (#1)\n", encoding="utf-8")
    end = time.monotonic() + 20
    while time.monotonic() < end and "um dois três" not in (vault / "ESTADO.md").read_text(encoding="utf-8"):
        time.sleep(0.05)
    assert "um dois três" in (vault / "ESTADO.md").read_text(encoding="utf-8")
    process.send_signal(signal.SIGINT)
    said = process.stderr.read()
    assert process.wait(10) == 0 and said.endswith("Parei de vigiar.\n") and "Traceback" not in said
    assert said.count("sigo vigiando") == (1 if redirection == ">/dev/full" else 0)
    process.stderr.close()


# --- faults of our own ----------------------------------------------------------------------------------------------------


@pytest.fixture
def broken(vault: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object, **__: object) -> None:
        raise KeyError("sala\x1b[2J")

    monkeypatch.setattr(lint_module, "open_vault", fail)


def test_a_fault_of_ours_is_told_without_a_traceback(broken: None, cad: Cad) -> None:
    assert cad("lint") == (
        5,
        "",
        "Algo deu errado dentro da caderneta: KeyError: 'sala\\x1b[2J'. Nada foi escrito se não há linha acima. "
        "Rode de novo com CADERNETA_DEPURAR=1 para ver onde.\n",
    )


def test_and_with_one_when_asked(broken: None, cad: Cad, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CADERNETA_DEPURAR", "1")
    answer = cad("lint")
    assert answer.code == 5 and answer.err.startswith("Traceback") and "KeyError" in answer.err


def test_a_folder_that_is_gone(vault: Path, cad: Cad, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    gone = tmp_path / "sumiu"
    gone.mkdir()
    monkeypatch.chdir(gone)
    gone.rmdir()
    answer = cad("estado")
    assert answer.code == 5 and "não existe mais" in answer.err
