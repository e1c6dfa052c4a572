"""The JSON of a fact (commands.md) and a fact in one line."""

from __future__ import annotations

import json

from caderneta.checks.rules import message
from caderneta.views.facts import describe, fact_json, finding_json, place
from tests.views.reading import project

VAULT = {
    "Cliente ACME.md": "---\naliases: [ACME]\n---\n",
    "diario/2026/2026-07-09.md": "\n\n- [14:00] decisao :: [[acme]] proposta fechada em 7.350/mês, com [[Ana]] (#41)\n"
    "  - apoia :: ata\n",
    "diario/2026/2026-07-10.md": "- supersede :: #41 · cliente voltou atrás (#58)\n"
    "- relacao :: [[Ana]] -[atende]-> [[ACME]] em 2026 (#59)\n",
}
WANTED = {
    "id": 41, "tipo": "decisao", "data": "2026-07-09", "hora": "14:00", "assunto": "Cliente ACME", "mencoes": ["Ana"],
    "texto": "proposta fechada em 7.350/mês, com [[Ana]]", "estado": "superado",
    "causa": {"id": 58, "motivo": "cliente voltou atrás", "arquivo": "diario/2026/2026-07-10.md", "linha": 1}, "alvos": [],
    "de": None, "ate": None, "por": None, "com": None, "escopo": None, "fontes": [], "chave": None, "valor": None,
    "evidencias": [{"postura": "apoia", "texto": "ata", "linha": 4}], "relacao": None, "verificado": False, "frio": False,
    "riscado": False, "arquivo": "diario/2026/2026-07-09.md", "linha": 3,
}  # fmt: skip


def test_one_shape_in_one_order_absent_is_null() -> None:
    projection = project(VAULT)
    (fact,) = projection.with_id(41)
    assert json.dumps(fact_json(projection, fact)) == json.dumps(WANTED)


def test_an_event_has_targets_and_an_edge_its_two_ends() -> None:
    projection = project(VAULT)
    (event,), (edge,) = projection.with_id(58), projection.with_id(59)
    assert fact_json(projection, event)["alvos"] == [{"id": 41, "arquivo": "diario/2026/2026-07-09.md", "linha": 3}]
    assert fact_json(projection, edge)["relacao"] == {"de": "Ana", "tipo": "atende", "para": "Cliente ACME"}
    missing = project("- supersede :: #9 · x (#10)").with_id(10)[0]
    assert fact_json(project("- supersede :: #9 · x (#10)"), missing)["alvos"] == [{"id": 9, "arquivo": None, "linha": None}]


def test_a_finding_is_a_sentence_and_a_place() -> None:
    (finding,) = [f for f in project("- supersede :: #9 · x (#10)").findings() if f.code == "CAD203"]
    assert finding_json(finding) == {
        "codigo": "CAD203",
        "mensagem": message(finding),
        "arquivo": "diario/2026/2026-07-20.md",
        "linha": 1,
        "ids": [10, 9],
    }


def test_a_fact_in_one_line() -> None:
    projection = project({**VAULT, "x.md": "- pendencia :: \x1b[2Jlimpar\u2028tudo"})
    (decision,), (event,), (edge,) = (projection.with_id(n) for n in (41, 58, 59))
    task = projection.at("x.md", 1)
    assert task is not None
    assert describe(projection, decision, 20) == "#41 2026-07-09 decisão [[Cliente ACME]] proposta fechada em…"
    assert describe(projection, event) == "#58 2026-07-10 supersede #41: cliente voltou atrás"
    assert describe(projection, edge) == "#59 2026-07-10 relação [[Ana]] atende [[Cliente ACME]]: em 2026"
    assert describe(projection, task) == "x.md:1 sem data pendência \ufffd[2Jlimpar tudo"


def test_a_daily_file_is_known_by_its_name() -> None:
    assert place("diario/2026/2026-07-10.md", 7) == "2026-07-10.md:7"
    assert place("entidades/Sala.md", 7) == "entidades/Sala.md:7"
