"""What holds: every line of a vault, kept by difference, and the questions one may ask of it (§2–§6).

Indexes hold lines; the state of a line is derived when asked, by following the few events that aim at it, and remembered
until a change can reach it. A property test holds that any sequence of changes answers like a fresh reading.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import TypeVar

from caderneta.format.text import identity
from caderneta.format.values import (
    DEFAULTS,
    OWN_DATE,
    OWN_SUBJECT,
    Document,
    Fact,
    Finding,
    Settings,
)
from caderneta.ledger import findings as rules
from caderneta.ledger.entities import stem
from caderneta.ledger.fold import EXPIRED, STANDING, by_date, order
from caderneta.ledger.index import NO_SUBJECT, Place, edge_key, link_key, newest_first
from caderneta.ledger.states import States

Key = TypeVar("Key")


class Projection(States):
    """All the lines of a vault as they hold on ``today`` (ISO day).

    ``put`` and ``drop`` replace one document; the cost follows what changed and what aims at it.
    """

    def __init__(self, settings: Settings = DEFAULTS, today: str = "9999-12-31", documents: Iterable[Document] = ()) -> None:
        super().__init__(settings.daily, today)
        self.settings = settings
        self._open: dict[Place, Fact] = {}
        self._open_days: dict[str, dict[Place, Fact]] = {}
        self._open_links: dict[str, dict[Place, Fact]] = {}
        self._open_types: dict[str, dict[Place, Fact]] = {}
        self._due: dict[Place, Fact] = {}  # open tasks with a deadline
        self._found: dict[Place, tuple[Finding, ...]] = {}
        self._codes: Counter[str] = Counter()
        self._coded: dict[str, Counter[str]] = {}  # code → documents whose reading found it
        self._fallen: dict[Place, tuple[str, str]] = {}  # statements that do not hold: (link's identity, type)
        self._fallen_kinds: Counter[tuple[str, str]] = Counter()
        self._fallen_links: Counter[str] = Counter()
        self._dirty_links: set[str] = set()  # where that changed since subject_count was last asked
        self._standing_links: set[str] = set()
        self._standing_keys: Counter[str] = Counter()
        self._standing_version = -1
        self._expired: dict[Place, Fact] = {}
        self._sorted: dict[str, list[Fact]] = {}
        for document in documents:
            self._insert(document)
        for document in self.documents.values():
            for fact in document.facts:
                self._derive(fact)

    # --- change -----------------------------------------------------------------------------------------------------------

    def put(self, document: Document) -> None:
        """Replaces a document (or brings a new one)."""
        before = self.documents.get(document.path)
        old = set(before.facts) if before else set()
        new = set(document.facts)
        gone, come = old - new, new - old
        reached: set[Fact] = set()
        names_change = before is None or before.aliases != document.aliases
        self._reach(gone, reached)
        if before:
            self._remove(before, gone, names_change)
        self._insert(document, come, names_change)
        self._reach(come, reached)
        self._settle(reached)
        if names_change:
            self._rename(document, before)

    def drop(self, path: str) -> None:
        """Forgets a document."""
        before = self.documents.get(path)
        if before is None:
            return
        reached: set[Fact] = set()
        self._reach(before.facts, reached)
        self._remove(before, set(before.facts), True)
        self._settle(reached)
        self._rename(before)

    def move_to(self, day: str) -> None:
        """Changes the day asked about."""
        first, last = sorted((day, self.today))
        self.today = day
        between = self._days[bisect_right(self._days, first) : bisect_right(self._days, last)]
        touched = [f for each in between for f in self._by_day[each]]
        for index in (self._starts, self._ends, self._ticks):
            touched += [f for each, facts in index.items() if first <= each <= last for f in facts]
        reached: set[Fact] = set()
        self._reach(touched, reached)
        self._settle(reached)

    def _rename(self, *documents: Document | None) -> None:
        """After a note's name or aliases changed: values and edges that now share an entity may rival each other."""
        if any(d is not None and d.day is None for d in documents):
            for fact in [f for index in (self._values, self._edges) for facts in index.values() for f in facts]:
                self._forget((fact.path, fact.line))
                self._derive(fact)

    def _insert(self, document: Document, facts: Iterable[Fact] | None = None, names_change: bool = True) -> None:
        path = document.path
        self.documents[path] = document
        self._places.pop(path, None)
        if document.hidden_id:
            self._hidden_ids[path] = document.hidden_id
        if names_change:
            self.entities.add(document)
        for finding in document.findings:
            self._codes[finding.code] += 1
            self._coded.setdefault(finding.code, Counter())[path] += 1
        for fact in document.facts if facts is None else facts:
            self._index(fact)

    def _remove(self, document: Document, gone: set[Fact], names_change: bool) -> None:
        path = document.path
        del self.documents[path]
        self._places.pop(path, None)
        self._hidden_ids.pop(path, None)
        if names_change:
            self.entities.remove(document)
        for finding in document.findings:
            self._codes[finding.code] -= 1
            paths = self._coded[finding.code]
            paths[path] -= 1
            if not paths[path]:
                del paths[path]
        self._unindex(gone)

    def _reach(self, facts: Iterable[Fact], reached: set[Fact]) -> None:
        """Every line whose state a change of ``facts`` can alter: copies, targets, and on through targets that are events."""
        work = list(facts)
        while work:
            fact = work.pop()
            if fact in reached:
                continue
            reached.add(fact)
            if fact.id is not None:
                held = self._by_id.get(fact.id)
                if isinstance(held, list):
                    work.extend(held)
            if fact.extra.block:
                name = identity(fact.extra.block)
                work.extend(self._blocks.get(name, ()))
                work.extend(self._on_block.get(name, ()))
            for target in fact.targets:
                work.extend(self.aimed(fact, target))

    def _settle(self, reached: set[Fact]) -> None:
        """Derives again what a change reached, and the findings of whoever aims at it or cites it."""
        around = {(f.path, f.line) for f in reached}
        circles = False
        for fact in reached:
            self._status.pop((fact.path, fact.line), None)
            circles = circles or fact.is_event
            if not fact.is_event:
                self._sorted.pop(link_key(fact), None)
                self._dirty_links.add(link_key(fact))
            near = [*self._raw_events_on(fact), *self._raw_citers(fact), *self._same_key(fact)]
            if fact.extra.relation is not None:
                near += self._edges.get(edge_key(fact), ())
            around.update((f.path, f.line) for f in near)
        if circles:
            self._circles.clear()
        for place in around:
            self._forget(place)
        for path, line in around:
            here = self.at(path, line)
            if here is not None:
                self._derive(here)

    def _forget(self, place: Place) -> None:
        task = self._open.pop(place, None)
        if task is not None:
            self._due.pop(place, None)
            _take(self._open_types, task.type, place)
            _take(self._open_days, task.date or "", place)
            _take(self._open_links, link_key(task), place)
        fallen = self._fallen.pop(place, None)
        if fallen is not None:
            self._fallen_kinds[fallen] -= 1
            self._fallen_links[fallen[0]] -= 1
            self._dirty_links.add(fallen[0])
            self._expired.pop(place, None)
        for finding in self._found.pop(place, ()):
            self._codes[finding.code] -= 1

    def _derive(self, fact: Fact) -> None:
        """The few derived sets worth keeping: open tasks, and the findings of one line."""
        place = (fact.path, fact.line)
        number = fact.id
        plain = (
            not fact.targets
            and not fact.flags & ~_QUIET_FLAGS
            and (number is None or (not isinstance(self._by_id[number], list) and number not in self._on_id))
            and _is_quiet(fact)
            and place not in self._on_place
        )
        if plain:
            state = by_date(fact, self.today)
            if state == STANDING:
                if fact.is_task:
                    self._open_task(place, fact)
                return
            self._fall(place, fact, state)
        elif not fact.is_event:
            state = self.status(fact).state if self.is_counted(fact) else ""
            if state != STANDING:
                self._fall(place, fact, state)
            elif fact.is_task:
                self._open_task(place, fact)
        self._note(place, rules.of_fact(fact, self))

    def _fall(self, place: Place, fact: Fact, state: str) -> None:
        if state == EXPIRED:
            self._expired[place] = fact
        fallen = (link_key(fact), fact.type)
        self._fallen[place] = fallen
        self._fallen_kinds[fallen] += 1
        self._fallen_links[fallen[0]] += 1
        self._dirty_links.add(fallen[0])

    def _open_task(self, place: Place, task: Fact) -> None:
        self._open[place] = task
        self._open_types.setdefault(task.type, {})[place] = task
        self._open_days.setdefault(task.date or "", {})[place] = task
        self._open_links.setdefault(link_key(task), {})[place] = task
        if task.extra.end is not None:
            self._due[place] = task

    def _note(self, place: Place, found: tuple[Finding, ...]) -> None:
        if found:
            self._found[place] = found
            for finding in found:
                self._codes[finding.code] += 1

    # --- entities -----------------------------------------------------------------------------------------------------------

    def entity_name(self, key: str) -> str:
        """What to show for an entity: its note's basename, else the spelling first used (§2)."""
        note = self.entities.note_name(key)
        if note is not None:
            return note
        written = [(name, self.entities.written(name)) for name in self.entities.spellings(key)]
        spellings = [s for _, counts in written for s in counts]
        if len(spellings) <= 1:
            return stem(spellings[0]) if spellings else key
        first = min((f for name, _ in written for f in self._by_link.get(name, ())), key=order)
        return stem(first.subject or key)

    def subject_name(self, fact: Fact) -> str | None:
        """What to show as a fact's subject."""
        return None if fact.subject is None else self.shown(fact.subject)

    def shown(self, link: str) -> str:
        """What to show for a link: its entity's name, else its own last part as written."""
        key = self.entities.key(link)
        return self.entity_name(key) if self.entities.is_known(link) else stem(link)

    def known_entity(self, name: str) -> str | None:
        """The key of an entity somebody already wrote (any case), or ``None``."""
        return self.entities.key(name) if self.entities.is_known(name) else None

    def similar_entities(self, name: str) -> list[str]:
        """Names of known entities a person may have meant."""
        return [self.entity_name(key) for key in self.entities.similar(name)]

    def open_about(self, key: str | None) -> list[Fact]:
        """Open tasks about an entity (``None``: without a subject), newest first."""
        names = [NO_SUBJECT] if key is None else self.entities.spellings(key)
        return newest_first(task for name in names for task in self._open_links.get(name, {}).values())

    def about(self, key: str | None) -> list[Fact]:
        """The statements whose subject is an entity (``None``: without a subject), newest first, copies told once."""
        if key is None:
            return self._newest_first(NO_SUBJECT)
        lists = [self._newest_first(name) for name in self.entities.spellings(key)]
        if len(lists) == 1:
            return lists[0]
        return newest_first(f for facts in lists for f in facts)

    def _newest_first(self, name: str) -> list[Fact]:
        known = self._sorted.get(name)
        if known is None:
            known = newest_first(f for f in self._by_link.get(name, ()) if self.is_counted(f))
            self._sorted[name] = known
        return known

    def recent_subjects(self) -> Iterator[str]:
        """Entity keys, last moved first: by the newest line about them or aimed at one of theirs, up to today."""
        seen: set[str] = set()
        for day in reversed(self._days):
            if day > self.today:
                continue
            for fact in newest_first(self._by_day[day]):
                moved = [fact] if not fact.is_event else [t for _, t in self.targets_of(fact) if t is not None]
                for one in moved:
                    if one.subject is not None:
                        key = self.entities.key(one.subject)
                        if key not in seen:
                            seen.add(key)
                            yield key

    def standing_count(self, key: str | None, kind: str | None = None) -> int:
        """How many statements about an entity (``None``: without a subject) hold today, in all or of one type."""
        total = 0
        for name in [NO_SUBJECT] if key is None else self.entities.spellings(key):
            kinds = self._kinds.get(name, {})
            for each in kinds if kind is None else (kind,):
                total += kinds.get(each, 0) - self._fallen_kinds[name, each]
        return total

    @property
    def subject_count(self) -> int:
        """How many entities have at least one statement that holds."""
        if self._standing_version != self.entities.version:
            self._standing_version = self.entities.version
            self._standing_links.clear()
            self._standing_keys.clear()
            self._dirty_links.update(self._by_link)
        for name in self._dirty_links:
            stands = name != NO_SUBJECT and len(self._by_link.get(name, ())) > self._fallen_links[name]
            if stands != (name in self._standing_links):
                key = self.entities.key_of(name)
                self._standing_keys[key] += 1 if stands else -1
                if not self._standing_keys[key]:
                    del self._standing_keys[key]
                (self._standing_links.add if stands else self._standing_links.discard)(name)
        self._dirty_links.clear()
        return len(self._standing_keys)

    # --- sets ---------------------------------------------------------------------------------------------------------------

    def open_tasks(self) -> list[Fact]:
        """Tasks that hold today, newest first."""
        return newest_first(self._open.values())

    def open_count(self, kind: str | None = None) -> int:
        """How many tasks hold today, in all or of one type."""
        return len(self._open if kind is None else self._open_types.get(kind, ()))

    def open_of(self, kind: str) -> list[Fact]:
        """Open tasks of one type, newest first."""
        return newest_first(self._open_types.get(kind, {}).values())

    def open_since(self, day: str) -> list[Fact]:
        """Open tasks dated after ``day``, newest first."""
        found = [t for each, tasks in self._open_days.items() if each > day for t in tasks.values()]
        return newest_first(found)

    def open_due(self) -> list[Fact]:
        """Open tasks that have a deadline, the nearest first."""
        return sorted(self._due.values(), key=lambda t: (t.extra.end or "", t.id or 0, t.path, t.line))

    def expired(self) -> list[Fact]:
        """Statements that ended and wait for somebody to confirm them again, newest first."""
        return newest_first(self._expired.values())

    def open_entities(self) -> set[str | None]:
        """The entities that have open tasks (``None``: tasks without a subject)."""
        return {None if name == NO_SUBJECT else self.entities.key_of(name) for name in self._open_links}

    # --- findings ---------------------------------------------------------------------------------------------------------

    def count_findings(self) -> Counter[str]:
        """How many findings of each code there are."""
        counts = +self._codes
        counts.update(f.code for f in self._vault_findings())
        return counts

    def _vault_findings(self) -> list[Finding]:
        return [*self.entities.findings(), *rules.jumps(self)]

    def _whole(self, finding: Finding) -> Finding:
        """A finding with what only the whole vault knows: of a missing target, the last id there is."""
        return finding._replace(args=(*finding.args, str(self.largest_line_id))) if finding.code == "CAD203" else finding

    def findings_of(self, code: str) -> list[Finding]:
        """The findings of one code, by file and line."""
        found = [self._whole(f) for each in self._found.values() for f in each if f.code == code]
        for path in self._coded.get(code, ()):
            found += [f for f in self.documents[path].findings if f.code == code]
        if code in _VAULT_CODES:
            found += [f for f in self._vault_findings() if f.code == code]
        return sorted(found, key=lambda f: (f.path, f.line, f.column))

    def findings(self) -> list[Finding]:
        """Everything a person should know, by file and line."""
        found = [self._whole(f) for each in self._found.values() for f in each]
        found += [f for d in self.documents.values() for f in d.findings]
        found += self._vault_findings()
        return sorted(found, key=lambda f: (f.path, f.line, f.column, f.code, f.ids))


def _take(index: dict[Key, dict[Place, Fact]], key: Key, place: Place) -> None:
    held = index[key]
    del held[place]
    if not held:
        del index[key]


_VAULT_CODES = ("CAD216", "CAD307", "CAD308")  # what only the whole vault shows
_QUIET_FLAGS = OWN_DATE | OWN_SUBJECT


def _is_quiet(fact: Fact) -> bool:
    """Whether nothing but its date can give a line a finding or another state."""
    extra = fact.extra
    return not (extra.cites or extra.evidence or extra.block or extra.relation or extra.key or extra.ticked_on)
