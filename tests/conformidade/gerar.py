"""Writes again the ESTADO.md of every vault case: ``python -m tests.conformidade.gerar``. The diff is then read by a person."""

from __future__ import annotations

from tests.conformidade.test_conformidade import VAULTS

from caderneta.vault.workspace import Workspace
from caderneta.views.estado import Options, render, sections

if __name__ == "__main__":
    for folder in VAULTS:
        held = Workspace.open(folder / "cofre", (folder / "hoje.txt").read_text().strip()).projection
        (folder / "ESTADO.md").write_bytes(render(sections(held, Options())).encode())
