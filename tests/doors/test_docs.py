"""Every ```console fence of README.md and docs/*.md is run, on its own copy of docs/exemplo, and must print what it shows.

Lines that begin with ``$ `` are commands; what follows, up to the next, is their whole output. A line with only ``…`` stands
for any lines. Hours of lines written just now differ from day to day, and are not compared.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.doors.conftest import ENTRY, TODAY

ROOT = Path(__file__).parents[2]
PAGES = [page for page in (ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))) if page.is_file()]
_FENCE = re.compile(r"^```console\n(.*?)^```$", re.M | re.S)
_HOUR = re.compile(r"\[[0-9]{2}:[0-9]{2}\]")


def fences() -> list[tuple[str, str]]:
    """(where it stands, its text) of every console fence."""
    found = []
    for page in PAGES:
        text = page.read_text(encoding="utf-8")
        found += [(f"{page.name}:{text.count(chr(10), 0, fence.start()) + 1}", fence[1]) for fence in _FENCE.finditer(text)]
    return found


def steps(fence: str) -> list[tuple[str, list[str]]]:
    """(command, the lines it must print), in order."""
    out: list[tuple[str, list[str]]] = []
    for line in fence.splitlines():
        if line.startswith("$ "):
            out.append((line[2:], []))
        else:
            out[-1][1].append(line)
    return out


def matches(expected: list[str], printed: list[str]) -> bool:
    pattern = "".join("(?:.*\n)*?" if line == "…" else re.escape(line) + "\n" for line in expected)
    return re.fullmatch(pattern, "".join(f"{line}\n" for line in printed)) is not None


@pytest.mark.skipif(sys.platform == "win32", reason="os exemplos são de um terminal POSIX")
@pytest.mark.parametrize("fence", [text for _, text in fences()], ids=[where for where, _ in fences()])
def test_the_example_prints_what_the_page_shows(fence: str, tmp_path: Path) -> None:
    vault = tmp_path / "caderno"
    shutil.copytree(ROOT / "docs/exemplo", vault)
    shim = tmp_path / "bin/caderneta"
    shim.parent.mkdir()
    shim.write_text(f"#!/bin/sh\nexec '{sys.executable}' -c '{ENTRY}' \"$@\"\n", encoding="utf-8")
    shim.chmod(0o755)
    paths = {"PATH": f"{shim.parent}{os.pathsep}{os.environ['PATH']}", "PYTHONPATH": str(ROOT), "CADERNETA_HOJE": TODAY}
    for command, expected in steps(fence):
        answer = subprocess.run(
            ["bash", "-c", command], cwd=vault, env={**os.environ, **paths}, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
            timeout=60, check=False,
        )  # fmt: skip
        printed = _HOUR.sub("[HH:MM]", answer.stdout.decode()).splitlines()
        assert matches([_HOUR.sub("[HH:MM]", line) for line in expected], printed), f"$ {command}\n" + "\n".join(printed)


def test_the_page_of_commands_shows_each_of_them() -> None:
    from caderneta.doors.cli.main import COMMANDS

    page = (ROOT / "docs/comandos.md").read_text(encoding="utf-8")
    run = {
        command.split()[1] for fence in _FENCE.findall(page) for command, _ in steps(fence) if command.startswith("caderneta ")
    }
    assert set(COMMANDS) - {"vigiar"} <= run | {"porque"}
    assert len(fences()) >= len(COMMANDS)
