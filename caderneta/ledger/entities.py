"""Which entity a link means, over the whole vault (§2): notes by name and path, aliases, spellings."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from caderneta.format.dates import ImpossibleDay, day_of
from caderneta.format.text import fold_search, identity
from caderneta.format.values import Document, Finding


class Entities:
    """Names and who bears them. Kept by difference: ``add``/``remove`` a document, ``use``/``disuse`` a spelling."""

    __slots__ = ("_aliases", "_by_key", "_daily", "_folded", "_notes", "_spellings", "version")

    def __init__(self, daily: str) -> None:
        self._daily = daily
        self._notes: dict[str, list[str]] = {}  # basename's identity → paths
        self._aliases: dict[str, list[str]] = {}  # alias's identity → paths
        self._spellings: dict[str, Counter[str]] = {}  # link's identity → how it is written
        self.version = 0  # grows when a link may have come to mean another entity
        self._by_key: dict[str, list[str]] | None = None
        self._folded: dict[tuple[str, ...], set[str]] | None = None

    def add(self, document: Document) -> None:
        """A note enters the vault."""
        self._note(document, 1)

    def remove(self, document: Document) -> None:
        """A note leaves the vault."""
        self._note(document, -1)

    def _note(self, document: Document, by: int) -> None:
        path = document.path
        if document.day is not None or not path.lower().endswith(".md") or self._is_daily(path):
            return
        names = [(self._notes, identity(stem(document.path)))]
        names += [(self._aliases, identity(alias)) for alias in dict.fromkeys(document.aliases)]
        for index, name in names:
            paths = index.setdefault(name, [])
            if by > 0:
                paths.append(document.path)
            elif document.path in paths:
                paths.remove(document.path)
            if not paths:
                del index[name]
        self._by_key = self._folded = None
        self.version += 1

    def _is_daily(self, path: str) -> bool:
        try:
            return day_of(path, self._daily) is not None
        except ImpossibleDay:
            return True

    def use(self, link: str, by: int = 1) -> str:
        """Counts a link as written (``by`` -1: one less) and returns its identity."""
        name = link_identity(link)
        counts = self._spellings.get(name)
        if counts is None:
            counts = self._spellings[name] = Counter()
            self._folded = None
            if self._by_key is not None:
                self._by_key.setdefault(self.key_of(name), []).append(name)
        counts[link] += by
        if counts[link] <= 0:
            del counts[link]
            if not counts:
                del self._spellings[name]
                self._by_key = self._folded = None
        return name

    def key(self, link: str) -> str:
        """The entity a link means: a stable key, equal for all links that mean the same."""
        return self.key_of(link_identity(link))

    def key_of(self, name: str) -> str:
        base = name.rpartition("/")[2]
        paths = self._notes.get(base)
        if paths:
            return self._note_key(base, name, paths)
        claimed = self._aliases.get(name)
        if claimed and len(claimed) == 1:
            owner = identity(stem(claimed[0]))
            return self._note_key(owner, path_identity(claimed[0]), self._notes.get(owner, claimed))
        return base

    @staticmethod
    def _note_key(base: str, name: str, paths: list[str]) -> str:
        if len(paths) == 1 or "/" not in name:
            return base
        fits = [p for p in paths if path_identity(p) == name] or [p for p in paths if path_identity(p).endswith("/" + name)]
        return path_identity(fits[0]) if len(fits) == 1 else base

    def spellings(self, key: str) -> list[str]:
        """The identities of every link in use that means the entity."""
        return self._keys().get(key, [])

    def _keys(self) -> dict[str, list[str]]:
        if self._by_key is None:
            self._by_key = {}
            for name in self._spellings:
                self._by_key.setdefault(self.key_of(name), []).append(name)
        return self._by_key

    def note_name(self, key: str) -> str | None:
        """The basename of the entity's note, when it has one."""
        paths = self._notes.get(key.rpartition("/")[2])
        if not paths:
            return None
        fits = [p for p in paths if path_identity(p) == key] or paths
        return stem(fits[0])

    def written(self, name: str) -> Counter[str]:
        """How a link's identity is written, and how often."""
        return self._spellings.get(name, Counter())

    def note_path(self, key: str) -> str | None:
        """The path of the entity's note as it stands on disk, without extension, when it has just one."""
        paths = self._notes.get(key.rpartition("/")[2], [])
        fits = [p for p in paths if path_identity(p) == key] or paths
        return fits[0].rpartition(".")[0] if len(fits) == 1 else None

    def claimants(self, link: str) -> list[str]:
        """The notes a bare link may mean when it is ambiguous: several of one name, or several that claim one alias."""
        name = link_identity(link)
        if "/" in name:
            return []
        paths = self._notes.get(name) or self._aliases.get(name, [])
        return sorted(paths) if len(paths) > 1 else []

    def known(self) -> Iterator[str]:
        """The keys of every entity: those with a note and those only named."""
        seen = set()
        for name in self._spellings:
            key = self.key_of(name)
            if key not in seen:
                seen.add(key)
                yield key
        for base, paths in self._notes.items():
            for key in [base] if len(paths) == 1 else [path_identity(p) for p in paths]:
                if key not in seen:
                    seen.add(key)
                    yield key

    def is_known(self, link: str) -> bool:
        """Whether somebody already wrote this entity, or it has a note or an alias."""
        name = link_identity(link)
        return name in self._spellings or name.rpartition("/")[2] in self._notes or len(self._aliases.get(name, ())) == 1 or bool(
            self.spellings(self.key_of(name))
        )  # fmt: skip

    def similar(self, link: str) -> list[str]:
        """Keys of known entities that differ from a name only in accents, punctuation, a leading ``NN - `` or one letter."""
        if self._folded is None:
            self._folded = {}
            for key in self.known():
                self._folded.setdefault(_words(key.rpartition("/")[2]), set()).add(key)
        wanted = _words(link_identity(link).rpartition("/")[2])
        found = {key for words, keys in self._folded.items() if _near(words, wanted) for key in keys}
        return sorted(found - {self.key(link)})

    def findings(self) -> Iterator[Finding]:
        """CAD307 a bare link to a name two notes bear; CAD308 an alias claimed twice."""
        for base, paths in sorted(self._notes.items()):
            if len(paths) > 1 and base in self._spellings:
                yield Finding("CAD307", min(paths), 1, 1, (), (stem(min(paths)), *sorted(paths)))
        for alias, paths in sorted(self._aliases.items()):
            if len(paths) > 1 and alias not in self._notes:
                yield Finding("CAD308", min(paths), 1, 1, (), (alias, *sorted(paths)))


