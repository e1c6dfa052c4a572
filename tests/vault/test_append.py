from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from caderneta.vault import append as module
from caderneta.vault.append import Refused, append, edit, edit_bytes
from caderneta.vault.files import Changed, WriteFailed
from caderneta.vault.lock import Busy, locked
from caderneta.vault.workspace import Workspace

DAY = "diario/2026/2026-07-09.md"
OLD = "- [14:00] decisao :: [[Aurora]] base (#41)\n"


def one(text: str = "[[Aurora]] nova") -> Callable[[int], list[str]]:
    return lambda n: [f"- [15:00] decisao :: {text} (#{n})"]


def added(vault: Path, before: bytes) -> bytes:
    """What append put after the old bytes, which must be untouched."""
    (vault / DAY).write_bytes(before)
    workspace = Workspace.open(vault, "2026-07-09")
    (fact,) = append(workspace, DAY, one())
    after = (vault / DAY).read_bytes()
    assert after.startswith(before)
    assert workspace.projection.with_id(fact.id or 0) == (fact,) and fact.text == "nova"
    return after[len(before) :]


LINE = "- [15:00] decisao :: [[Aurora]] nova (#{})"


@pytest.mark.parametrize(
    ("before", "expected"),
    [
        ("", LINE.format(1) + "\n"),
        ("\ufeff", LINE.format(1) + "\n"),
        (OLD, LINE.format(42) + "\n"),
        (OLD[:-1], "\n" + LINE.format(42) + "\n"),
        (OLD.replace("\n", "\r\n") * 2 + "fim\n", LINE.format(42) + "\r\n"),
        ("# 2026-07-09\r\n\r\n" + OLD[:-1], "\r\n" + LINE.format(42) + "\r\n"),
        (OLD.replace("\n", "\r\n") + "a\nb\nc", "\n" + LINE.format(42) + "\n"),
        ("um parágrafo", "\n" + LINE.format(1) + "\n"),
        ("> citação\n", LINE.format(1) + "\n"),
        ("1. um\n   - dois\n     três\n", LINE.format(1) + "\n"),
        ("<div>\nhtml\n", "\n" + LINE.format(1) + "\n"),
        ("<div>\r\nhtml", "\r\n\r\n" + LINE.format(1) + "\r\n"),
        ("```\nfechada\n```\n", LINE.format(1) + "\n"),
        ("---\ntags: x\n---\n", LINE.format(1) + "\n"),
    ],
)
def test_the_line_comes_in_the_style_of_the_file(vault: Path, before: str, expected: str) -> None:
    """R01, R18, and their kin."""
    assert added(vault, before.encode()) == expected.encode()


def test_a_daily_file_that_is_not_there_is_made(vault: Path) -> None:
    workspace = Workspace.open(vault, "2026-08-01")
    (fact,) = append(workspace, "diario/2027/2027-01-01.md", one())
    assert (vault / "diario/2027/2027-01-01.md").read_bytes() == (LINE.format(1) + "\n").encode()
    assert (fact.id, fact.date, fact.line) == (1, "2027-01-01", 1)


@pytest.mark.parametrize(
    "before",
    [
        OLD + "```\naberta\n",
        OLD + "~~~",
        OLD + "<!-- aberto\n",
        OLD + "%%\naberto\n",
        OLD + "$$\nx\n",
        OLD + "<script>\n",
        OLD + "\\",  # a backslash does not escape the end of a line: harmless, kept as a control
    ],
)
def test_where_it_would_not_count_nothing_is_written(vault: Path, before: str) -> None:
    (vault / DAY).write_text(before, encoding="utf-8")
    workspace = Workspace.open(vault, "2026-07-09")
    if before.endswith("\\"):
        assert append(workspace, DAY, one())
        return
    with pytest.raises(Refused, match="Nada foi escrito"):
        append(workspace, DAY, one())
    assert (vault / DAY).read_text(encoding="utf-8") == before


