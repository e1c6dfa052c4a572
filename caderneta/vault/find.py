"""Where the vault is, what its settings say, and which of its files may hold facts (format §1).

Paths inside the vault are text relative to its root, with ``/`` on every system.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from caderneta.format.settings import SETTINGS_FILE, has_daily_setting, read_settings
from caderneta.format.values import Finding, Settings
from caderneta.vault.files import Read, VaultError, decode, read, why

OBSIDIAN_DAILY = ".obsidian/daily-notes.json"
VARIABLE = "CADERNETA_VAULT"

_MOMENT = {"YYYY": "AAAA", "MM": "MM", "DD": "DD"}
_LETTERS = re.compile(r"([A-Za-z\[\]])\1*")  # a run of one letter is a token; brackets hold literal text


class VaultNotFound(VaultError):
    """No vault where one was looked for."""


def find_root(start: str | os.PathLike[str], env: Mapping[str, str], given: str | None = None) -> Path:
    """The vault's folder, resolved: ``given`` (--vault), else CADERNETA_VAULT, else upwards from ``start``.

    A folder that was named need not hold Caderneta.md yet; one that was not named must. Raises VaultNotFound.
    """
    for name, origin in ((given, "--vault"), (env.get(VARIABLE), VARIABLE)):
        if name:
            root = Path(name).expanduser()
            if not root.is_dir():
                raise VaultNotFound(f"{origin} aponta para {name}, que não é uma pasta.")
            return root.resolve()
    here = Path(start).resolve()
    for folder in (here, *here.parents):
        if (folder / SETTINGS_FILE).is_file():
            return folder
    raise VaultNotFound(
        f"Não achei {SETTINGS_FILE} em {here} nem nas pastas acima. "
        "Crie um cofre com caderneta init, ou diga onde ele está com --vault PASTA."
    )


def load_settings(marker: bytes | None, obsidian: bytes | None) -> tuple[Settings, tuple[Finding, ...]]:
    """The settings in Caderneta.md's bytes and, where it does not speak of daily files, in Obsidian's own.

    A file that cannot be read as UTF-8 gives the defaults: its CAD301 comes from reading it as any other note.
    """
    decoded = decode(marker) if marker is not None else ""
    text = decoded if isinstance(decoded, str) else ""
    settings, findings = read_settings(text)
    if obsidian is None or has_daily_setting(text):
        return settings, findings
    daily, written = _obsidian_daily(obsidian)
    if daily is None:
        return settings, (*findings, Finding("CAD309", OBSIDIAN_DAILY, 1, args=("diario", written)))
    return replace(settings, daily=daily), findings


def read_settings_files(root: Path) -> tuple[bytes | None, bytes | None]:
    """The bytes of the two files that hold settings: what :func:`load_settings` takes, and what tells a change."""
    marker, obsidian = read(root / SETTINGS_FILE), read(root / OBSIDIAN_DAILY)
    return (marker.data if isinstance(marker, Read) else None, obsidian.data if isinstance(obsidian, Read) else None)


class Rules:
    """Which paths may hold facts, by name alone: no hidden parts, ``.md``, no template, not ignored.

    Hidden files (``.nota.md``) and folders are nobody's notes, as in Obsidian: they are not read, and nothing is said.
    """

    def __init__(self, settings: Settings) -> None:
        self._templates = settings.templates.strip("/") + "/"
        self._ignored: Callable[[str], bool] = _ignorer(settings.ignore)

    def folder(self, path: str) -> bool:
        """Whether to look inside a folder; ``path`` has no final slash and its parents were already let in."""
        return self._wanted(path + "/")

    def file(self, path: str) -> bool:
        """Whether a file of this name may hold facts; its folders are looked at too."""
        parts = path.split("/")
        if not parts[-1].lower().endswith(".md"):
            return False
        return all(self._wanted("/".join(parts[:n]) + "/") for n in range(1, len(parts))) and self._wanted(path)

    def _wanted(self, path: str) -> bool:
        name = path.rstrip("/").rpartition("/")[2]
        return not name.startswith(".") and path != self._templates and not self._ignored(path)


def ignore_findings(settings: Settings) -> tuple[Finding, ...]:
    """One CAD309 for each pattern of ``ignorar`` that cannot be read (it ignores nothing)."""
    bad = (pattern for pattern in settings.ignore if _compile(pattern) is None)
    return tuple(Finding("CAD309", SETTINGS_FILE, 1, args=("ignorar", pattern)) for pattern in bad)


@dataclass(frozen=True, slots=True)
class Found:
    """What a walk saw. ``problems`` are folders and names that cannot be read (CAD306), ready to be shown."""

    paths: tuple[str, ...]
    problems: tuple[Finding, ...]


def discover(root: Path, rules: Rules, under: str = "") -> Found:
    """Every file under a folder that may hold facts, in the order of UTF-8 bytes.

    Linked folders are not followed, which is a problem to be told unless what they lead to is read anyway. A linked file
    counts unless its real file, or an earlier link, already does.
    """
    paths: list[str] = []
    links: list[str] = []
    problems: list[Finding] = []
    folders = [under]
    while folders:
        folder = folders.pop()
        try:
            with os.scandir(root / folder) as entries:
                for entry in entries:
                    path = f"{folder}/{entry.name}" if folder else entry.name
                    if entry.is_dir(follow_symlinks=False):
                        if rules.folder(path):
                            folders.append(path)
                    elif entry.is_symlink() and os.path.isdir(entry.path):
                        if rules.folder(path) and not _is_read(root, path, rules):
                            problems.append(Finding("CAD306", shown(path) + "/", 1, args=("pasta ligada: não é seguida",)))
                    elif not _readable_name(path):
                        if rules.file(path):
                            problems.append(Finding("CAD306", shown(path), 1, args=("o nome não é UTF-8",)))
                    elif rules.file(path):
                        if entry.is_symlink():
                            links.append(path)
                        elif entry.is_file(follow_symlinks=False):
                            paths.append(path)
                        elif os.path.lexists(entry.path):
                            problems.append(Finding("CAD306", path, 1, args=("não é um arquivo comum",)))
        except FileNotFoundError:
            continue
        except OSError as error:
            problems.append(Finding("CAD306", shown(folder) + "/", 1, args=(why(error),)))
    paths += _distinct(root, links, set(paths), rules)
    return Found(tuple(sorted(paths, key=os.fsencode)), tuple(problems))


def is_linked(root: Path, path: str) -> bool:
    """Whether the path goes through a link below the root: then only a walk can tell if it counts."""
    parts = path.split("/")
    return any((root / "/".join(parts[:n])).is_symlink() for n in range(1, len(parts) + 1))


def not_utf8(path: str, data: bytes, offset: int) -> Finding:
    """The CAD301 of a file whose first bad byte is at ``offset``."""
    before = data[:offset]
    line_start = before.rfind(b"\n") + 1
    column = len(before[line_start:].decode("utf-8", "replace")) + 1
    return Finding("CAD301", path, before.count(b"\n") + 1, column, args=(str(offset),))


def shown(path: str) -> str:
    """A path that can be printed and stored whatever its bytes are."""
    return os.fsencode(path).decode("utf-8", "backslashreplace")


def _readable_name(path: str) -> bool:
    return path.isascii() or path.encode("utf-8", "replace") == os.fsencode(path)


def _distinct(root: Path, links: list[str], found: set[str], rules: Rules) -> list[str]:
    """The links whose real file is not read under another name. A dead link stays: it will be reported."""
    kept: list[str] = []
    seen: set[str] = set()
    home = os.path.realpath(root)
    for link in sorted(links, key=os.fsencode):
        real = os.path.realpath(root / link)
        if os.path.isdir(real) or real in seen:
            continue
        seen.add(real)
        inside = os.path.relpath(real, home).replace(os.sep, "/")
        if inside not in found:
            kept.append(link)
    return kept


def _is_read(root: Path, link: str, rules: Rules) -> bool:
    """Whether the folder a link leads to is in the vault and looked at under its own name."""
    inside = os.path.relpath(os.path.realpath(root / link), os.path.realpath(root)).replace(os.sep, "/")
    parts = inside.split("/")
    return inside == "." or (parts[0] != ".." and all(rules.folder("/".join(parts[:n])) for n in range(1, len(parts) + 1)))


def _obsidian_daily(data: bytes) -> tuple[str | None, str]:
    """Obsidian's folder and date format as a pattern of ours (None when they say more than YYYY, MM and DD), and as written."""
    try:
        values = json.loads(data)
        folder = str(values.get("folder") or "").strip("/ ")
        form = str(values.get("format") or "YYYY-MM-DD").strip("/ ")
    except (ValueError, AttributeError, RecursionError):
        return None, data[:200].decode("utf-8", "replace")
    written = f"{folder}/{form}" if folder else form
    tokens = {run[0] for run in _LETTERS.finditer(form)}
    if tokens != _MOMENT.keys() or "*" in written or re.search("AAAA|MM|DD", folder):
        return None, written
    name = _LETTERS.sub(lambda run: _MOMENT[run[0]], form) + ".md"
    return f"{folder}/{name}" if folder else name, written


def _ignorer(patterns: tuple[str, ...]) -> Callable[[str], bool]:
    good = [pattern for pattern in patterns if _compile(pattern) is not None]
    if not good:
        return lambda path: False
    from pathspec import GitIgnoreSpec

    return GitIgnoreSpec.from_lines(good).match_file


def _compile(pattern: str) -> object | None:
    from pathspec import GitIgnoreSpec

    try:
        return GitIgnoreSpec.from_lines([pattern])
    except ValueError:
        return None
