from __future__ import annotations

import os
import shutil
import threading
from contextlib import suppress
from pathlib import Path

import pytest

from caderneta.format.document import GENERATED
from caderneta.vault.estado_file import NotGenerated, estado_text, write_estado
from caderneta.vault.files import WriteFailed
from caderneta.vault.workspace import Workspace

TEXT = GENERATED + "\nRetrato de 2026-07-09.\n"


def test_written_only_when_its_text_changes(vault: Path) -> None:
    assert write_estado(vault, TEXT)
    before = (vault / "ESTADO.md").stat()
    assert not write_estado(vault, TEXT)
    after = (vault / "ESTADO.md").stat()
    assert (before.st_ino, before.st_mtime_ns) == (after.st_ino, after.st_mtime_ns)
    assert write_estado(vault, TEXT + "x")
    assert (vault / "ESTADO.md").read_text(encoding="utf-8") == TEXT + "x"


@pytest.mark.parametrize(
    "own",
    [
        "# Estado\n",
        "nota minha\n" + GENERATED,
        "\x00",
        "<!-- caderneta -->\n",
        "<!-- caderneta: gerado por mim, à mão -->\n",
        GENERATED + " e o que eu acrescentei\n",
    ],
)
def test_never_over_somebody_elses_file(vault: Path, own: str) -> None:
    (vault / "ESTADO.md").write_text(own, encoding="utf-8")
    with pytest.raises(NotGenerated, match="não foi gerado"):
        write_estado(vault, TEXT)
    assert (vault / "ESTADO.md").read_text(encoding="utf-8") == own


@pytest.mark.parametrize("old", ["", "\n", GENERATED, GENERATED + " \t\r\nvelho", "\ufeff" + GENERATED + "\r\nvelho\r\n"])
def test_over_an_empty_one_and_over_our_own(vault: Path, old: str) -> None:
    (vault / "ESTADO.md").write_bytes(old.encode())
    assert write_estado(vault, TEXT)
    assert (vault / "ESTADO.md").read_bytes() == TEXT.encode()


def test_a_folder_of_that_name_is_said(vault: Path) -> None:
    (vault / "ESTADO.md").mkdir()
    with pytest.raises(WriteFailed, match="pasta"):
        write_estado(vault, TEXT)


def test_two_writers_never_leave_half_a_file(vault: Path) -> None:
    texts = [TEXT + letter * 50_000 for letter in "ab"]
    write_estado(vault, texts[0])
    seen: set[str] = set()
    stop = threading.Event()

    def look() -> None:
        while not stop.is_set():
            seen.add((vault / "ESTADO.md").read_text(encoding="utf-8"))

    def write(text: str) -> None:
        for _ in range(40):
            with suppress(WriteFailed):  # the other was quicker five times in a row
                write_estado(vault, text)

    threads = [threading.Thread(target=write, args=(text,)) for text in texts]
    reader = threading.Thread(target=look)
    reader.start()
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    stop.set()
    reader.join()
    assert seen <= set(texts)
    assert sorted(os.listdir(vault)) == ["Caderneta.md", "ESTADO.md", "diario"]


def test_the_same_notes_give_the_same_bytes_anywhere(vault: Path, day: Path, tmp_path: Path) -> None:
    """R34."""
    (vault / "b.md").write_text("- [2026-07-09] pendencia :: [[Érica]] ligar (#43)\n", encoding="utf-8")
    (vault / "Á.md").write_text("- [2026-07-08] decisao :: [[Ana]] outra (#42)\n", encoding="utf-8")
    other = tmp_path / "outro aparelho"
    for path in sorted((p for p in vault.rglob("*.md")), reverse=True):
        (other / path.relative_to(vault)).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(path, other / path.relative_to(vault))
    first = estado_text(Workspace.open(vault, "2026-07-09"))
    assert write_estado(vault, first)
    workspace = Workspace.open(vault, "2026-07-09")
    assert estado_text(workspace) == first == estado_text(Workspace.open(other, "2026-07-09"))
    assert not write_estado(vault, estado_text(workspace))


@pytest.mark.parametrize("there", [None, "", "# Meu\n"])
def test_a_link_that_leads_to_nothing_of_ours_is_left_alone(vault: Path, tmp_path: Path, there: str | None) -> None:
    outside = tmp_path / "fora.md"
    if there is not None:
        outside.write_text(there, encoding="utf-8")
    (vault / "ESTADO.md").symlink_to(outside)
    with pytest.raises(NotGenerated, match="atalho para um arquivo que não existe" if there is None else "não foi gerado"):
        write_estado(vault, TEXT)
    assert (outside.read_text(encoding="utf-8") if outside.exists() else None) == there


def test_a_link_to_our_own_is_written_through(vault: Path, tmp_path: Path) -> None:
    (tmp_path / "fora.md").write_text(GENERATED + "\n", encoding="utf-8")
    (vault / "ESTADO.md").symlink_to(tmp_path / "fora.md")
    assert write_estado(vault, TEXT)
    assert (vault / "ESTADO.md").is_symlink() and (tmp_path / "fora.md").read_text(encoding="utf-8") == TEXT
