"""The generated vaults: the same bytes every time, and exactly what their manifest says."""

from __future__ import annotations

from collections import Counter
from datetime import date
from pathlib import Path

import pytest

from bench.gerador import Manifest, generate
from caderneta.format.document import parse
from caderneta.format.values import OWN_SUBJECT
from caderneta.ledger.projection import Projection

FACTS = 6000


@pytest.fixture(scope="module")
def vault(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Manifest]:
    root = tmp_path_factory.mktemp("medir") / "cofre"
    return root, generate(root, FACTS)


@pytest.fixture(scope="module")
def projection(vault: tuple[Path, Manifest]) -> Projection:
    root, manifest = vault
    return Projection(today=manifest.last_day, documents=[parse(path, text) for path, text in _texts(root).items()])


def _texts(root: Path) -> dict[str, str]:
    return {path.relative_to(root).as_posix(): path.read_bytes().decode() for path in sorted(root.rglob("*.md"))}


def test_same_arguments_give_the_same_bytes(vault: tuple[Path, Manifest], tmp_path: Path) -> None:
    again = generate(tmp_path / "outro", FACTS)
    assert again == vault[1]
    assert _texts(tmp_path / "outro") == _texts(vault[0])


def test_another_seed_gives_another_vault(vault: tuple[Path, Manifest], tmp_path: Path) -> None:
    generate(tmp_path / "outro", FACTS, seed=12)
    assert _texts(tmp_path / "outro") != _texts(vault[0])


def test_the_reader_finds_what_was_written(vault: tuple[Path, Manifest], projection: Projection) -> None:
    manifest = vault[1]
    facts = projection.facts()
    assert len(facts) == manifest.facts == FACTS
    assert dict(sorted(Counter(fact.type for fact in facts).items())) == manifest.types
    assert projection.largest_id == manifest.largest_id
    assert projection.count_findings()["CAD116"] == manifest.traps > 0
    assert projection.count_findings()["CAD108"] == manifest.almost > 0


def test_the_fold_says_what_the_story_says(vault: tuple[Path, Manifest], projection: Projection) -> None:
    manifest = vault[1]
    states = Counter(projection.status(fact).state for fact in projection.facts())
    assert {name: states[name] for name in manifest.states} == manifest.states
    assert sum(states.values()) == FACTS
    assert len(projection.open_tasks()) == manifest.open_tasks > 0
    assert all(count > 0 for count in manifest.states.values())


def test_events_aim_at_what_exists_is_earlier_and_could_be_acted_on(projection: Projection) -> None:
    serious = {"CAD201", "CAD202", "CAD203", "CAD204", "CAD205", "CAD206", "CAD208", "CAD209", "CAD211", "CAD217", "CAD224"}
    assert serious.isdisjoint(projection.count_findings())
    undone = [fact for fact in projection.facts() if fact.type == "resolvido" and not projection.stands(fact)]
    assert undone, "some task is reopened"


def test_days_end_where_asked_and_have_their_size(vault: tuple[Path, Manifest]) -> None:
    root, manifest = vault
    days = sorted((root / "diario").rglob("*.md"))
    assert len(days) == manifest.files
    assert days[-1].stem == manifest.last_day
    assert (date.fromisoformat(manifest.last_day) - date.fromisoformat(days[0].stem)).days == len(days) - 1
    sizes = [path.read_bytes().count(b"\n") for path in days[1:]]  # the oldest day gets what is left over
    assert all(50 <= size <= 300 for size in sizes)


def test_there_is_something_of_everything(vault: tuple[Path, Manifest], projection: Projection) -> None:
    manifest = vault[1]
    facts = projection.facts()
    assert 0.08 < sum(fact.is_event for fact in facts) / FACTS < 0.14
    assert any(fact.extra.key for fact in facts)
    assert any(fact.extra.relation for fact in facts)
    assert any(fact.extra.evidence for fact in facts)
    assert any(fact.is_task and fact.extra.end for fact in facts)
    assert any(fact.id is None for fact in facts)
    assert any(fact.subject and not fact.flags & OWN_SUBJECT for fact in facts), "a subject from a heading"
    assert any(projection.verified(fact) for fact in facts)
    assert sum(path.read_bytes().count(b"\n```\n") > 0 for path in vault[0].rglob("*.md")) > manifest.files / 4
    assert any("\r\n" in text for text in _texts(vault[0]).values())
