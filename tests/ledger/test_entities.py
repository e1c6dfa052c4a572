"""Which names are one entity, and which are so alike that somebody should look (§2)."""

from __future__ import annotations

import pytest

from caderneta.format.document import parse
from caderneta.ledger.entities import Entities


def known(*names: str) -> Entities:
    entities = Entities("diario/**/AAAA-MM-DD.md")
    for name in names:
        entities.use(name)
    return entities


@pytest.mark.parametrize(
    ("one", "other"),
    [("C", "C++"), ("avó", "avô"), ("Cliente ACME", "Cliente Acmé"), ("ACME", "ACME 12"), ("Sala A", "Sala B"), ("coco", "cocô")],
)
def test_different_names_are_different_entities(one: str, other: str) -> None:
    entities = known(one, other)
    assert entities.key(one) != entities.key(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Cliente ACME", "cliente acme"),
        ("Padaria São João", "Padaria Sa\u0303o Joa\u0303o"),
        ("Cliente ACME", "\u200bCliente  ACME"),
        ("☎\ufe0f Suporte", "☎ Suporte"),
        ("Cliente ACME", "clientes/Cliente ACME"),
        ("Cliente ACME", "Cliente ACME.md"),
    ],
)
def test_one_entity_under_two_spellings(one: str, other: str) -> None:
    entities = known(one, other)
    assert entities.key(one) == entities.key(other)


@pytest.mark.parametrize(
    ("name", "near"),
    [
        ("Cliente Acmé", ["cliente acme"]),
        ("Clente ACME", ["cliente acme"]),
        ("12 - Cliente ACME", ["cliente acme"]),
        ("Cliente-ACME", ["cliente acme"]),
        ("Sala C", []),
        ("Turma 2026", []),
        ("ACME 13", []),
        ("Outro", []),
    ],
)
def test_near_misses(name: str, near: list[str]) -> None:
    assert known("Cliente ACME", "Sala A", "Turma 2025", "ACME 12").similar(name) == near


def test_two_notes_of_one_name_are_told_apart_by_path_and_a_bare_link_is_ambiguous() -> None:
    entities = known("Beta", "clientes/Beta", "fornecedores/Beta")
    for path in ("clientes/Beta.md", "fornecedores/Beta.md"):
        entities.add(parse(path, "nota"))
    assert len({entities.key(name) for name in ("Beta", "clientes/Beta", "fornecedores/Beta")}) == 3
    assert [f.code for f in entities.findings()] == ["CAD307"]
    assert entities.claimants("beta") == ["clientes/Beta.md", "fornecedores/Beta.md"]
    assert entities.claimants("clientes/Beta") == []
    assert entities.note_path(entities.key("clientes/Beta")) == "clientes/Beta"


def test_an_alias_is_its_note_unless_claimed_twice_and_a_note_s_own_name_wins() -> None:
    entities = known("G", "Gama")
    entities.add(parse("Cliente ACME.md", "---\naliases: [ACME]\n---\n"))
    entities.add(parse("Delta.md", "---\naliases: [G, Gama]\n---\n"))
    entities.add(parse("Gama.md", "---\naliases: G\n---\n"))
    assert entities.key("acme") == "cliente acme"
    assert entities.key("Gama") == "gama"
    assert entities.key("G") == "g"
    assert [f.code for f in entities.findings()] == ["CAD308"]
