"""Search: whatever is typed is words, and what holds is never hidden by what fell (R04, R51, R53)."""

from __future__ import annotations

import pytest

from caderneta.format.document import parse
from caderneta.ledger.projection import Projection
from caderneta.vault.plural import variants
from caderneta.vault.search import Filters, Index, read_query

TODAY = "2026-07-20"
EVERYTHING = Filters()

R51 = """
- [10:00] decisao :: [[Cliente ACME]] proposta fechada em 7.350/mês (#41)
- [10:05] observacao :: reunião pré-venda com João d'Ávila (#42)
- [10:10] observacao :: São João, Conceição (#43)
- [10:15] observacao :: TI e RH alinhados, IA só depois (#44)
- [10:20] observacao :: declarações enviadas à contadora (#45)
- [10:25] observacao :: declaração retificada (#46)
- [10:30] observacao :: linguagem C++ no item #41 por R$ 7.350,00 (#47)
- [10:35] observacao :: Økland de Łódź visitou (#48)
- [10:40] observacao :: bar caffè da esquina (#49)
- [10:45] observacao :: avó e avô confirmaram; coco e cocô são palavras distintas (#50)
"""


def index(text: str, path: str = "diario/2026/2026-07-09.md", today: str = TODAY) -> Index:
    return Index(Projection(today=today, documents=[parse(path, text)]))


def ids(found: Index, query: str, filters: Filters = EVERYTHING, limit: int = 20) -> list[int | None]:
    return [fact.id for fact in found.search(query, filters, limit).hits]


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("pré-venda", [42]),
        ("pre venda", [42]),
        ("PRÉ-VENDAS", [42]),
        ("d'Ávila", [42]),
        ("avila", [42]),
        ("C++", [47]),
        ("c", []),
        ("#41", [41, 47]),
        ("(#41)", [41, 47]),
        ("41", [41, 47]),
        ("7.350", [41, 47]),
        ("7350", [41, 47]),
        ("R$ 7.350,00", [41, 47]),
        ("350", []),
        ("TI", [44]),
        ("rh", [44]),
        ("ia ti", [44]),
        ("declaração", [45, 46]),
        ("declarações", [45, 46]),
        ("dec*", [45, 46]),
        ("[[Cliente ACME]]", [41]),
        ("Cliente ACME\\", [41]),
        ("acme proposta", [41]),
        ('"proposta fechada"', [41]),
        ('"fechada proposta"', []),
        ("okland lodz", [48]),
        ("caffe", [49]),
        ("avô", [50]),
        ("Sa\u0303o Joa\u0303o", [43]),
        ("^a", [45]),
    ],
)
def test_what_a_query_finds(query: str, expected: list[int]) -> None:
    found = index(R51).search(query)
    assert not found.loose
    hits = [fact.id for fact in found.hits]
    assert sorted(hits, key=str) == expected
    assert "41" not in query or hits[0] == 41


@pytest.mark.parametrize(
    "query", ["", " ", '"', "(", ")", "*", "+", "-", "--", "%", "_", "·", "[[]]", "#", "''", "\x00", "\u200b"]
)
def test_nothing_to_look_for(query: str) -> None:
    assert read_query(query) == []
    assert index(R51).search(query) == ((), 0, False, 0, 0)


@pytest.mark.parametrize(
    "query",
    [
        "AND",
        "OR",
        "NEAR",
        "NEAR(",
        "col:x",
        "decisao:",
        '"aberta',
        "; DROP TABLE fact",
        "🙂",
        "e" * 4000,
        "x " * 4000,
        "\x00x",
        "a\ud800",
    ],
)
def test_nothing_typed_is_syntax(query: str) -> None:
    index(R51).search(query)


def test_any_word_when_none_has_all() -> None:
    found = index(R51).search("NOT proposta")
    assert found.loose and [fact.id for fact in found.hits] == [41]


PLURALS = [
    "decisão/decisões",
    "animal/animais",
    "fácil/fáceis",
    "contrato/contratos",
    "órgão/órgãos",
    "papel/papéis",
    "flor/flores",
    "mês/meses",
    "luz/luzes",
    "irmão/irmãos",
    "pão/pães",
    "capitão/capitães",
    "bem/bens",
    "item/itens",
    "funil/funis",
    "lençol/lençóis",
    "azul/azuis",
    "lei/leis",
    "base/bases",
    "nota/notas",
    "móvel/móveis",
    "fuzil/fuzis",
    "valor/valores",
    "vez/vezes",
    "país/países",
]


