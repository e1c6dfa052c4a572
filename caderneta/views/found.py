"""*Achados*: the few findings told in words, and the rest counted by kind (§7). Notices (``nota``) never appear."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence

from caderneta.checks.rules import ALMOST, by_code, message, severity
from caderneta.format.values import Fact, Finding
from caderneta.ledger.projection import Projection
from caderneta.views.budget import Line, Part
from caderneta.views.facts import note_link, place, subject_link
from caderneta.views.items import SHORT, item, shown_ref, when_and_where
from caderneta.views.shown import words

MOST = 5
_DEAD_PREMISE, _RIVALS = "CAD214", "CAD218"
# Lines that are nowhere else in this note: of two with one id, in files that cannot be read, behind what never closes.
_TAKEN_AWAY = ("CAD209", "CAD301", "CAD306", "CAD121", "CAD122", "CAD206")
_UNREAD = ("CAD301", "CAD306")
_KINDS = 6


def findings_part(projection: Projection, entity: str | None, weight: int) -> Part:
    """The section of findings; those about one entity when it is given."""
    found = _Found(projection, entity)
    worded = found.worded()
    lines = (_line(projection, finding) for finding in worded)
    total = sum(found.counts.values())

    def closing(omitted: int, above: Sequence[str], command: str) -> str:
        told = worded[: total - omitted]
        return found.rest(Counter(f.code for f in told))

    return Part("achados", f"## Achados ({total})", total, weight, lines, closing)


class _Found:
    """The findings that are shown: how many of each code, and each code's when asked."""

    __slots__ = ("_about", "_lists", "_projection", "counts")

    def __init__(self, projection: Projection, entity: str | None) -> None:
        self._projection = projection
        self._about = entity
        self._lists: dict[str, list[Finding]] = {}
        counts = projection.count_findings()
        self.counts = Counter({c: n for c, n in counts.items() if severity(c) != "nota"})
        for code in [c for c in self.counts if entity is not None or c == "CAD209"]:
            self.counts[code] = len(self.of(code))
        self.counts = +self.counts

    def of(self, code: str) -> list[Finding]:
        """The findings of a code, the most recent lines first; of one id on several lines, one."""
        known = self._lists.get(code)
        if known is None:
            known = sorted(self._projection.findings_of(code), key=self._day_and_id, reverse=True)
            if code == "CAD209":
                known = list({f.ids: f for f in reversed(known)}.values())[::-1]
            if self._about is not None:
                known = [f for f in known if self._is_about(f)]
            self._lists[code] = known
        return known

    def _day_and_id(self, finding: Finding) -> tuple[str, int]:
        fact = _fact(self._projection, finding)
        document = self._projection.documents.get(finding.path)
        day = fact.date if fact is not None else document.day if document is not None else None
        return day or "", (fact.id if fact is not None else None) or 0

    def _is_about(self, finding: Finding) -> bool:
        if finding.code in _UNREAD:
            return True  # nobody knows whom it is about
        fact = _fact(self._projection, finding)
        if fact is None:
            return False
        facts = [fact] if not fact.is_event else [t for _, t in self._projection.targets_of(fact) if t is not None]
        return any(f.subject is not None and self._projection.entity(f.subject) == self._about for f in facts)

    def worded(self) -> list[Finding]:
        """What is said in words: dead premises, conflicts, what takes a line out of this note, then the other errors."""
        first = (_DEAD_PREMISE, _RIVALS, *_TAKEN_AWAY)
        errors = sorted(c for c in self.counts if severity(c) == "erro" and c not in ALMOST and c not in first)
        out: list[Finding] = []
        for code in (*first, *errors):
            if len(out) < MOST and self.counts[code]:
                out += self.of(code)[: MOST - len(out)]
        return out

    def rest(self, told: Counter[str]) -> str:
        """The line that counts the others by kind."""
        left = self.counts - told
        if not left:
            return ""
        almost = sum(left[code] for code in ALMOST)
        kinds = [(almost, _kind("linhas que quase contam", almost))] if almost else []
        others = sorted((c for c in left if c not in ALMOST), key=lambda c: (severity(c) != "erro", -left[c], c))
        kinds += [(left[c], self._only(c) if self.counts[c] == 1 else _kind(by_code()[c].title, left[c])) for c in others]
        shown = " · ".join(text for _, text in kinds[:_KINDS])
        more = sum(n for n, _ in kinds[_KINDS:])
        shown += f" · outros ({more})" if more else ""
        return f"- {f'mais {sum(left.values())}: ' if told else ''}{shown} → `caderneta lint`"

    def _only(self, code: str) -> str:
        finding = self.of(code)[0]
        return f"{by_code()[code].title} ({words(place(finding.path, finding.line), SHORT)})"


def _kind(title: str, number: int) -> str:
    return f"{title} ({number})"


def _fact(projection: Projection, finding: Finding) -> Fact | None:
    """The fact a finding stands at; of a finding at a piece of evidence, the fact it belongs to."""
    fact = projection.at(finding.path, finding.line)
    if fact is None and finding.ids and finding.code == _DEAD_PREMISE:
        fact = next((f for f in projection.with_id(finding.ids[0]) if f.path == finding.path), None)
    return fact


def _line(projection: Projection, finding: Finding) -> Line:
    fact = _fact(projection, finding)
    build = _BUILT.get(finding.code)
    built = build(projection, finding, fact) if build and fact else None
    if built is not None:
        return Line(built, (), 1, finding)
    where = shown_ref(fact) if fact is not None else words(place(finding.path, finding.line), SHORT)
    note = f" · {note_link(projection, fact)}" if fact is not None else ""
    title = by_code()[finding.code].title
    return Line(f"- **{title}** {where} · {message(finding, _particular)}{note}", (), 1, finding)


def _particular(text: str) -> str:
    return words(text, SHORT)


def _dead_premise(projection: Projection, finding: Finding, fact: Fact) -> str | None:
    """The line that holds, what it leans on, when that died and why."""
    cited = next((f for _, f in projection.cited(fact) if _called(f) == finding.args[0]), None)
    cause = projection.status(cited).cause if cited is not None else None
    if cited is None or cause is None:
        return None
    why = f": {words(cause.text, SHORT)}" if cause.text else ""
    day = f" em {finding.args[1]}" if finding.args[1] else ""
    line = item(projection, fact, f"{shown_ref(cited)} caiu{day}{why}", SHORT).text
    return f"- **{by_code()[finding.code].title}** {line[2:]}"


def _rivals(projection: Projection, finding: Finding, fact: Fact) -> str:
    said = []
    for rival in projection.rivals(fact):
        if rival.extra.value != "?":
            when, where = when_and_where(projection, rival)
            source = ", ".join(x for x in (shown_ref(rival), when, where) if x)
            said.append(f"{words(rival.extra.value or '', 60)} ({source})")
    title = "dois valores vivos" if len(said) == 2 else f"{len(said)} valores vivos"
    return f"- **{title}** {subject_link(projection, fact)} {words(fact.extra.key or '', 60)} = " + " ou ".join(said)


def _called(fact: Fact) -> str:
    return f"#{fact.id}" if fact.id is not None else f"{fact.path}:{fact.line}"


_BUILT: dict[str, Callable[[Projection, Finding, Fact], str | None]] = {_DEAD_PREMISE: _dead_premise, _RIVALS: _rivals}
