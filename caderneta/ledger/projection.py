"""What holds: every line of a vault, kept by difference, and the questions one may ask of it (§2–§6).

Indexes hold lines; the state of a line is derived when asked, by following the few events that aim at it, and remembered
until a change can reach it. A property test holds that any sequence of changes answers like a fresh reading.
"""

from __future__ import annotations

from bisect import bisect_right, insort
from collections import Counter
from collections.abc import Iterable, Iterator

from caderneta.format.text import fold_key, identity
from caderneta.format.values import (
    DEFAULTS,
    NO_EXTRA,
    NO_TARGETS,
    OWN_DATE,
    OWN_SUBJECT,
    Document,
    Fact,
    Finding,
    Settings,
    Target,
)
from caderneta.ledger import findings as rules
from caderneta.ledger.entities import Entities, link_identity, note_fits, stem
from caderneta.ledger.fold import STANDING, SUPERSEDED, Status, acts, by_date, content, guard, oldest, order, reaches, status_of

Place = tuple[str, int]
_NOTHING: tuple[Fact, ...] = ()


class Projection:
    """All the lines of a vault as they hold on ``today`` (ISO day).

    ``put`` and ``drop`` replace one document; the cost follows what changed and what aims at it.
    """

    def __init__(self, settings: Settings = DEFAULTS, today: str = "9999-12-31", documents: Iterable[Document] = ()) -> None:
        self.settings = settings
        self.today = today
        self.documents: dict[str, Document] = {}
        self.entities = Entities(settings.daily)
        self.largest_id = 0
        self._places: dict[str, dict[int, Fact]] = {}  # path → line → fact, made when first asked
        self._by_id: dict[int, Fact | list[Fact]] = {}
        self._on_id: dict[int, list[Fact]] = {}  # id → events that aim at it
        self._on_place: dict[Place, list[Fact]] = {}  # nested events
        self._on_block: dict[str, list[Fact]] = {}
        self._blocks: dict[str, list[Fact]] = {}  # block id → facts that bear it
        self._citing: dict[int, list[Fact]] = {}
        self._citing_block: dict[str, list[Fact]] = {}
        self._by_link: dict[str, list[Fact]] = {}  # link's identity → statements whose subject it is
        self._by_day: dict[str, list[Fact]] = {}
        self._days: list[str] = []
        self._values: dict[tuple[str, str, str], list[Fact]] = {}
        self._edges: dict[tuple[str, str, str], list[Fact]] = {}
        self._timed: dict[Place, Fact] = {}  # lines whose state a day alone may change
        self._status: dict[Place, Status] = {}
        self._circles: dict[Place, bool] = {}
        self._open: dict[Place, Fact] = {}
        self._found: dict[Place, tuple[Finding, ...]] = {}
        self._codes: Counter[str] = Counter()
        self._coded: dict[str, Counter[str]] = {}  # code → documents whose reading found it
        self._standing_links: dict[str, bool] = {}
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
        reached: set[Fact] = set()
        self._reach([*self._timed.values(), *(f for d in between for f in self._by_day[d])], reached)
        self._settle(reached)

    def _rename(self, *documents: Document | None) -> None:
        """After a note's name or aliases changed, values that now share an entity may rival each other."""
        if self._values and any(d is not None and d.day is None for d in documents):
            for facts in list(self._values.values()):
                for fact in facts:
                    self._forget((fact.path, fact.line))
                    self._derive(fact)

    def _insert(self, document: Document, facts: Iterable[Fact] | None = None, names_change: bool = True) -> None:
        path = document.path
        self.documents[path] = document
        self._places.pop(path, None)
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
        if names_change:
            self.entities.remove(document)
        for finding in document.findings:
            self._codes[finding.code] -= 1
            paths = self._coded[finding.code]
            paths[path] -= 1
            if not paths[path]:
                del paths[path]
        self._unindex(gone)

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
            if number > self.largest_id:
                self.largest_id = number
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
                    if target.id > self.largest_id:
                        self.largest_id = target.id
                elif target.block is not None:
                    self._on_block.setdefault(identity(target.block), []).append(fact)
                elif target.line is not None:
                    self._on_place.setdefault((fact.path, target.line), []).append(fact)
        if fact.subject is not None:
            name = self.entities.use(fact.subject)
            links = self._by_link.get(name)
            if links is None:
                self._by_link[name] = [fact]
            else:
                links.append(fact)
        if extra is NO_EXTRA:
            return
        if extra.start or extra.end or extra.ticked_on:
            self._timed[fact.path, fact.line] = fact
        for index, key in _rarer(fact):
            getattr(self, index).setdefault(key, []).append(fact)

    def _unindex(self, gone: set[Fact]) -> None:
        touched: set[tuple[str, object]] = set()
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
            if fact.subject is not None:
                touched.add(("_by_link", self.entities.use(fact.subject, -1)))
            touched.update(_rarer(fact))
            place = (fact.path, fact.line)
            self._timed.pop(place, None)
        for index, key in touched:
            held = getattr(self, index)
            facts = held.get(key)
            kept = [f for f in (facts if isinstance(facts, list) else [facts]) if f not in gone]
            if not kept:
                del held[key]
                if index == "_by_day":
                    self._days.remove(str(key))
            elif index == "_by_id":
                held[key] = kept[0] if len(kept) == 1 else kept
            else:
                held[key] = kept
        if any(number >= self.largest_id for fact in gone for number in _numbers(fact)):
            self.largest_id = max(max(self._by_id, default=0), max(self._on_id, default=0))

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
            if fact.subject is not None:
                name = link_identity(fact.subject)
                self._standing_links.pop(name, None)
                self._sorted.pop(name, None)
            near = [*self._raw_events_on(fact), *self._raw_citers(fact), *self._same_key(fact)]
            if fact.extra.relation is not None:
                near += self._edges.get(_edge_key(fact), ())
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
        self._open.pop(place, None)
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
            if fact.is_task and by_date(fact, self.today) == STANDING:
                self._open[place] = fact
            if fact.date is not None and fact.date > self.today:
                self._note(place, rules.of_fact(fact, self))
            return
        if fact.is_task and self.is_counted(fact) and self.status(fact).state == STANDING:
            self._open[place] = fact
        self._note(place, rules.of_fact(fact, self))

    def _note(self, place: Place, found: tuple[Finding, ...]) -> None:
        if found:
            self._found[place] = found
            for finding in found:
                self._codes[finding.code] += 1

    # --- lines ------------------------------------------------------------------------------------------------------------

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

    # --- events -----------------------------------------------------------------------------------------------------------

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

    def events_on(self, fact: Fact) -> tuple[Fact, ...]:
        """All that ever aimed at a fact and could act on it, alive or dead, in §3's order; events under any copy included."""
        copies = self.copies(fact)
        if len(copies) == 1:
            raw = self._raw_events_on(fact)
            if not raw:
                return _NOTHING
        else:
            raw = [e for copy in copies for e in self._raw_events_on(copy)]
        found: dict[Place, Fact] = {}
        for event in raw:
            if self.is_counted(event) and self._can_reach(event, fact):
                found[event.path, event.line] = event
        return tuple(sorted(found.values(), key=lambda e: order(e, self.number(e) or 1 << 60)))

    def _can_reach(self, event: Fact, fact: Fact) -> bool:
        number = self.number(event)
        for target in event.targets:
            by_id = target.id is not None
            if by_id and target.id != fact.id:
                continue
            if not by_id and not any(fact in self.copies(f) for f in self.aimed(event, target)):
                continue
            if reaches(event, fact, number, by_id) is None and not self.is_target_ambiguous(event, target):
                return True
        return False

    def in_circle(self, event: Fact) -> bool:
        """Whether an event aims, through other events, back at itself (§3: all of them act on nothing)."""
        if all(t.id is not None for t in event.targets) and event.id is not None:
            return False  # ids only aim at smaller ones
        place = (event.path, event.line)
        known = self._circles.get(place)
        if known is None:
            known = self._circles[place] = self._leads_back(event)
        return known

    def _leads_back(self, start: Fact) -> bool:
        seen: set[Place] = set()
        work = [f for t in start.targets for f in self.aimed(start, t) if f.is_event and self._can_reach(start, f)]
        while work:
            event = work.pop()
            place = (event.path, event.line)
            if place == (start.path, start.line):
                return True
            if place not in seen:
                seen.add(place)
                work += [f for t in event.targets for f in self.aimed(event, t) if f.is_event and self._can_reach(event, f)]
        return False

    def status(self, fact: Fact) -> Status:
        """A line's state on ``today`` and its cause (§4)."""
        place = (fact.path, fact.line)
        known = self._status.get(place)
        if known is None:
            known = self._status[place] = status_of(fact, self)
        return known

    def stands(self, fact: Fact) -> bool:
        """Whether a statement holds (`vigente`) or an event acts."""
        return self.status(fact).state == STANDING

    def verified(self, fact: Fact) -> bool:
        """Whether a live `verificado` aims at it and §5's guard lets it."""
        if guard(fact.extra) == "CAD217":
            return False
        return any(e.type == "verificado" and acts(e, fact, self) for e in self.events_on(fact))

    def cold(self, fact: Fact) -> bool:
        """Whether a live `sintese` covers it while it stays closed or dead (§3)."""
        if self.status(fact).state not in (SUPERSEDED, "resolvido"):
            return False
        return any(e.type == "sintese" and acts(e, fact, self) for e in self.events_on(fact))

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
            out += [(evidence.line, f) for number in evidence.cites for f in self.carriers(number)]
        return [(line, f) for line, f in out if f != fact and self.is_counted(f)]

    def cited_by(self, fact: Fact) -> tuple[Fact, ...]:
        """Every line that cites a fact in its text or evidence, in §3's order."""
        found = [f for f in self._raw_citers(fact) if any(fact in self.copies(c) for _, c in self.cited(f))]
        return tuple(sorted({(f.path, f.line): f for f in found}.values(), key=order))

    # --- entities -----------------------------------------------------------------------------------------------------------

    def entity(self, subject: str | None) -> str | None:
        """The key of the entity a link means."""
        return None if subject is None else self.entities.key(subject)

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

    def about(self, key: str) -> list[Fact]:
        """The statements whose subject is an entity, newest first, copies told once."""
        lists = [self._newest_first(name) for name in self.entities.spellings(key)]
        if len(lists) == 1:
            return lists[0]
        return sorted((f for facts in lists for f in facts), key=newest, reverse=True)

    def _newest_first(self, name: str) -> list[Fact]:
        known = self._sorted.get(name)
        if known is None:
            known = sorted((f for f in self._by_link.get(name, ()) if self.is_counted(f)), key=newest, reverse=True)
            self._sorted[name] = known
        return known

    def recent_subjects(self) -> Iterator[str]:
        """Entity keys, last moved first: by the newest line about them or aimed at one of theirs, up to today."""
        seen: set[str] = set()
        for day in reversed(self._days):
            if day > self.today:
                continue
            for fact in sorted(self._by_day[day], key=newest, reverse=True):
                moved = [fact] if not fact.is_event else [t for _, t in self.targets_of(fact) if t is not None]
                for one in moved:
                    if one.subject is not None:
                        key = self.entities.key(one.subject)
                        if key not in seen:
                            seen.add(key)
                            yield key

    def has_standing(self, key: str) -> bool:
        """Whether anything about an entity holds today."""
        return any(self._link_stands(name) for name in self.entities.spellings(key))

    def _link_stands(self, name: str) -> bool:
        known = self._standing_links.get(name)
        if known is None:
            known = any(self.stands(f) for f in self._newest_first(name))
            self._standing_links[name] = known
        return known

    @property
    def subject_count(self) -> int:
        """How many entities have at least one statement that holds."""
        return len({self.entities.key_of(name) for name in list(self._by_link) if self._link_stands(name)})

    @property
    def largest_line_id(self) -> int:
        """The largest id a line carries (targets apart)."""
        return self.largest_id if self.largest_id in self._by_id else max(self._by_id, default=0)

    # --- sets ---------------------------------------------------------------------------------------------------------------

    def open_tasks(self) -> list[Fact]:
        """Tasks that hold today, newest first."""
        return sorted(self._open.values(), key=newest, reverse=True)

    def since(self, day: str) -> list[Fact]:
        """Every line dated after ``day`` and not after today, newest first, copies told once."""
        out: list[Fact] = []
        for each in reversed(self._days):
            if each <= day:
                break
            if each <= self.today:
                out += [f for f in self._by_day[each] if self.is_counted(f)]
        return sorted(out, key=newest, reverse=True)

    def timed(self) -> list[Fact]:
        """Lines whose state a day alone may change: with a beginning to come, or an end."""
        return [f for f in self._timed.values() if self.is_counted(f)]

    def upcoming(self) -> list[Fact]:
        """Lines dated after today, nearest first."""
        days = self._days[bisect_right(self._days, self.today) :]
        return [f for d in days for f in sorted(self._by_day[d], key=order) if self.is_counted(f)]

    def _same_key(self, fact: Fact) -> list[Fact]:
        """Every keyed fact of the same entity, key and scope, alive or dead."""
        if fact.extra.key is None or fact.subject is None:
            return []
        _, key, scope = _value_key(fact)
        names = self.entities.spellings(self.entities.key(fact.subject)) or [link_identity(fact.subject)]
        return [f for name in names for f in self._values.get((name, key, scope), ())]

    def rivals(self, fact: Fact) -> list[Fact]:
        """The living values of a keyed fact's subject, key and scope, itself included, in §3's order (§5)."""
        return sorted((f for f in self._same_key(fact) if self.is_counted(f) and self.stands(f)), key=order)

    def same_edges(self, fact: Fact) -> list[Fact]:
        """Living copies of an edge under other ids, itself included, in §3's order."""
        if fact.extra.relation is None:
            return []
        found = [f for f in self._edges.get(_edge_key(fact), ()) if self.is_counted(f) and self.stands(f)]
        return sorted(found, key=order)

    # --- findings ---------------------------------------------------------------------------------------------------------

    def count_findings(self) -> Counter[str]:
        """How many findings of each code there are (entity findings apart)."""
        return +self._codes

    def _whole(self, finding: Finding) -> Finding:
        """A finding with what only the whole vault knows: of a missing target, the last id there is."""
        return finding._replace(args=(*finding.args, str(self.largest_line_id))) if finding.code == "CAD203" else finding

    def findings_of(self, code: str) -> list[Finding]:
        """The findings of one code, by file and line."""
        found = [self._whole(f) for each in self._found.values() for f in each if f.code == code]
        for path in self._coded.get(code, ()):
            found += [f for f in self.documents[path].findings if f.code == code]
        if code in ("CAD307", "CAD308"):
            found += [f for f in self.entities.findings() if f.code == code]
        return sorted(found, key=lambda f: (f.path, f.line, f.column))

    def findings(self) -> list[Finding]:
        """Everything a person should know, by file and line."""
        found = [self._whole(f) for each in self._found.values() for f in each]
        found += [f for d in self.documents.values() for f in d.findings]
        found += self.entities.findings()
        found += rules.jump(sorted(self._by_id), self)
        return sorted(found, key=lambda f: (f.path, f.line, f.column, f.code, f.ids))


