"""Where every line is: by id, target, block, day, subject, key. Kept by difference; no state is ever stored here (§3)."""

from __future__ import annotations

from bisect import bisect_right, insort
from collections.abc import Iterable, Iterator
from itertools import pairwise
from typing import TypeVar

from caderneta.format.text import fold_key, identity
from caderneta.format.values import EVENT, NO_EXTRA, NO_TARGETS, Document, Fact, Target
from caderneta.ledger.entities import Entities, link_identity, note_fits
from caderneta.ledger.fold import content, oldest, order

Place = tuple[str, int]
Key = TypeVar("Key")
_BLOCK = 10  # ids are counted by blocks of 2**10, so that the largest is found without reading them all
_JUMP = 10_000  # §8: an id this far above the one before it is worth a question
NO_SUBJECT = ""  # among the links' identities: the statements that have no subject


class Index:
    """The lines of a vault and the ways to find one. ``today`` is an ISO day."""

    def __init__(self, daily: str, today: str) -> None:
        self.today = today
        self.documents: dict[str, Document] = {}
        self.entities = Entities(daily)
        self._id_blocks: dict[int, int] = {}  # id // 1024 → how many lines carry such an id
        self._aim_blocks: dict[int, int] = {}  # the same of the ids that targets name
        self._hidden_ids: dict[str, int] = {}  # path → the largest id on a line that does not count
        self._places: dict[str, dict[int, Fact]] = {}  # path → line → fact, made when first asked
        self._by_id: dict[int, Fact | list[Fact]] = {}
        self._on_id: dict[int, list[Fact]] = {}  # id → events that aim at it
        self._on_place: dict[Place, list[Fact]] = {}  # nested events
        self._on_block: dict[str, list[Fact]] = {}
        self._blocks: dict[str, list[Fact]] = {}  # block id → facts that bear it
        self._citing: dict[int, list[Fact]] = {}
        self._citing_block: dict[str, list[Fact]] = {}
        self._by_link: dict[str, list[Fact]] = {}  # link's identity → statements whose subject it is
        self._kinds: dict[str, dict[str, int]] = {}  # the same: how many of each type
        self._by_day: dict[str, list[Fact]] = {}
        self._days: list[str] = []
        self._values: dict[tuple[str, str, str], list[Fact]] = {}
        self._edges: dict[tuple[str, str, str], list[Fact]] = {}
        # day → lines whose state that day alone may change: their [de::], their [ate::], the day of their tick
        self._starts: dict[str, list[Fact]] = {}
        self._ends: dict[str, list[Fact]] = {}
        self._ticks: dict[str, list[Fact]] = {}

    def _index(self, fact: Fact) -> None:
        number, extra = fact.id, fact.extra
        if number is not None:
            held = self._by_id.get(number)
            if held is None:
                self._by_id[number] = fact
            elif isinstance(held, list):
                held.append(fact)
            else:
                self._by_id[number] = [held, fact]
            self._id_blocks[number >> _BLOCK] = self._id_blocks.get(number >> _BLOCK, 0) + 1
        day = fact.date or ""
        bucket = self._by_day.get(day)
        if bucket is None:
            self._by_day[day] = [fact]
            insort(self._days, day)
        else:
            bucket.append(fact)
        if fact.targets:
            for target in fact.targets:
                if target.id is not None:
                    self._on_id.setdefault(target.id, []).append(fact)
                    self._aim_blocks[target.id >> _BLOCK] = self._aim_blocks.get(target.id >> _BLOCK, 0) + 1
                elif target.block is not None:
                    self._on_block.setdefault(identity(target.block), []).append(fact)
                elif target.line is not None:
                    self._on_place.setdefault((fact.path, target.line), []).append(fact)
        if not fact.flags & EVENT:
            name = NO_SUBJECT if fact.subject is None else self.entities.use(fact.subject)
            links = self._by_link.get(name)
            if links is None:
                self._by_link[name] = [fact]
                self._kinds[name] = {fact.type: 1}
            else:
                links.append(fact)
                kinds = self._kinds[name]
                kinds[fact.type] = kinds.get(fact.type, 0) + 1
        if extra is NO_EXTRA:
            return
        for index, key in _rarer(fact):
            getattr(self, index).setdefault(key, []).append(fact)

    def _unindex(self, gone: set[Fact]) -> None:
        """Takes lines of one document out of every index."""
        touched: set[tuple[str, object]] = set()
        # By place, not by value: comparing numbers is many times cheaper than hashing whole lines.
        path, lines = next((f.path for f in gone), ""), {f.line for f in gone}
        for fact in gone:
            if fact.id is not None:
                touched.add(("_by_id", fact.id))
            touched.add(("_by_day", fact.date or ""))
            for target in fact.targets:
                if target.id is not None:
                    touched.add(("_on_id", target.id))
                elif target.block is not None:
                    touched.add(("_on_block", identity(target.block)))
                elif target.line is not None:
                    touched.add(("_on_place", (fact.path, target.line)))
            if not fact.flags & EVENT:
                name = NO_SUBJECT if fact.subject is None else self.entities.use(fact.subject, -1)
                touched.add(("_by_link", name))
                _take(self._kinds[name], fact.type)
            touched.update(_rarer(fact))
        for index, key in touched:
            held = getattr(self, index)
            facts = held.get(key)
            kept = [f for f in (facts if isinstance(facts, list) else [facts]) if f.path != path or f.line not in lines]
            if not kept:
                del held[key]
                if index == "_by_day":
                    self._days.remove(str(key))
                elif index == "_by_link":
                    del self._kinds[str(key)]
            elif index == "_by_id":
                held[key] = kept[0] if len(kept) == 1 else kept
            else:
                held[key] = kept
        for fact in gone:
            if fact.id is not None:
                _take(self._id_blocks, fact.id >> _BLOCK)
            for target in fact.targets:
                if target.id is not None:
                    _take(self._aim_blocks, target.id >> _BLOCK)

    def at(self, path: str, line: int) -> Fact | None:
        """The fact that stands at a place."""
        places = self._places.get(path)
        if places is None:
            document = self.documents.get(path)
            if document is None:
                return None
            places = self._places[path] = {f.line: f for f in document.facts}
        return places.get(line)

    def carriers(self, number: int) -> list[Fact]:
        """Every line that carries an id, leaving out targetless events that merely name a statement's (§3)."""
        held = self._by_id.get(number)
        if held is None:
            return []
        if not isinstance(held, list):
            return [held]
        found = sorted(held, key=oldest)
        if any(not f.is_event for f in found):
            return [f for f in found if not (f.flags & NO_TARGETS and not f.targets)]
        return found

    def copies(self, fact: Fact) -> list[Fact]:
        """The lines that are this one fact: itself, and every line with its id and its content."""
        if fact.id is None or not isinstance(self._by_id.get(fact.id), list):
            return [fact]
        mine = content(fact)
        found = [f for f in self.carriers(fact.id) if content(f) == mine]
        return found if fact in found else [fact]

    def is_ambiguous(self, fact: Fact) -> bool:
        """Whether its id stands on another, different line."""
        if fact.id is None or not isinstance(self._by_id.get(fact.id), list):
            return False
        carriers = self.carriers(fact.id)
        return fact in carriers and len(carriers) > 1 and any(content(f) != content(fact) for f in carriers)

    def is_counted(self, fact: Fact) -> bool:
        """Whether a line is the one that counts among its copies (the oldest)."""
        if fact.id is None or not isinstance(self._by_id.get(fact.id), list):
            return True
        copies = self.copies(fact)
        return len(copies) == 1 or min(copies, key=oldest) == fact

    def number(self, fact: Fact) -> int | None:
        """A line's id as it counts: an event without targets that names a statement's id is read as unnumbered."""
        if fact.id is None or not (fact.flags & NO_TARGETS):
            return fact.id
        return fact.id if fact in self.carriers(fact.id) else None

    def with_id(self, number: int) -> tuple[Fact, ...]:
        """The fact with an id: none, one, or several different lines (ambiguous), copies told once."""
        found = [f for f in self.carriers(number) if self.is_counted(f)]
        return tuple(sorted(found, key=order))

    def facts(self) -> list[Fact]:
        """Every fact and event in §3's order, copies told once, ambiguous lines each."""
        found = [f for d in self.documents.values() for f in d.facts if self.is_counted(f)]
        return sorted(found, key=lambda f: order(f) if f.id is None or self.number(f) else order(f._replace(id=None)))

    def since(self, day: str) -> list[Fact]:
        """Every line dated after ``day`` and not after today, newest first, copies told once."""
        out: list[Fact] = []
        for each in reversed(self._days):
            if each <= day:
                break
            if each <= self.today:
                out += [f for f in self._by_day[each] if self.is_counted(f)]
        return newest_first(out)

    def upcoming(self) -> list[Fact]:
        """Lines dated after today, nearest first."""
        days = self._days[bisect_right(self._days, self.today) :]
        return [f for d in days for f in sorted(self._by_day[d], key=order) if self.is_counted(f)]

    def started(self, after: str, until: str) -> list[Fact]:
        """Lines whose ``[de::]`` is after one day and not after another."""
        return self._between(self._starts, after, until)

    def ending(self, after: str, until: str) -> list[Fact]:
        """Lines whose ``[ate::]`` (a task's deadline too) is after one day and not after another."""
        return self._between(self._ends, after, until)

    def _between(self, index: dict[str, list[Fact]], after: str, until: str) -> list[Fact]:
        return [f for day, facts in index.items() if after < day <= until for f in facts if self.is_counted(f)]

    @property
    def largest_id(self) -> int:
        """The largest id any line carries or aims at, counted or not (§8: the next is one more)."""
        aimed = next((n for block in _downward(self._aim_blocks) for n in block if n in self._on_id), 0)
        return max(self.largest_line_id, aimed, *self._hidden_ids.values())

    @property
    def largest_line_id(self) -> int:
        """The largest id a line carries."""
        return next((n for block in _downward(self._id_blocks) for n in block if n in self._by_id), 0)

    def jumps(self) -> list[tuple[int, Fact]]:
        """Each id more than 10,000 above the one a line carries before it: (that one, the line of the jump)."""
        out: list[tuple[int, Fact]] = []
        blocks = sorted(self._id_blocks)
        for low, high in pairwise(blocks):
            if high - low >= _JUMP >> _BLOCK:
                before = next(n for n in reversed(_ids_in(low)) if n in self._by_id)
                after = next(n for n in _ids_in(high) if n in self._by_id)
                if after - before > _JUMP:
                    out += [(before, f) for f in self.carriers(after)[:1]]
        return out

    def aimed(self, event: Fact, target: Target) -> list[Fact]:
        """The lines a target names, as they stand (copies each)."""
        if target.id is not None:
            return self.carriers(target.id)
        if target.line is not None:
            found = self.at(event.path, target.line)
            return [found] if found is not None else []
        if target.block is None:
            return []
        bearers = self._blocks.get(identity(target.block), [])
        note = target.note
        return sorted((f for f in bearers if (note_fits(note, f.path) if note else f.path == event.path)), key=oldest)

    def targets_of(self, event: Fact) -> tuple[tuple[Target, Fact | None], ...]:
        """Each target of an event and the line it names: ``None`` when missing; of an ambiguous id, one of its lines."""
        out: list[tuple[Target, Fact | None]] = []
        for target in event.targets:
            found = self.aimed(event, target)
            out.append((target, min(found, key=oldest) if found else None))
        return tuple(out)

    def is_target_ambiguous(self, event: Fact, target: Target) -> bool:
        """Whether a target names several different lines."""
        found = self.aimed(event, target)
        if any(self.is_ambiguous(f) for f in found):
            return True
        return target.id is None and len({f.id if f.id is not None else (f.path, f.line) for f in found}) > 1

    def _raw_events_on(self, fact: Fact) -> list[Fact]:
        """Every event that names a line, whether or not it can act on it."""
        found: list[Fact] = []
        if fact.id is not None and self._on_id:
            found += self._on_id.get(fact.id, ())
        if self._on_place:
            found += self._on_place.get((fact.path, fact.line), ())
        if fact.extra.block and self._on_block:
            found += [e for e in self._on_block.get(identity(fact.extra.block), ()) if self._names(e, fact)]
        return found

    def _names(self, event: Fact, fact: Fact) -> bool:
        return any(t.block is not None and fact in self.aimed(event, t) for t in event.targets)

    def _raw_citers(self, fact: Fact) -> list[Fact]:
        found = list(self._citing.get(fact.id, ())) if fact.id is not None else []
        if fact.extra.block:
            found += self._citing_block.get(identity(fact.extra.block), ())
        return found

    def cited(self, fact: Fact) -> list[tuple[int | None, Fact]]:
        """The facts a line or its evidence cites and that exist: (line of the citing evidence or None, cited fact)."""
        out: list[tuple[int | None, Fact]] = []
        for target in fact.extra.cites:
            out += [(None, f) for f in self.aimed(fact, target)]
        for evidence in fact.extra.evidence:
            out += [(evidence.line, f) for target in evidence.cites for f in self.aimed(fact, target)]
        return [(line, f) for line, f in out if f != fact and self.is_counted(f)]

    def cited_by(self, fact: Fact) -> tuple[Fact, ...]:
        """Every line that cites a fact in its text or evidence, in §3's order."""
        found = [f for f in self._raw_citers(fact) if any(fact in self.copies(c) for _, c in self.cited(f))]
        return tuple(sorted({(f.path, f.line): f for f in found}.values(), key=order))

    def _same_key(self, fact: Fact) -> list[Fact]:
        """Every keyed fact of the same entity, key and scope, alive or dead."""
        if fact.extra.key is None or fact.subject is None:
            return []
        _, key, scope = _value_key(fact)
        names = self.entities.spellings(self.entities.key(fact.subject)) or [link_identity(fact.subject)]
        return [f for name in names for f in self._values.get((name, key, scope), ())]