def stem(path: str) -> str:
    """A note's basename without its extension."""
    name = path.rpartition("/")[2]
    return name[:-3] if name.lower().endswith(".md") else name


def link_identity(link: str) -> str:
    """A link's identity, its folders kept, an explicit ``.md`` dropped."""
    name = identity(link).strip("/")
    return name[:-3] if name.endswith(".md") else name


def path_identity(path: str) -> str:
    """A note's path as a link would write it."""
    return link_identity(path)


def note_fits(note: str, path: str) -> bool:
    """Whether a link's note names the file at ``path`` (by basename, or by the folders it writes)."""
    name, whole = link_identity(note), path_identity(path)
    return whole == name or whole.endswith("/" + name)


def _words(name: str) -> tuple[str, ...]:
    """A name's words without case, accents, punctuation and a leading ``NN - ``."""
    folded = fold_search(name)
    head, dash, rest = folded.partition(" - ")
    if dash and head.isdigit():
        folded = rest
    return tuple("".join(c if c.isalnum() or c in "+#" else " " for c in folded).split())


def _near(a: tuple[str, ...], b: tuple[str, ...]) -> bool:
    """Whether one name may be the other misspelt: the same letters, or one slip in one word that is not tiny.

    `Sala A` and `Sala C`, `Turma 2025` and `Turma 2026` are two things, not a slip.
    """
    if "".join(a) == "".join(b):
        return True
    if len(a) != len(b):
        return False
    different = [(x, y) for x, y in zip(a, b, strict=True) if x != y]
    if len(different) != 1:
        return False
    x, y = different[0]
    return min(len(x), len(y)) >= 3 and max(len(x), len(y)) >= 4 and not any(c.isdigit() for c in x + y) and _one_edit(x, y)


def _one_edit(a: str, b: str) -> bool:
    if len(a) > len(b):
        a, b = b, a
    i = 0
    while i < len(a) and a[i] == b[i]:
        i += 1
    if len(a) == len(b):
        rest_a, rest_b = a[i + 1 :], b[i + 1 :]
        return rest_a == rest_b or (a[i : i + 2] == b[i : i + 2][::-1] and a[i + 2 :] == b[i + 2 :])
    return a[i:] == b[i + 1 :]