def newest(fact: Fact) -> tuple[str, int, str, int]:
    """The order of lists (§7), to be reversed: day, id, then path and line."""
    return fact.date or "", fact.id or 0, fact.path, fact.line


def _numbers(fact: Fact) -> Iterator[int]:
    if fact.id is not None:
        yield fact.id
    for target in fact.targets:
        if target.id is not None:
            yield target.id


def _value_key(fact: Fact) -> tuple[str, str, str]:
    return link_identity(fact.subject or ""), fold_key(fact.extra.key or ""), identity(fact.extra.scope or "")


def _edge_key(fact: Fact) -> tuple[str, str, str]:
    edge = fact.extra.relation
    assert edge is not None
    return identity(edge.source), edge.type, identity(edge.target)


def _rarer(fact: Fact) -> list[tuple[str, object]]:
    """The indexes that few lines enter: (index, key)."""
    extra = fact.extra
    out: list[tuple[str, object]] = []
    if extra.block:
        out.append(("_blocks", identity(extra.block)))
    for target in extra.cites:
        if target.id is not None:
            out.append(("_citing", target.id))
        elif target.block is not None:
            out.append(("_citing_block", identity(target.block)))
    for evidence in extra.evidence:
        out += [("_citing", number) for number in evidence.cites]
    if extra.key is not None:
        out.append(("_values", _value_key(fact)))
    if extra.relation is not None:
        out.append(("_edges", _edge_key(fact)))
    return list(dict.fromkeys(out))


_QUIET_FLAGS = OWN_DATE | OWN_SUBJECT


def _is_quiet(fact: Fact) -> bool:
    """Whether nothing but its date can give a line a finding or another state."""
    extra = fact.extra
    return not (extra.cites or extra.evidence or extra.block or extra.relation or extra.key or extra.ticked_on)
