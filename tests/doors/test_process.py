"""The command in processes of its own: pipes, locales, terminals, and several writers at once."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from caderneta.format.document import parse
from tests.doors.conftest import DAY, ENTRY, TODAY

Write = Callable[..., Path]
Run = Callable[..., "subprocess.CompletedProcess[bytes]"]
COMMAND = [sys.executable, "-c", ENTRY]
linux = pytest.mark.skipif(sys.platform == "win32", reason="sinais e pseudoterminais")


def test_pipes_are_utf8_whatever_the_locale(write: Write, caderneta: Run) -> None:
    write("- decisao :: [[Estúdio]] ação — 🙂 (#1)\n")
    plain = {"LC_ALL": "C", "LANG": "C", "PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
    for command in (["estado"], ["buscar", "ação"], ["ver", "1"], ["exportar"]):
        answer = caderneta(*command, **plain)
        assert answer.returncode == 0 and "ação — 🙂".encode() in answer.stdout, answer
        assert b"\x1b" not in answer.stdout and b"\r" not in answer.stdout
    assert caderneta("add", "Estúdio", "decisao", "é", **plain).returncode in (0, 2)


def test_exit_codes_reach_the_shell(write: Write, caderneta: Run) -> None:
    write("- [10:00] decisao :: [[Cliente ACME]] x (#1)\n- [10:00] decizao :: y\n")
    cases = [
        (["ver", "1"], 0), (["lint"], 1), (["buscar", "zebra"], 1), (["ver"], 2), (["ver", "9"], 3),
        (["add", "Cliente Acmé", "decisao", "x"], 4), (["add", "A", "decizao", "x"], 4), (["-C", "/nao/ha", "ver", "1"], 5),
    ]  # fmt: skip
    for words, code in cases:
        answer = caderneta(*words)
        assert answer.returncode == code, (words, answer)
        assert b"Traceback" not in answer.stderr


@linux
def test_a_reader_that_leaves_early(write: Write) -> None:
    write("".join(f"- decisao :: {'palavra ' * 20} (#{n})\n" for n in range(1, 3000)))
    process = subprocess.Popen([*COMMAND, "exportar"], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert process.stdout and process.stderr
    process.stdout.readline()
    process.stdout.close()
    assert process.stderr.read() == b"" and process.wait(30) == 0
    process.stderr.close()


def test_arguments_that_are_not_utf8(vault: Path) -> None:
    if sys.platform == "win32":
        pytest.skip("os argumentos do Windows são texto")
    answer = subprocess.run([*COMMAND, "add", "A", "decisao", b"byte \xff solto"], capture_output=True, check=False)
    assert answer.returncode == 2 and b"UTF-8" in answer.stderr and b"Traceback" not in answer.stderr
    assert not (vault / DAY).exists()


def test_eight_writers_at_once(vault: Path) -> None:
    running = [
        subprocess.Popen(
            [*COMMAND, "add", ("Padaria", "Contador", "Estúdio")[n % 3], "observacao", f"linha {n}"],
            stdout=subprocess.PIPE,
            text=True,
        )
        for n in range(8)
    ]
    said = [process.communicate(timeout=60)[0] for process in running]
    assert [process.returncode for process in running] == [0] * 8
    lines = (vault / DAY).read_text(encoding="utf-8").splitlines()
    assert sorted(lines) == sorted(line.strip() for line in said)
    assert sorted(f.id or 0 for f in parse(DAY, "\n".join(lines)).facts) == list(range(1, 9))


@linux
def test_writers_killed_in_the_middle(vault: Path) -> None:
    """Every line whose process said so stands once, with its own id; no torn line, no lock left."""
    acknowledged: list[str] = []
    for turn in range(4):
        running = [
            subprocess.Popen([*COMMAND, "add", "A", "observacao", f"linha {turn}-{n}"], stdout=subprocess.PIPE, text=True)
            for n in range(8)
        ]
        time.sleep(0.15 + 0.1 * turn)
        for process in running[::3]:
            process.send_signal(signal.SIGKILL)
        acknowledged += [said.strip() for process in running if (said := process.communicate(timeout=60)[0])]
    lines = (vault / DAY).read_text(encoding="utf-8").split("\n")
    assert lines.pop() == ""
    assert all(lines.count(line) == 1 for line in acknowledged) and len(acknowledged) >= 20
    facts = parse(DAY, "\n".join(lines)).facts
    assert len(facts) == len(lines) and len({f.id for f in facts}) == len(facts)
    started = time.monotonic()
    assert subprocess.run([*COMMAND, "add", "A", "observacao", "a última"], capture_output=True, check=False).returncode == 0
    assert time.monotonic() - started < 5


@linux
def test_vigiar_keeps_estado_true_and_stops_clean(vault: Path) -> None:
    process = subprocess.Popen([*COMMAND, "vigiar"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert process.stdout and process.stderr
    process.stdout.readline()
    (vault / DAY).write_text("- decisao :: [[A]] um dois três (#1)\n", encoding="utf-8")
    line = process.stdout.readline()
    assert re.match(rf"[0-9]{{2}}:[0-9]{{2}} {DAY} · 1 fato · ", line) and "\x1b" not in line
    assert "um dois três" in (vault / "ESTADO.md").read_text(encoding="utf-8")
    other = subprocess.run([*COMMAND, "vigiar"], capture_output=True, check=False)
    assert other.returncode == 5 and other.stderr.decode().startswith("Este cofre já está sendo vigiado")
    process.send_signal(signal.SIGINT)
    assert process.wait(10) == 0
    assert process.stderr.read() == f"Vigiando {vault}. Ctrl-C encerra.\nParei de vigiar.\n"
    process.stdout.close()
    process.stderr.close()


# --- a terminal -----------------------------------------------------------------------------------------------------------

R57 = """\
- [14:00] decisao :: [[bold]] preço [urgente] revisto (#41)
- [x] [14:05] pendencia :: caixa marcada (#42)
- [14:10] observacao :: [/fim] fecha o que não abriu (#43)
- [14:15] observacao :: [red]vermelho[/red] e \\[escapado] (#44)
- [14:20] observacao :: código :100: e :smile: literais (#45)
- [14:25] observacao :: colchete sem par [b (#46)
"""
R59 = """\
- [10:00] observacao :: limpa a tela \x1b[2J\x1b[H pronto (#41)
- [10:05] observacao :: tí \x1b]0;invadido\x07 e \x1b]52;c;eA==\x07 (#42)
- [10:10] observacao :: volta o cursor\rFALSO :: tudo certo (#43)
- [10:15] observacao :: inverte \u202e)14#(\u202c leitura (#44)
- [10:20] observacao :: CSI de 8 bits \x9b2J (#45)
- [10:25] observacao :: apaga\x08\x08\x08 (#46)
"""
_OURS = re.compile(r"\x1b\[[0-9;]*m")
_HARM = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")


def on_terminal(words: list[str], columns: int, **env: str) -> str:
    import fcntl
    import pty
    import struct
    import termios

    pid, terminal = pty.fork()
    if pid == 0:
        time.sleep(0.1)
        inherited = {name: value for name, value in os.environ.items() if name not in ("COLUMNS", "LINES")}
        os.execve(sys.executable, [*COMMAND, *words], {**inherited, "TERM": "xterm-256color", **env})
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
    out = b""
    try:
        while data := os.read(terminal, 65536):
            out += data
    except OSError:
        pass
    os.waitpid(pid, 0)
    os.close(terminal)
    return out.decode("utf-8").replace("\r\n", "\n")


COMMANDS = [
    ["buscar", "observacao", "fecha", "vermelho", "limpa", "volta", "inverte", "apaga", "preço", "colchete", "tí"],
    ["ver", "43"], ["ver", "44"], ["ver", "41"], ["estado"], ["lint"],
]  # fmt: skip


@linux
@pytest.mark.parametrize("text", [R57, R59], ids=["R57", "R59"])
@pytest.mark.parametrize("words", COMMANDS, ids=" ".join)
def test_nothing_a_fact_says_commands_a_terminal(write: Write, caderneta: Run, text: str, words: list[str]) -> None:
    before = write(text).read_bytes()
    shown = on_terminal(words, 60)
    assert not _HARM.search(_OURS.sub("", shown).replace("\n", "")), shown
    assert "Traceback" not in shown
    piped = caderneta(*words).stdout.decode()
    assert not _HARM.search(piped.replace("\n", ""))
    assert write(text).read_bytes() == before


@linux
def test_brackets_and_emoji_names_are_printed_as_written(write: Write, caderneta: Run) -> None:
    write(R57)
    for number, said in (
        ("41", "[[bold]] preço [urgente] revisto"), ("43", "[/fim] fecha"), ("44", "[red]vermelho[/red] e [escapado]"),
        ("45", ":100: e :smile:"), ("46", "sem par [b"),
    ):  # fmt: skip
        assert said in _OURS.sub("", on_terminal(["ver", number], 200))
        assert said in caderneta("ver", number).stdout.decode()


@linux
def test_lines_wrap_to_the_width_and_colours_can_be_refused(write: Write) -> None:
    write("- decisao :: [[Sala]] " + "palavra comprida e depois outra " * 6 + "(#1)\n")
    shown = on_terminal(["buscar", "palavra"], 40)
    assert "\x1b[" in shown
    assert max(len(_OURS.sub("", line)) for line in shown.split("\n")) <= 40, shown
    assert not re.search(r"\x1b\[[0-9;]*3[0-9]m", on_terminal(["buscar", "palavra"], 40, NO_COLOR="1"))


def test_json_escapes_what_could_command_a_screen(write: Write, caderneta: Run) -> None:
    write(R59)
    for words in (
        ["exportar"],
        ["buscar", "limpa", "--json"],
        ["ver", "44", "--json"],
        ["estado", "--json"],
        ["lint", "--formato", "json"],
    ):
        out = caderneta(*words).stdout.decode()
        assert out and not _HARM.search(out.replace("\n", "")), words
    assert "\\u202e" in caderneta("ver", "44", "--json").stdout.decode()
    assert TODAY in out or "CAD120" in out
