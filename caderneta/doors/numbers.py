"""When there are no numbers left (§8): where the largest stands, which is nearly always a slip of somebody's finger."""

from __future__ import annotations

import re

from caderneta.doors.failure import BAD_REQUEST, Failure
from caderneta.format.text import visible
from caderneta.vault.append import LARGEST_ID
from caderneta.vault.files import Read, read
from caderneta.vault.workspace import Workspace


def check_room(workspace: Workspace, first: int, count: int) -> None:
    """Raises Failure when ``count`` ids from ``first`` on would pass the largest there may be."""
    if count and first + count - 1 > LARGEST_ID:
        place = _place(workspace, first - 1)
        where = f", em {visible(place)}" if place else ""
        raise Failure(
            BAD_REQUEST,
            f"Os números acabaram: o cofre já chegou a #{first - 1}{where}, e o último possível é #{LARGEST_ID}. "
            "Se esse número foi engano, corrija-o ali e tente de novo. Nada foi escrito.",
        )


def _place(workspace: Workspace, number: int) -> str:
    """The first ``file:line`` that writes a number: a line that counts, else one that does not."""
    documents = workspace.projection.documents
    for path, document in sorted(documents.items()):
        for fact in document.facts:
            if fact.id == number or any(target.id == number for target in fact.targets):
                return f"{path}:{fact.line}"
    written = re.compile(rb"#[^0-9\n]{0,8}0*%d(?![0-9])" % number)
    for path, document in sorted(documents.items()):
        if document.hidden_id == number or not document.facts:
            result = read(workspace.root / path)
            found = written.search(result.data) if isinstance(result, Read) else None
            if found and isinstance(result, Read):
                line = result.data.count(b"\n", 0, found.start()) + 1
                return f"{path}:{line}"
    return ""