def test_a_line_may_not_take_the_subject_of_a_heading_it_falls_under(vault: Path) -> None:
    (vault / DAY).write_text("## [[Outro cliente]]\n\n", encoding="utf-8")
    workspace = Workspace.open(vault, "2026-07-09")
    with pytest.raises(Refused):
        append(workspace, DAY, one("sem assunto"))
    assert append(workspace, DAY, one())[0].subject == "Aurora"
    assert append(workspace, DAY, lambda n: [f"- [15:00] supersede :: #{n - 1} · caiu (#{n})"])


@pytest.mark.parametrize(
    "line",
    [
        "- [15:00] decisao :: quebra\nno meio (#{})",
        "- [15:00] decisao :: quebra\r\nno meio (#{})",
        "texto qualquer (#{})",
        "- [15:00] decisao :: sem número",
        "- [15:00] decisao :: número de outro (#7)",
        "  - [15:00] decisao :: recuada demais\x00 (#{}) x",
        "",
    ],
)
def test_a_line_that_is_not_that_fact_is_refused(vault: Path, day: Path, line: str) -> None:
    before = day.read_bytes()
    workspace = Workspace.open(vault, "2026-07-09")
    with pytest.raises(Refused):
        append(workspace, DAY, lambda n: [line.format(n)])
    assert day.read_bytes() == before


@pytest.mark.parametrize("path", ["../fora.md", "/tmp/x.md", "modelos/x.md", ".oculta/x.md", "nota.txt", "ESTADO.md"])
def test_only_notes_of_the_vault(vault: Path, path: str) -> None:
    (vault / "ESTADO.md").write_text("<!-- caderneta: gerado a partir das notas; não edite, é refeito -->\n", encoding="utf-8")
    workspace = Workspace.open(vault, "2026-07-09")
    with pytest.raises(Refused):
        append(workspace, path, one())


def test_a_folder_that_is_a_link_is_not_read_so_nothing_is_written_there(vault: Path, tmp_path: Path) -> None:
    (tmp_path / "fora").mkdir()
    (vault / "notas").symlink_to(tmp_path / "fora")
    workspace = Workspace.open(vault, "2026-07-09")
    with pytest.raises(Refused):
        append(workspace, "notas/x.md", one("[[Aurora]] nova"))
    assert os.listdir(tmp_path / "fora") == []


def test_a_note_that_is_a_link_is_written_through(vault: Path, tmp_path: Path) -> None:
    real = tmp_path / "real.md"
    real.write_text("# Nota\n", encoding="utf-8")
    (vault / "nota.md").symlink_to(real)
    workspace = Workspace.open(vault, "2026-07-09")
    line = "- [2026-07-09 15:00] decisao :: [[Aurora]] nova (#1)"
    append(workspace, "nota.md", lambda n: [line])
    assert real.read_text(encoding="utf-8") == f"# Nota\n{line}\n"
    assert (vault / "nota.md").is_symlink()


def test_a_file_that_is_not_utf8_is_left_alone(vault: Path) -> None:
    (vault / DAY).write_bytes(b"decis\xe3o\n")
    workspace = Workspace.open(vault, "2026-07-09")
    with pytest.raises(WriteFailed, match="UTF-8"):
        append(workspace, DAY, one())
    assert (vault / DAY).read_bytes() == b"decis\xe3o\n"


def test_a_conflict_copy_takes_no_line(vault: Path, day: Path) -> None:
    copy = day.with_name(f"{day.stem}.sync-conflict-20260709-101500-ABC1234.md")
    copy.write_text(OLD, encoding="utf-8")
    workspace = Workspace.open(vault, "2026-07-09")
    with pytest.raises(Refused, match="cópia de conflito"):
        append(workspace, copy.relative_to(vault).as_posix(), one())
    assert copy.read_text(encoding="utf-8") == OLD