@pytest.mark.parametrize("pair", PLURALS)
def test_plurals_both_ways(pair: str) -> None:
    one, many = pair.split("/")
    found = index(f"- observacao :: {one} (#1)\n- observacao :: {many} (#2)\n- observacao :: outra coisa (#3)\n")
    assert sorted(ids(found, one), key=str) == sorted(ids(found, many), key=str) == [1, 2]


@pytest.mark.parametrize("word", ["ti", "rh", "41", "os", "c++"])
def test_short_words_and_numbers_stand_alone(word: str) -> None:
    assert variants(word) == (word,)


def test_thirty_dead_hits_cannot_hide_a_living_one() -> None:
    dead = "".join(f"- decisao :: proposta fechada (#{n})\n- supersede :: #{n} · caiu (#{n + 100})\n" for n in range(2, 32))
    found = index("- decisao :: [[Outro]] uma proposta bem mais longa, com muitas palavras em volta (#1)\n" + dead)
    assert ids(found, "proposta", Filters(standing=True), 5) == [1]
    assert ids(found, "proposta", limit=1) == [1]
    assert found.search("proposta", limit=5).total == 31


def test_what_fell_is_behind_what_holds_and_retired_out_of_sight() -> None:
    text = (
        "- decisao :: usa o banco Alfa (#1)\n- decisao :: usa o banco Beta (#2)\n- supersede :: #1 · trocou (#3)\n"
        "- decisao :: banco Gama (#4)\n- aposentado :: #4 · fora (#5)\n"
    )
    assert ids(index(text), "banco") == [2, 1]
    assert sorted(ids(index(text), "banco", Filters(cold=True)), key=str) == [1, 2, 4]
    assert ids(index(text), "banco", Filters(standing=True)) == [2]


def test_filters_by_type_and_entity() -> None:
    text = (
        "- decisao :: [[A]] proposta (#1)\n- pendencia :: [[B]] proposta de [[A]] (#2)\n- pendencia :: [[C]] proposta (#3)\n"
        "- resolvido :: #1 · proposta assinada (#4)\n- relacao :: [[D]] -[usa]-> [[A]] proposta (#5)\n"
    )
    found = index(text)
    assert ids(found, "proposta", Filters(type="pendencia")) == [3, 2]
    assert sorted(ids(found, "proposta", Filters(entity=found.held.entity("A"))), key=str) == [1, 2, 4, 5]


def test_states_are_those_of_the_day_asked() -> None:
    text = "- [2026-07-01] decisao :: proposta (#1)\n- [2026-07-10] supersede :: #1 · caiu (#2)\n"
    assert ids(index(text, today="2026-07-09"), "proposta", Filters(standing=True)) == [1]
    assert ids(index(text), "proposta", Filters(standing=True)) == []


def test_fields_evidence_and_edges_are_found() -> None:
    text = (
        "- fato :: [[Fjord]] banco = SQLite (#1) [escopo:: produção] [por:: Bia]\n  - apoia :: [[Ata]] migramos ontem\n"
        "- relacao :: [[Estúdio]] -[depende de]-> [[Selo Baião]] (#2)\n"
    )
    found = index(text)
    for query, expected in (("produção", 1), ("bia", 1), ("migramos", 1), ("sqlite", 1), ("baião", 2), ("depende", 2)):
        assert ids(found, query) == [expected]


def test_what_is_kept_out_of_sight_is_counted() -> None:
    text = (
        "- decisao :: banco Alfa (#1)\n- decisao :: banco Beta (#2)\n- pendencia :: banco Gama (#3)\n"
        "- aposentado :: #2 · fora (#4)\n"
        "- resolvido :: #3 · feito (#5)\n- sintese :: #3 · resumo (#6)\n"
    )
    assert index(text).search("banco")[1:] == (1, False, 1, 1)
    assert index(text).search("banco", limit=1)[1:] == (1, False, 1, 1)
    assert index(text).search("banco", Filters(cold=True))[1:] == (3, False, 0, 0)
    assert index(text).search("banco", Filters(standing=True))[1:] == (1, False, 0, 0)
    assert index(text).search("Beta") == ((), 0, False, 1, 0)
    assert index(text).search("Alfa Beta")[1:] == (1, True, 1, 0)
