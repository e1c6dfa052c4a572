"""What state each line is in: derived when asked, by following the few events that aim at it, and remembered (§3, §4)."""

from __future__ import annotations

from caderneta.format.values import Fact
from caderneta.ledger.fold import STANDING, SUPERSEDED, Status, acts, guard, order, reaches, status_of
from caderneta.ledger.index import Index, Place, edge_key

_NOTHING: tuple[Fact, ...] = ()


class States(Index):
    """An index that answers for states. Who changes the lines forgets what the change can reach."""

    def __init__(self, daily: str, today: str) -> None:
        super().__init__(daily, today)
        self._status: dict[Place, Status] = {}
        self._circles: dict[Place, bool] = {}
        self._deriving: set[Place] = set()  # lines whose state is being derived further up

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
            if by_id and target.id != self.number(fact):
                continue
            if not by_id and not any(fact in self.copies(f) for f in self.aimed(event, target)):
                continue
            if reaches(event, fact, number, by_id) is None and not self.is_target_ambiguous(event, target):
                return True
        return False

    def in_circle(self, event: Fact) -> bool:
        """Whether an event aims, through other events, back at itself (§3: all of them act on nothing)."""
        if not self._on_place and not self._on_block:
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
            self._derive_status(fact)
            known = self._status[place]
        return known

    def _derive_status(self, fact: Fact) -> None:
        """Derives the states of the events on a fact, of those on them, and so on, before its own: without recursion,
        for a chain of events may be longer than any stack."""
        work = [fact]
        while work:
            top = work[-1]
            place = (top.path, top.line)
            if place not in self._status:
                if place not in self._deriving:
                    self._deriving.add(place)
                    # Even an event that cannot act comes first: which ones can is only known by asking.
                    below = [e for copy in self.copies(top) for e in self._raw_events_on(copy)]
                    below = [e for e in below if (e.path, e.line) not in self._status and (e.path, e.line) not in self._deriving]
                    if below:
                        work += below
                        continue
                self._status[place] = status_of(top, self)
            self._deriving.discard(place)
            work.pop()

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

    def entity(self, subject: str | None) -> str | None:
        """The key of the entity a link means."""
        return None if subject is None else self.entities.key(subject)

    def rivals(self, fact: Fact) -> list[Fact]:
        """The living values of a keyed fact's subject, key and scope, itself included, in §3's order (§5)."""
        return sorted((f for f in self._same_key(fact) if self.is_counted(f) and self.stands(f)), key=order)

    def same_edges(self, fact: Fact) -> list[Fact]:
        """Living copies of an edge under other ids, itself included, in §3's order."""
        if fact.extra.relation is None:
            return []
        found = [f for f in self._edges.get(edge_key(fact), ()) if self.is_counted(f) and self.stands(f)]
        return sorted(found, key=order)