@pytest.mark.parametrize("away", [lambda p: p.rename(p.with_name("x~")), lambda p: p.write_bytes(b"")])
def test_an_id_in_a_file_being_saved_is_not_given_again(vault: Path, day: Path, away: Callable[[Path], object]) -> None:
    other = vault / "nota.md"
    text = "- [2026-07-09] observacao :: [[Aurora]] a maior (#77)\n"
    other.write_text(text, encoding="utf-8")
    workspace = Workspace.open(vault, "2026-07-09")
    away(other)
    back = threading.Timer(0.15, lambda: other.write_text(text, encoding="utf-8"))
    back.start()
    assert append(workspace, DAY, one())[0].id == 78
    back.join()
    other.unlink()
    assert append(workspace, DAY, one())[0].id == 79


def test_two_lines_in_one_stroke_and_none(vault: Path, day: Path) -> None:
    workspace = Workspace.open(vault, "2026-07-09")

    def swap(n: int) -> list[str]:
        return [f"- [15:00] decisao :: [[Aurora]] nova (#{n})", f"- [15:00] supersede :: #41 · virou #{n} (#{n + 1})"]

    new, event = append(workspace, DAY, swap)
    assert (new.id, event.id, event.is_event) == (42, 43, True)
    before = day.read_bytes()
    assert append(workspace, DAY, lambda n: []) == ()
    with pytest.raises(ZeroDivisionError):
        append(workspace, DAY, lambda n: [str(1 // 0)])
    assert day.read_bytes() == before
    with locked(vault, timeout=1):
        pass


def test_ids_come_from_what_the_disk_holds_now(vault: Path, day: Path) -> None:
    workspace = Workspace.open(vault, "2026-07-09")
    day.write_text(OLD + "- [14:01] decisao :: [[Aurora]] de outro (#77)\n", encoding="utf-8")
    assert append(workspace, DAY, one())[0].id == 78
    (vault / "a.md").write_text("- [2026-07-09] resolvido :: #90 · alvo que ainda não existe\n", encoding="utf-8")
    assert append(workspace, DAY, one())[0].id == 91


def test_the_largest_number_is_the_last(vault: Path, day: Path) -> None:
    day.write_text(OLD.replace("#41", "#999999999"), encoding="utf-8")
    with pytest.raises(Refused, match="acabaram"):
        append(Workspace.open(vault, "2026-07-09"), DAY, one())


def test_a_file_that_changes_at_the_last_moment_is_read_again(vault: Path, day: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    workspace = Workspace.open(vault, "2026-07-09")
    real = module._plan
    calls: list[object] = []

    def plan(*args):  # type: ignore[no-untyped-def]
        made = real(*args)
        if not calls:
            swap = day.with_name(".troca")
            swap.write_text(OLD + "de outro editor\n", encoding="utf-8")
            os.replace(swap, day)
        calls.append(made)
        return made

    monkeypatch.setattr(module, "_plan", plan)
    append(workspace, DAY, one())
    assert len(calls) == 2
    assert day.read_text(encoding="utf-8") == OLD + "de outro editor\n" + LINE.format(42) + "\n"


def test_a_line_written_to_a_file_that_was_swapped_is_written_again(
    vault: Path, day: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    workspace = Workspace.open(vault, "2026-07-09")
    real = os.fsync
    calls: list[int] = []

    def fsync(descriptor: int) -> None:
        real(descriptor)
        if not calls:
            swap = day.with_name(".troca")
            swap.write_text(OLD + "de outro editor\n", encoding="utf-8")
            os.replace(swap, day)
        calls.append(descriptor)

    monkeypatch.setattr(os, "fsync", fsync)
    append(workspace, DAY, one())
    assert day.read_text(encoding="utf-8") == OLD + "de outro editor\n" + LINE.format(42) + "\n"


_FULL = """
import resource, signal, sys
from pathlib import Path
from caderneta.vault.append import append
from caderneta.vault.files import WriteFailed
from caderneta.vault.workspace import Workspace
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
workspace = Workspace.open(Path(sys.argv[1]), "2026-07-09")
resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv[3]),) * 2)
try:
    append(workspace, sys.argv[2], lambda n: [f"- [15:00] decisao :: [[Aurora]] nova (#{n})"])
except WriteFailed as error:
    print("recusou:", error)
"""


@pytest.mark.parametrize("room", [0, 10])
def test_a_disk_that_fills_up_leaves_the_old_bytes(vault: Path, day: Path, python, room: int) -> None:  # type: ignore[no-untyped-def]
    before = day.read_bytes()
    done = python(_FULL, str(vault), DAY, str(len(before) + room))
    assert "recusou: Não deu para gravar" in done.stdout, done
    assert day.read_bytes() == before
    assert os.listdir(day.parent) == [day.name]


@pytest.mark.parametrize("room", [0, 10])
def test_a_disk_that_fills_up_leaves_no_new_file(vault: Path, python, room: int) -> None:  # type: ignore[no-untyped-def]
    done = python(_FULL, str(vault), "diario/2026/2026-07-10.md", str(room))
    assert "recusou: Não deu para gravar" in done.stdout, done
    assert os.listdir(vault / "diario/2026") == []


def test_a_file_without_permission_says_so(vault: Path, day: Path) -> None:
    day.chmod(0o444)
    if os.access(day, os.W_OK):
        pytest.skip("quem manda em tudo escreve em tudo")
    with pytest.raises(WriteFailed, match="sem permissão"):
        append(Workspace.open(vault, "2026-07-09"), DAY, one())


# Many processes


_ADD = """
import sys
from pathlib import Path
from caderneta.vault.append import append
from caderneta.vault.workspace import Workspace
name, count = sys.argv[2], int(sys.argv[3])
workspace = Workspace.open(Path(sys.argv[1]), "2026-07-09")
for i in range(count):
    (fact,) = append(workspace, "diario/2026/2026-07-09.md", lambda n: [f"- [15:00] decisao :: [[Aurora]] {name}-{i} (#{n})"])
    print(fact.id, fact.text, flush=True)
"""


def adders(vault: Path, processes: int, count: int) -> list[subprocess.Popen[str]]:
    return [
        subprocess.Popen(
            [sys.executable, "-c", _ADD, str(vault), f"p{p}", str(count)],
            stdout=subprocess.PIPE,
            text=True,
        )
        for p in range(processes)
    ]


def acknowledged(running: list[subprocess.Popen[str]]) -> dict[int, str]:
    found: dict[int, str] = {}
    for process in running:
        out, _ = process.communicate(timeout=120)
        for line in out.splitlines(keepends=True):
            if line.endswith("\n"):
                number, _, text = line.strip().partition(" ")
                assert int(number) not in found
                found[int(number)] = text
    return found


def test_two_processes_fifty_lines_each(vault: Path) -> None:
    """R45."""
    done = acknowledged(adders(vault, 2, 50))
    assert len(done) == 100
    lines = (vault / DAY).read_text(encoding="utf-8").split("\n")
    assert len(lines) == 101 and lines[-1] == ""
    workspace = Workspace.open(vault, "2026-07-09")
    assert {f.id: f.text for f in workspace.projection.facts()} == done
    assert sorted(done) == list(range(1, 101))


def test_eight_processes_some_killed(vault: Path) -> None:
    running = adders(vault, 8, 25)
    deadline = time.monotonic() + 60
    while not (vault / DAY).exists() or (vault / DAY).stat().st_size < 1500:
        assert time.monotonic() < deadline
        time.sleep(0.005)
    for victim in running[:4]:
        time.sleep(0.02)
        victim.send_signal(signal.SIGKILL)
    done = acknowledged(running)
    text = (vault / DAY).read_text(encoding="utf-8")
    assert text.endswith(")\n")
    workspace = Workspace.open(vault, "2026-07-09")
    facts = workspace.projection.facts()
    assert len({f.id for f in facts}) == len(facts) == text.count("\n")
    stands = {f.id or 0: f.text for f in facts}
    assert done.items() <= stands.items()
    assert len(stands) - len(done) <= 4  # at most one line of each victim was written and not yet acknowledged
    assert all(sum(t == text for t in stands.values()) == 1 for text in stands.values())
    assert append(workspace, DAY, one())[0].id == max(stands) + 1  # no lock is left behind


_HOLD = """
import sys, time
from pathlib import Path
from caderneta.vault.lock import locked
with locked(Path(sys.argv[1])):
    print("peguei", flush=True)
    time.sleep(60)
"""


def test_the_lock_of_a_killed_process_is_free(vault: Path, day: Path) -> None:
    holder = subprocess.Popen([sys.executable, "-c", _HOLD, str(vault)], stdout=subprocess.PIPE, text=True)
    assert holder.stdout and holder.stdout.readline() == "peguei\n"
    with pytest.raises(Busy, match="tente de novo"), locked(vault, timeout=0.2):
        pass
    holder.kill()
    holder.wait()
    holder.stdout.close()
    with locked(vault, timeout=5):
        pass
    assert append(Workspace.open(vault, "2026-07-09"), DAY, one())


def test_the_lock_lives_outside_the_vault(vault: Path, day: Path, cache: Path) -> None:
    before = sorted(p for p in vault.rglob("*"))
    append(Workspace.open(vault, "2026-07-09"), DAY, one())
    assert sorted(p for p in vault.rglob("*")) == before
    assert list(cache.rglob("*.lock"))


# Numbers for lines already there


def test_edit_gives_a_number_and_keeps_every_other_byte(vault: Path) -> None:
    before = "\ufeff# Dia\r\n\r\n- decisao :: [[Aurora]] sem número  \r\n- [ ] pendencia :: outra\n"
    (vault / DAY).write_bytes(before.encode())
    (vault / DAY).chmod(0o640)
    workspace = Workspace.open(vault, "2026-07-09")
    assert edit(workspace, DAY, lambda text, n: text.replace("sem número", f"sem número (#{n})"))
    assert (vault / DAY).read_bytes() == before.replace("sem número", "sem número (#1)").encode()
    assert (vault / DAY).stat().st_mode & 0o777 == 0o640
    assert workspace.projection.with_id(1)[0].text == "sem número"
    assert not edit(workspace, DAY, lambda text, n: None)


def test_edit_refuses_to_change_what_lines_say(vault: Path, day: Path) -> None:
    workspace = Workspace.open(vault, "2026-07-09")
    for change in (lambda t, n: t.replace("base", "outra"), lambda t, n: t + t, lambda t, n: ""):
        with pytest.raises(Refused):
            edit(workspace, DAY, change)
    assert day.read_text(encoding="utf-8") == OLD


def test_edit_starts_over_when_somebody_saves_meanwhile(vault: Path, day: Path) -> None:
    workspace = Workspace.open(vault, "2026-07-09")
    calls = []

    def change(text: str, n: int) -> str:
        calls.append(text)
        if len(calls) == 1:
            day.write_text(OLD + "- [15:00] decisao :: [[Aurora]] de outro\n", encoding="utf-8")
        return text.replace("de outro\n", f"de outro (#{n})\n") + "\n"

    assert edit(workspace, DAY, change)
    assert len(calls) == 2
    assert day.read_text(encoding="utf-8") == OLD + "- [15:00] decisao :: [[Aurora]] de outro (#42)\n\n"


def test_edit_bytes_compares_before_it_replaces(vault: Path, day: Path) -> None:
    with pytest.raises(Changed):
        edit_bytes(day, b"outra coisa", b"nova")
    edit_bytes(day, OLD.encode(), b"nova")
    assert day.read_bytes() == b"nova"