def newest_first(facts: Iterable[Fact]) -> list[Fact]:
    """The order of lists (§7): day and id descending, then path and line."""
    by_place = sorted(facts, key=lambda f: (f.path, f.line))
    return sorted(by_place, key=lambda f: (f.date or "", f.id or 0), reverse=True)


def newest(fact: Fact) -> tuple[str, int, str, int]:
    """For one pair of lines: the larger is the newer. Lists go by :func:`newest_first`."""
    return fact.date or "", fact.id or 0, fact.path, fact.line


def link_key(fact: Fact) -> str:
    """The identity of a fact's subject as written."""
    return NO_SUBJECT if fact.subject is None else link_identity(fact.subject)


def _ids_in(block: int) -> range:
    return range(block << _BLOCK, (block + 1) << _BLOCK)


def _downward(blocks: dict[int, int]) -> Iterator[Iterable[int]]:
    """The ids of each block in use, from the largest down."""
    return (reversed(_ids_in(block)) for block in sorted(blocks, reverse=True))


def _take(counts: dict[Key, int], key: Key) -> None:
    counts[key] -= 1
    if not counts[key]:
        del counts[key]


def _value_key(fact: Fact) -> tuple[str, str, str]:
    return link_identity(fact.subject or ""), fold_key(fact.extra.key or ""), identity(fact.extra.scope or "")


def edge_key(fact: Fact) -> tuple[str, str, str]:
    edge = fact.extra.relation
    assert edge is not None
    return identity(edge.source), edge.type, identity(edge.target)


def _rarer(fact: Fact) -> list[tuple[str, object]]:
    """The indexes that few lines enter: (index, key)."""
    extra = fact.extra
    out: list[tuple[str, object]] = []
    if extra.block:
        out.append(("_blocks", identity(extra.block)))
    for target in (*extra.cites, *(t for evidence in extra.evidence for t in evidence.cites)):
        if target.id is not None:
            out.append(("_citing", target.id))
        elif target.block is not None:
            out.append(("_citing_block", identity(target.block)))
    if extra.start is not None:
        out.append(("_starts", extra.start))
    if extra.end is not None:
        out.append(("_ends", extra.end))
    if extra.ticked_on is not None:
        out.append(("_ticks", extra.ticked_on))
    if extra.key is not None:
        out.append(("_values", _value_key(fact)))
    if extra.relation is not None:
        out.append(("_edges", edge_key(fact)))
    return list(dict.fromkeys(out))
