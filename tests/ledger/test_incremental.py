"""After any sequence of changes, the projection answers what a fresh reading of the same files answers."""

from __future__ import annotations

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from caderneta.format.document import parse
from caderneta.format.values import Document
from caderneta.ledger.index import newest_first
from caderneta.ledger.projection import Projection
from tests.strategies import PATHS, headers, texts_of_files

DAYS = ["2026-07-05", "2026-07-07", "2026-07-08", "2026-07-09", "2026-07-20"]

edit = st.one_of(
    st.tuples(st.sampled_from(PATHS), st.one_of(st.none(), st.tuples(headers, texts_of_files).map("".join))),
    st.tuples(st.just("hoje"), st.sampled_from(DAYS)),
)


def answers(held: Projection) -> dict[str, Any]:
    """Everything the projection says."""
    facts = held.facts()
    keys = list(held.recent_subjects())
    return {
        "facts": [(f.path, f.line, held.number(f)) for f in facts],
        "status": [(f.path, f.line, held.status(f)) for f in facts],
        "verified": [f.line for f in facts if not f.is_event and held.verified(f)],
        "cold": [f.line for f in facts if held.cold(f)],
        "events": [held.events_on(f) for f in facts],
        "cited_by": [held.cited_by(f) for f in facts],
        "open": held.open_tasks(),
        "open_since": held.open_since("2026-07-06"),
        "open_due": held.open_due(),
        "open_entities": held.open_entities(),
        "open_of": [held.open_of(kind) for kind in ("pendencia", "bloqueio")],
        "open_count": [held.open_count(kind) for kind in (None, "pendencia", "bloqueio")],
        "open_about": [held.open_about(k) for k in [*keys, None]],
        "subjects": keys,
        "names": [held.entity_name(k) for k in keys],
        "about": [held.about(k) for k in [*keys, None]],
        "standing": [[held.standing_count(k, kind) for kind in (None, "decisao", "fato")] for k in [*keys, None]],
        "standing_is_what_stands": [held.standing_count(k) == sum(held.stands(f) for f in held.about(k)) for k in [*keys, None]],
        "subject_count": held.subject_count,
        "since": held.since("2026-07-06"),
        "upcoming": held.upcoming(),
        "expired": held.expired(),
        "started": newest_first(held.started("2026-07-04", "2026-07-09")),
        "ending": newest_first(held.ending("2026-07-04", "2026-07-09")),
        "largest": (held.largest_id, held.largest_line_id, held.jumps()),
        "findings": held.findings(),
        "counts": held.count_findings(),
        "by_code": {code: held.findings_of(code) for code in held.count_findings()},
        "rivals": [held.rivals(f) for f in facts],
    }


@given(st.lists(edit, min_size=1, max_size=12))
def test_incremental_equals_from_scratch(edits: list[tuple[str, str | None]]) -> None:
    today = "2026-07-08"
    held = Projection(today=today)
    documents: dict[str, Document] = {}
    for path, text in edits:
        if path == "hoje":
            today = text or today
            held.move_to(today)
        elif text is None:
            documents.pop(path, None)
            held.drop(path)
        else:
            documents[path] = parse(path, text)
            held.put(documents[path])
        answers(held)  # fills every cache, so that what a change fails to reach shows at the next step
    found = answers(held)
    assert found == answers(Projection(today=today, documents=documents.values()))
    assert all(found["standing_is_what_stands"])


@given(st.lists(st.tuples(st.sampled_from(PATHS), texts_of_files), max_size=5, unique_by=lambda x: x[0]), st.randoms())
def test_the_order_of_files_changes_nothing(files: list[tuple[str, str]], random: Any) -> None:
    documents = [parse(path, text) for path, text in files]
    first = answers(Projection(today="2026-07-08", documents=documents))
    random.shuffle(documents)
    assert answers(Projection(today="2026-07-08", documents=documents)) == first
