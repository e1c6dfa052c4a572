"""What happens in a generated vault: who says what, what dies, what is done, and the state each line must end in.

The fate of a line is decided when it is born: the slot (a future id) where its event will stand is reserved then, so that
targets always exist, are earlier and still alive, and files can be written as the story goes.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from dataclasses import dataclass, field
from random import Random

from bench.palavras import KEYS, PEOPLE, SCOPES, SENTENCES, entities, fill, pick
from caderneta.format.dates import add_days
from caderneta.format.vocabulary import RELATIONS

STANDING, SUPERSEDED, RESOLVED, RETIRED, EXPIRED, FUTURE = range(6)
STATES = ("vigente", "superado", "resolvido", "aposentado", "vencido", "futuro")

# What a free slot says. Tasks are few and mostly end: a notebook has hundreds of open tasks, not a fifth of its lines.
_SHARES = {
    "observacao": 41,
    "decisao": 24,
    "mudanca": 12,
    "pendencia": 6,
    "fato": 5,
    "experimento": 5,
    "feedback": 4,
    "bloqueio": 2,
    "relacao": 1,
}
_TYPES = tuple(_SHARES)
_UPTO = tuple(sum(list(_SHARES.values())[: i + 1]) / 100 for i in range(len(_SHARES)))
_BRINGS = {"supersede": SUPERSEDED, "resolvido": RESOLVED, "aposentado": RETIRED}


@dataclass(slots=True)
class Entry:
    """One line to be written. ``number`` is its slot; ``own_id`` says whether the line shows it."""

    number: int
    type: str
    text: str  # what follows "::", without id
    subject: int = -1  # index of the entity, -1: none of its own
    own_id: bool = True
    struck: bool = False
    box: str = ""
    tail: str = ""
    nested: bool = False  # stands inside the entry before it
    children: list[str] = field(default_factory=list)


class Story:
    """Entries in order, one for each slot from 1 to ``facts``; afterwards, what a reader must find."""

    def __init__(self, facts: int, seed: int, last_day: str) -> None:
        self.facts = facts
        self.last_day = last_day
        self.random = Random(seed).random
        self.entities = entities(max(8, facts // 200), self.random)
        self.types: Counter[str] = Counter()
        self.state = bytearray(facts + 1)
        self.task = bytearray(facts + 1)
        self.largest_id = 0
        self._restless = bytearray(facts + 1)  # will die, or shows no id: nothing else may rest on it
        self._final: set[int] = set()  # struck lines and replaced values: nobody brings them back
        self._errands: dict[int, tuple[str, list[int]]] = {}  # slot → (event, targets)
        self._aims: dict[int, list[int]] = {}  # events that may be undone → their targets
        self._values: dict[tuple[int, str, str], int] = {}
        self._edges: set[tuple[int, str, int]] = set()

    def entry(self, number: int, day: str, last_of_day: bool, around: int) -> Entry:
        """The line of a slot. ``around`` is the entity of the heading it will stand under, -1 when there is none."""
        errand = self._errands.pop(number, None)
        if errand is not None:
            entry = self._event(number, *errand)
        else:
            random = self.random
            kind = _TYPES[bisect_right(_UPTO, random())]
            subject = around if around >= 0 and random() < 0.6 else self._entity()
            if kind == "fato":
                entry = self._value(number, subject)
            elif kind == "relacao":
                entry = self._edge(number, subject)
            elif kind == "pendencia" or kind == "bloqueio":
                entry = self._task(number, kind, subject, day, last_of_day)
            else:
                entry = self._statement(number, kind, subject, day)
            if subject == around and kind != "relacao":
                entry.subject = -1
        self.types[entry.type] += 1
        if entry.own_id:
            self.largest_id = number
        return entry

    def awaits_nested(self, number: int) -> bool:
        """Whether a slot's line must stand right under the one before it."""
        return number in self._errands and self._errands[number][0] == "feito"

    def states(self) -> dict[str, int]:
        """How many lines end in each state."""
        counts = Counter(self.state[1:])
        return {name: counts[code] for code, name in enumerate(STATES)}

    @property
    def open_tasks(self) -> int:
        return sum(1 for task, state in zip(self.task, self.state, strict=True) if task and state == STANDING)

    def _entity(self) -> int:
        """Half of the lines are about the few entities everybody talks of."""
        random, count = self.random, len(self.entities)
        x = random()
        return int((x * x * x if random() < 0.5 else x) * count)

    def _reserve(self, number: int, event: str, target: int, within: int) -> bool:
        """Reserve for an event a slot at most about ``within`` later. ``False`` when that is past the end."""
        x = self.random()
        slot = number + 1 + int(x * x * within)
        while (held := self._errands.get(slot)) is not None:
            if event == "resolvido" == held[0] and len(held[1]) < 3 and slot > number + 1:
                break
            slot += 1
        if slot > self.facts:
            return False
        if held is None:
            self._errands[slot] = (event, [target])
        else:
            held[1].append(target)
        return True

    # --- statements ---------------------------------------------------------------------------------------------------

    def _sentence(self, number: int, kind: str) -> str:
        """A sentence; now and then it names another entity or leans on an earlier line."""
        random = self.random
        sentences = SENTENCES[kind]
        text = fill(sentences[int(random() * len(sentences))], random)
        x = random()
        if x < 0.06:
            name = self.entities[self._entity()]
            text += f" ([[{name}]])" if x < 0.04 else f", como em [[{name}|{name.split()[0].lower()}]]"
        elif x < 0.09:
            cited = number - 1 - int(random() * 400)
            if cited > 0 and not self._restless[cited]:
                text += f", ver #{cited}"
        return text

    def _statement(self, number: int, kind: str, subject: int, day: str) -> Entry:
        random = self.random
        entry = Entry(number, kind, self._sentence(number, kind), subject)
        x = random()
        if x < 0.042:
            if self._reserve(number, "supersede", number, 6000):
                self._restless[number] = 1
                entry.struck = random() < 0.4
                if entry.struck:
                    self._final.add(number)
        elif x < 0.045:
            if self._reserve(number, "aposentado", number, 20000):
                self._restless[number] = 1
        elif x < 0.048:
            entry.own_id = False
            self._restless[number] = 1
        elif x < 0.058:
            end = add_days(day, int(random() * 200))
            entry.tail = f" [ate:: {end}]"
            if random() < 0.8 and self._reserve(number, "supersede", number, 20000):
                self._restless[number] = 1
                self._final.add(number)
            elif end < self.last_day:
                self.state[number] = EXPIRED
        elif x < 0.061:
            start = add_days(day, 1 + int(random() * 60))
            entry.tail = f" [de:: {start}]"
            if start > self.last_day:
                self.state[number] = FUTURE
        elif x < 0.11:
            entry.tail = f" [por:: {pick(PEOPLE, random)}]"
        if random() < 0.03:
            entry.children.append("- " + fill(SENTENCES["detalhe"][int(random() * 3)], random))
        return entry

    def _task(self, number: int, kind: str, subject: int, day: str, last_of_day: bool) -> Entry:
        random = self.random
        entry = Entry(number, kind, self._sentence(number, kind), subject)
        self.task[number] = 1
        entry.box = " " if random() < 0.4 else ""
        if random() < 0.3:
            due = add_days(day, int(random() * 45))
            entry.tail = f" 📅 {due}" if random() < 0.3 else f" [ate:: {due}]"
        if random() < 0.15:
            entry.tail = f" [com:: {pick(PEOPLE, random)}]" + entry.tail
        x = random()
        if x < 0.72:
            self._restless[number] = self._reserve(number, "resolvido", number, 3000)
        elif x < 0.75:
            self._restless[number] = self._reserve(number, "supersede", number, 3000)
        elif x < 0.93:
            entry.box = "x"
            entry.tail += f" ✅ {day}" if random() < 0.5 else ""
            self.state[number] = RESOLVED
            self._restless[number] = 1
        elif x < 0.95 and not last_of_day and number + 1 not in self._errands and number < self.facts:
            self._errands[number + 1] = ("feito", [number])
            self._restless[number] = 1
        return entry

    def _value(self, number: int, subject: int) -> Entry:
        """A keyed value; one that replaces another reserves the next slot for the old one's `supersede`."""
        random = self.random
        key, scope = pick(KEYS, random), pick(SCOPES, random) if random() < 0.15 else ""
        old = self._values.get((subject, key, scope))
        if old is not None and not self._reserve(number, "supersede", old, 0):
            return Entry(number, "observacao", self._sentence(number, "observacao"), subject)
        if old is not None:
            self._final.add(old)
        self._values[subject, key, scope] = number
        self._restless[number] = 1
        value = "?" if random() < 0.02 else fill(SENTENCES["valor"][int(random() * 5)], random)
        entry = Entry(number, "fato", f"{key} = {value}", subject, tail=f" [escopo:: {scope}]" if scope else "")
        if random() < 0.5:
            stance = ("apoia", "cita", "fonte")[int(random() * 3)]
            entry.children.append(f"- {stance} :: {fill(SENTENCES['evidencia'][int(random() * 3)], random)}")
            if stance == "apoia" and random() < 0.3:
                self._reserve(number, "verificado", number, 0)
        return entry

    def _edge(self, number: int, subject: int) -> Entry:
        other = self._entity()
        kind = RELATIONS[int(self.random() * len(RELATIONS))]
        if other == subject or (subject, kind, other) in self._edges:
            return Entry(number, "observacao", self._sentence(number, "observacao"), subject)
        self._edges.add((subject, kind, other))
        return Entry(number, "relacao", f"[[{self.entities[subject]}]] -[{kind}]-> [[{self.entities[other]}]] desde sempre")

    # --- events -------------------------------------------------------------------------------------------------------

    def _event(self, number: int, event: str, targets: list[int]) -> Entry:
        random = self.random
        if event == "feito":
            self.state[targets[0]] = RESOLVED
            self._restless[number] = 1
            reason = fill(SENTENCES["resolvido"][int(random() * 4)], random)
            return Entry(number, "resolvido", reason, own_id=False, nested=True)
        self._restless[number] = 1
        reasons = SENTENCES["reabre" if event == "desfaz" else event]
        text = ", ".join(f"#{target}" for target in targets) + " · " + fill(reasons[int(random() * len(reasons))], random)
        if event == "desfaz":
            self._undo(number, targets[0])
            return Entry(number, "supersede", text)
        if event in _BRINGS:
            for target in targets:
                self.state[target] = _BRINGS[event]
            if random() < 0.03 and not self._final.intersection(targets) and self._reserve(number, "desfaz", number, 2000):
                self._aims[number] = targets
        return Entry(number, event, text)

    def _undo(self, number: int, event: int) -> None:
        """An event dies: what it had closed is open again, and most tasks get done a second time."""
        self.state[event] = SUPERSEDED
        for target in self._aims.pop(event):
            self.state[target] = STANDING
            if self.random() < 0.7:
                self._reserve(number, "resolvido" if self.task[target] else "aposentado", target, 1500)
