"""The vault in memory: one Document a file, one Projection kept by difference, brought up to date by signature.

Every door goes through a :class:`Workspace`; none reads a file of the vault by itself. Files that cannot count are
there too, as Documents without facts whose findings say why, so the projection tells of them like of any other.
"""

from __future__ import annotations

import errno
import gc
import os
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from caderneta.format.document import is_generated, parse
from caderneta.format.line import largest_written_id
from caderneta.format.settings import SETTINGS_FILE
from caderneta.format.values import Document, Fact, Finding, Settings
from caderneta.ledger.projection import Projection
from caderneta.vault import copies, find
from caderneta.vault.files import GRACE, Doubts, Read, Signature, Unreadable, VaultError, decode, digest, read, signature

_NOT_THERE = Unreadable(errno.ENOENT, "o arquivo não existe")
_ABSENT = (errno.ENOENT, errno.ENOTDIR, errno.EISDIR, errno.EINVAL)  # no regular file of that name

# The doubt about the settings themselves, apart from the one about Caderneta.md as a note.
_SETTINGS_DOUBT = SETTINGS_FILE + "/"


class _Known(NamedTuple):
    """What the last reading of a file left."""

    signature: Signature | None
    digest: bytes
    doubtful: bool


class Workspace:
    """``root``, ``settings`` and ``projection`` of a vault. Build it with :meth:`open`.

    ``doubted`` holds the files whose loss is not yet believed; a patient refresh looks at them again when it is time.
    """

    projection: Projection
    settings: Settings
    rules: find.Rules
    _loading: dict[str, Document] | None  # until the whole vault was read: then one Projection is made of it

    def __init__(self, root: Path, today: str) -> None:
        self.root = root
        self.doubted = Doubts()
        self._overlays: dict[str, str] = {}
        self._sensitive = not (root / SETTINGS_FILE.swapcase()).exists()
        self._begin(find.read_settings_files(root), today)

    @classmethod
    def open(cls, root: Path, today: str) -> Workspace:
        """Load every file of the vault. Raises VaultError when the folder itself cannot be read."""
        workspace = cls(root, today)
        workspace.refresh()
        return workspace

    @property
    def next_id(self) -> int:
        """One more than the largest id in any line, those of conflict copies and unreadable files included (§8)."""
        return self.projection.largest_id + 1

    @property
    def has_marker(self) -> bool:
        """Whether Caderneta.md was there when the settings were last read."""
        return self._stamp[0] is not None

    def refresh(self, paths: Iterable[str] | None = None, *, patient: bool = False) -> tuple[str, ...]:
        """Bring files up to date and return the paths whose Document changed, came or went.

        Without ``paths``: every file, by signature (read again when the signature proves nothing). With them: those
        files, always read again, and whole folders for paths that end in ``/``. ``patient``: a file with facts that is
        suddenly gone, empty or cut short keeps them, in ``doubted``, until nothing was heard of it for GRACE seconds.
        Raises VaultError when the vault's folder is not there; nothing is forgotten then.
        """
        if not self.root.is_dir():
            raise VaultError(f"A pasta do cofre não está lá: {self.root}.")
        self.doubted.patient = patient
        if patient and paths is not None:
            paths = self.doubted.with_due(tuple(paths))
        before = self._reload_settings()
        if self._loading is None:
            changed = self._update(paths)
        else:
            with _without_gc():
                changed = self._update(None)
                self.projection = Projection(self.settings, self.projection.today, self._loading.values())
                self._loading = None
        return tuple(sorted(changed | (before - self.projection.documents.keys()), key=os.fsencode))

    def settle(self) -> None:
        """Refresh, and wait until no file is in the middle of a save, so that no id in use is overlooked. As refresh."""
        end = time.monotonic() + 10 * GRACE
        self.refresh(patient=True)
        while self.doubted and time.monotonic() < end:
            time.sleep(GRACE / 10)
            self.refresh(patient=True)

    def _update(self, paths: Iterable[str] | None) -> set[str]:
        wanted = None if paths is None else self._expand(paths)
        if wanted is not None:
            return self._take(wanted[0], None) | self._put_problems(wanted[1], False)
        found = find.discover(self.root, self.rules)
        todo = dict.fromkeys((*found.paths, *self._known, *filter(self.rules.file, self._overlays)))
        return self._take(todo, frozenset(found.paths)) | self._put_problems(found.problems, True)

    def overlay(self, path: str, text: str | None) -> tuple[str, ...]:
        """Let an unsaved text stand in the place of a file, or (None) the file speak again. Returns as refresh."""
        if text is None:
            self._overlays.pop(path, None)
            if path in self._known:
                self._known[path] = _Known(None, b"", True)
        else:
            self._overlays[path] = text
        return self.refresh([path])

    def text(self, path: str) -> str:
        """A file's text as it is now, BOM included; the overlay's when there is one. Raises VaultError."""
        if path in self._overlays:
            return self._overlays[path]
        result = read(self._disk(path))
        if isinstance(result, Unreadable):
            raise VaultError(f"Não deu para ler {find.shown(path)}: {result.reason}.")
        text = decode(result.data)
        if isinstance(text, int):
            raise VaultError(f"{find.shown(path)} não está em UTF-8 (byte {text}).")
        return text

    def counts(self, path: str) -> bool:
        """Whether facts written in this file would count: a note by its name, not generated, not a conflict copy."""
        if not self.rules.file(path):
            return False
        document = self.projection.documents.get(path)
        if document is None:
            return path not in self._known
        return not any(finding.code in ("CAD301", "CAD304") for finding in document.findings)

    # Settings

    def _begin(self, stamp: tuple[bytes | None, bytes | None], today: str) -> None:
        self._stamp = stamp
        self.settings, findings = find.load_settings(*stamp)
        self._settings_findings = findings + find.ignore_findings(self.settings)
        self.rules = find.Rules(self.settings)
        self.projection = Projection(self.settings, today)
        self._loading = {}
        self.doubted.clear()
        self._known: dict[str, _Known] = {}
        self._possible: dict[str, set[str]] = {}  # key of a base → files that may be its copies, by their names
        self._problems: dict[str, Finding] = {}

    def _reload_settings(self) -> set[str]:
        """Start again when the settings changed; then, the paths the projection held before."""
        stamp = find.read_settings_files(self.root)
        lost = any(old and not new for old, new in zip(self._stamp, stamp, strict=True))
        if lost and not self.doubted.believe(_SETTINGS_DOUBT, stamp):
            return set()
        self.doubted.pop(_SETTINGS_DOUBT, None)
        if stamp == self._stamp:
            return set()
        settings, findings = find.load_settings(*stamp)
        if settings == self.settings and findings + find.ignore_findings(settings) == self._settings_findings:
            self._stamp = stamp
            return set()
        before = set(self.projection.documents)
        self._begin(stamp, self.projection.today)
        return before

    # Which files

    def _expand(self, paths: Iterable[str]) -> tuple[list[str], tuple[Finding, ...]] | None:
        """The files meant by paths and folders, or None when only a look at the whole vault can tell."""
        todo: dict[str, None] = {}
        problems: list[Finding] = []
        for path in paths:
            if find.is_linked(self.root, path.rstrip("/")):
                return None
            if path.endswith("/") or path == "":
                todo.update(dict.fromkeys(known for known in self._known if known.startswith(path)))
                if all(self.rules.folder(part) for part in _folders(path)) and (self.root / path).is_dir():
                    found = find.discover(self.root, self.rules, path.rstrip("/"))
                    todo.update(dict.fromkeys(found.paths))
                    problems += found.problems
            elif path in self._known or path in self._overlays or self.rules.file(path):
                todo[path] = None
        return list(todo), tuple(problems)

    def _put_problems(self, problems: tuple[Finding, ...], every: bool) -> set[str]:
        """What is wrong with no note in particular: names, folders, Obsidian's settings."""
        new = {problem.path: problem for problem in problems}
        if every:
            new |= {finding.path: finding for finding in self._settings_findings if finding.path != SETTINGS_FILE}
        gone = self._problems.keys() - new.keys() if every else set()
        came = {path for path, problem in new.items() if self._problems.get(path) != problem}
        for path in gone:
            del self._problems[path]
            self._drop(path)
        for path in came:
            self._problems[path] = new[path]
            self._put(Document(path, findings=(new[path],)))
        return gone | came

    # One file

    def _take(self, todo: Iterable[str], listed: frozenset[str] | None) -> set[str]:
        """Read what is to be read, put what changed; then whatever a change makes, or unmakes, a conflict copy.

        ``listed``: every file of the vault, when the whole of it was walked; then signatures are believed.
        """
        missing: list[str] = []
        suspects: dict[str, Read] = {}
        changed: set[str] = set()
        for path in todo:
            result = self._look(path, listed)
            if result is None:
                continue
            if isinstance(result, Unreadable) and result.errno in _ABSENT and not self._is_dead_link(path, listed):
                missing.append(path)
                continue
            possible = copies.suspect(path, lambda base: True) if isinstance(result, Read) else None
            if possible and isinstance(result, Read):
                self._possible.setdefault(copies.key(possible.base), set()).add(path)
                suspects[path] = result
            elif self._settle(path, result):
                changed.add(path)
        for path in missing:
            if path in self._known and self._may_lose(path):
                self._forget(path)
                changed.add(path)
        return changed | self._take_copies(suspects, changed)

    def _look(self, path: str, listed: frozenset[str] | None) -> Read | Unreadable | None:
        """The file's bytes if they are news."""
        known = self._known.get(path)
        if path in self._overlays:
            data = self._overlays[path].encode("utf-8", "surrogatepass")
            result: Read | Unreadable = Read(data, Signature(0, 0, 0, 0), digest(data), True)
        else:
            if listed is not None:
                if path not in listed and find.is_linked(self.root, path):
                    return _NOT_THERE  # a link to a file that is read under its own name
                if known and not known.doubtful and known.signature == signature(self._disk(path)):
                    return None
            if not self._sensitive and not _listed(self._disk(path)):
                return _NOT_THERE
            result = read(self._disk(path))
        if isinstance(result, Read) and known and known.digest == result.digest:
            self._known[path] = _Known(result.signature, result.digest, result.doubtful)
            self.doubted.pop(path, None)
            return None
        return result

    def _is_dead_link(self, path: str, listed: frozenset[str] | None) -> bool:
        return listed is not None and path in listed and os.path.islink(self._disk(path))

    def _settle(self, path: str, result: Read | Unreadable) -> bool:
        """Believe what was read of a file that is no copy. Whether anything changed."""
        if isinstance(result, Unreadable):
            if not self._may_lose(path):
                return False
            document = Document(path, findings=(Finding("CAD306", path, 1, args=(result.reason,)),))
            return self._keep(path, _Known(None, b"", True), document)
        known = _Known(result.signature, result.digest, result.doubtful)
        text = decode(result.data)
        if isinstance(text, int):
            if self._cut_short(path, result, ()):
                return False
            largest = largest_written_id(result.data.decode("utf-8", "replace"))
            return self._keep(path, known, Document(path, findings=(find.not_utf8(path, result.data, text),), hidden_id=largest))
        if is_generated(text):
            return self._keep(path, known, None)
        document = parse(path, text, self.settings)
        if self._cut_short(path, result, document.facts):
            return False
        if path == SETTINGS_FILE:
            seen = set(document.findings)
            own = tuple(found for found in self._settings_findings if found.path == path and found not in seen)
            document = replace(document, findings=document.findings + own)
        return self._keep(path, known, document)

    def _take_copies(self, suspects: dict[str, Read], changed: set[str]) -> set[str]:
        """Decide on every file that may be a copy and is new, or whose base changed. Shorter names first: bases."""
        bases = changed | suspects.keys() if self._possible else set()
        also = {copy for base in bases for copy in self._possible.get(copies.key(base), ()) if copy in self._known}
        result: set[str] = set()
        for path in sorted(also | suspects.keys(), key=len):
            bytes_read = suspects.get(path) or read(self._disk(path))
            text = decode(bytes_read.data) if isinstance(bytes_read, Read) else 0
            suspect = copies.suspect(path, lambda base: base in self._known or base in suspects, self._alike)
            if suspect is None or isinstance(bytes_read, Unreadable) or isinstance(text, int) or is_generated(text):
                if self._settle(path, bytes_read):
                    result.add(path)
                continue
            base = self._document(suspect.base)
            copy = parse(suspect.base, text, self.settings)
            if copies.is_copy(suspect.proof, copy, base or Document(suspect.base)):
                known = _Known(bytes_read.signature, bytes_read.digest, bytes_read.doubtful)
                finding = copies.copy_finding(path, suspect.base, copy, base)
                if self._keep(path, known, Document(path, findings=(finding,), hidden_id=largest_written_id(text))):
                    result.add(path)
            elif self._settle(path, bytes_read):
                result.add(path)
        return result

    def _alike(self, base: str) -> str | None:
        key = copies.key(base)
        return next((path for path in self._known if copies.key(path) == key), None)

    def _keep(self, path: str, known: _Known, document: Document | None) -> bool:
        self._known[path] = known
        self.doubted.pop(path, None)
        if self._document(path) == document:
            return False
        if document is None:
            self._drop(path)
        else:
            self._put(document)
        return True

    def _forget(self, path: str) -> None:
        self._known.pop(path, None)
        self.doubted.pop(path, None)
        self._drop(path)

    def _document(self, path: str) -> Document | None:
        return (self.projection.documents if self._loading is None else self._loading).get(path)

    def _put(self, document: Document) -> None:
        if self._loading is None:
            self.projection.put(document)
        else:
            self._loading[document.path] = document

    def _drop(self, path: str) -> None:
        if self._loading is None:
            self.projection.drop(path)
        else:
            self._loading.pop(path, None)

    def _disk(self, path: str) -> str:
        return f"{self.root}/{path}"

    # Doubt

    def _may_lose(self, path: str) -> bool:
        """Whether a file that is gone, or shut, may be believed to be so."""
        document = self._document(path)
        if document is None or not document.facts:
            return True
        # The same bytes under another name: a rename, nothing to wait for.
        mine = self._known[path].digest
        twins = (other for other, known in self._known.items() if known.digest == mine and other != path)
        return any((twin := self._document(other)) and twin.facts for other in twins) or self.doubted.believe(path, None)

    def _cut_short(self, path: str, result: Read, facts: tuple[Fact, ...]) -> bool:
        """Whether what was read looks like a save under way: empty, or smaller, poorer and without an end of line."""
        before, known = self._document(path), self._known.get(path)
        if not self.doubted.patient or before is None or known is None or known.signature is None:
            return False
        smaller = result.signature.size < known.signature.size and not result.data.endswith(b"\n")
        return smaller and not set(before.facts) <= set(facts) and not self.doubted.believe(path, result.signature)


@contextmanager
def _without_gc() -> Iterator[None]:
    """Load without the collector walking, again and again, over values that will live as long as the process."""
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        gc.freeze()
        if enabled:
            gc.enable()


def _folders(path: str) -> list[str]:
    parts = path.strip("/").split("/") if path.strip("/") else []
    return ["/".join(parts[: n + 1]) for n in range(len(parts))]


def _listed(path: str) -> bool:
    """Whether a disk that does not tell cases apart has the file under this very name."""
    folder, name = os.path.split(path)
    try:
        return name in os.listdir(folder)
    except OSError:
        return False
