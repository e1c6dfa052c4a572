"""Markdown in, ESTADO.md out."""

from __future__ import annotations

from caderneta.format.document import parse
from caderneta.format.values import Document
from caderneta.ledger.projection import Projection
from caderneta.views.estado import Options, render, sections

TODAY = "2026-07-20"


def read(files: str | dict[str, str]) -> list[Document]:
    """Documents of a vault: path → text, or today's daily file alone."""
    files = {f"diario/2026/{TODAY}.md": files} if isinstance(files, str) else files
    return [parse(path, text) for path, text in files.items()]


def project(files: str | dict[str, str], today: str = TODAY) -> Projection:
    return Projection(today=today, documents=read(files))


def text_of(projection: Projection, options: Options | None = None) -> str:
    return render(sections(projection, options or Options()))


def body(files: str | dict[str, str], options: Options | None = None, today: str = TODAY) -> str:
    """ESTADO.md without the lines at its top."""
    return text_of(project(files, today), options).partition("\n\n")[2]
