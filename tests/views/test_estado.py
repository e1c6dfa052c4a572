"""ESTADO.md, section by section: Markdown in, text out."""

from __future__ import annotations

from pathlib import Path

import pytest

from caderneta.format.document import GENERATED, is_generated, parse
from caderneta.ledger.projection import Projection
from caderneta.views.estado import Options, estado_json, sections
from tests.views.reading import TODAY, body, project, text_of
from tests.views.studio import studio

EXAMPLE = Path(__file__).parents[2] / "docs" / "exemplo"

SECTIONS: list[tuple[str, str | dict[str, str], str]] = [
    (
        "uma decisão de hoje",
        "- [14:00] decisao :: [[Sala]] abre em agosto (#1)",
        """
        ## Decisões e mudanças, 7 dias (1)
        - #1 [[2026-07-20]] [[Sala]] abre em agosto

        ## Por assunto (1)
        - já acima: [[Sala]]
        """,
    ),
    (
        "fora do diário e sem número, o lugar e a nota",
        {
            "Sala.md": "- [2026-07-19 14:00] bloqueio :: [[Sala]] sem luz [com:: Ana]",
            "diario/2026/2026-07-20.md": "- decisao :: [[Sala]] x",
        },
        """
        ## Bloqueios (1)
        - Sala.md:1 2026-07-19 [[Sala]] sem luz · com Ana · [[Sala]]

        ## Decisões e mudanças, 7 dias (1)
        - 2026-07-20.md:1 [[2026-07-20]] [[Sala]] x

        ## Por assunto (1)
        - já acima: [[Sala]]
        """,
    ),
    (
        "pendências: atrasadas, as de 30 dias, as outras por assunto",
        {
            "diario/2026/2025-01-02.md": "- pendencia :: [[C]] mais velha (#1)\n- pendencia :: [[C]] velha (#2)\n"
            "- pendencia :: só (#3)",
            "diario/2026/2026-01-02.md": "- pendencia :: [[C]] velha e atrasada [ate:: 2026-07-19] (#4)",
            "diario/2026/2026-06-20.md": "- pendencia :: [[C]] de 30 dias (#5)",
            "diario/2026/2026-06-21.md": "- pendencia :: [[C]] de 29 dias [ate:: 2026-07-20] (#6)",
        },
        """
        ## Pendências (6, 1 atrasada)
        - #4 [[2026-01-02]] [[C]] velha e atrasada · **atrasada** (até 2026-07-19)
        - #6 [[2026-06-21]] [[C]] de 29 dias · até 2026-07-20

        ### Com mais de 30 dias (4)
        - [[C]] 3: #1, #2, #5 · a mais antiga #1 [[2025-01-02]] mais velha
        - #3 [[2025-01-02]] só

        ## Por assunto (2)
        - [[C]] pendência #5 [[2026-06-20]] de 30 dias
        - já acima: o que não tem assunto

        ## Em breve, 14 dias (1)
        - #6 até 2026-07-20 (acima)
        """,
    ),
    (
        "por assunto: valores, o que segura, a decisão que vale",
        {
            "diario/2026/2026-01-02.md": "- decisao :: [[A]] velha (#1)\n- decisao :: [[A]] mais nova (#2)\n"
            "- fato :: [[A]] diária = 900 (#3) [escopo:: noite]\n  - apoia :: contrato\n- verificado :: #3 · vi (#4)\n"
            "- fato :: [[A]] abertura = ? (#5)\n- relacao :: [[A]] -[depende de]-> [[B]] a obra (#6)\n"
            "- observacao :: [[B]] só isto (#7)\n- observacao :: [[A]] depois de tudo (#8)",
        },
        """
        ## Por assunto (2)
        - [[A]] abertura = ?, não se sabe (#5, 2026-01-02) · diária = 900 (#3, 2026-01-02, escopo noite, verificado) · …
        - [[B]] observação #7 [[2026-01-02]] só isto
        """,
    ),
    (
        "o que venceu, o que vem",
        {
            "diario/2026/2026-07-01.md": "- observacao :: [[A]] dólar a 5,10 (#1) [ate:: 2026-07-10]\n"
            "- mudanca :: [[A]] férias (#2) [de:: 2026-07-27]\n- mudanca :: [[A]] longe (#3) [de:: 2026-09-01]",
            "diario/2026/2026-07-25.md": "- decisao :: [[A]] já escrita (#4)",
            "diario/2026/2026-07-26.md": "- supersede :: #4 · mudou (#5)",
        },
        """
        ## A reconfirmar (1)
        - #1 [[2026-07-01]] [[A]] dólar a 5,10 · venceu em 2026-07-10

        ## Em breve, 14 dias (3)
        - #4 [[2026-07-25]] [[A]] já escrita · a partir desse dia
        - #5 [[2026-07-26]] supersede #4: mudou · a partir desse dia
        - #2 [[2026-07-01]] [[A]] férias · a partir de 2026-07-27
        """,
    ),
    (
        "achados: premissa morta, valores em conflito, erros; o resto contado, notas nunca",
        {
            "diario/2026/2026-01-02.md": "- decisao :: [[A]] abre (#1)\n- pendencia :: [[A]] avisar, por #1 (#2)\n"
            "- supersede :: #1 · mofo (#3)\n"
            "- fato :: [[A]] diária = 900 (#4)\n- fato :: [[A]] diária = 980 (#5)\n- supersede :: #99 · nada (#6)\n"
            "- feito :: tudo\n- decisao: quase\n- ~~decisao :: [[A]] riscada (#7)~~\n- observacao :: sem número",
        },
        """
        ## Achados (6)
        - **apoia-se em fato morto** #2 [[2026-01-02]] [[A]] avisar, por #1 · #1 caiu em 2026-01-02: mofo
        - **dois valores vivos** [[A]] diária = 900 (#4, [[2026-01-02]]) ou 980 (#5, [[2026-01-02]])
        - **alvo que não existe** #6 · #99 não existe (o último é #7). O evento não fez nada. · [[2026-01-02]]
        - mais 3: linhas que quase contam (2) · riscada, falta o motivo (2026-01-02.md:9) → `caderneta lint`

        ## Pendências com mais de 30 dias (1)
        - #2 [[2026-01-02]] [[A]] avisar, por #1

        ## Por assunto (2)
        - [[A]] diária = 980 (#5, 2026-01-02) · diária = 900 (#4, 2026-01-02) · decisão #7 [[2026-01-02]] riscada
        - sem assunto observação 2026-01-02.md:10 [[2026-01-02]] sem número
        """,
    ),
]  # fmt: skip


def dedent(text: str) -> str:
    return "\n".join(line[8:] for line in text.strip("\n").split("\n")).rstrip() + "\n"


@pytest.mark.parametrize(("files", "expected"), [case[1:] for case in SECTIONS], ids=[case[0] for case in SECTIONS])
def test_sections(files: str | dict[str, str], expected: str) -> None:
    shown, wanted = body(files).split("\n"), dedent(expected).split("\n")
    for i, line in enumerate(wanted):
        if line.endswith("…"):  # the rest of a long line is another test's business
            shown[i] = shown[i][: len(line) - 1] + "…"
    assert shown == wanted


def test_a_subject_on_one_line() -> None:
    (line,) = [line for line in body(SECTIONS[3][1]).split("\n") if line.startswith("- [[A]]")]
    assert line.partition("verificado)")[2] == (
        " · depende de [[B]]: a obra (#6) · decisão #2 [[2026-01-02]] mais nova · +1 decisão"
    )


def test_the_top_says_the_day_the_ids_and_what_to_do_on_another_day() -> None:
    lines = text_of(project("- decisao :: x (#41)\n- supersede :: #50 · y (#42)")).split("\n")
    assert lines[0] == GENERATED
    assert lines[1].startswith("Retrato do que vale em 2026-07-20, até #42 (próximo: #51). Noutro dia, rode `caderneta estado`.")
    assert "(próximo: #90)" in text_of(project("- decisao :: x (#41)"), Options(next_id=90))


def test_an_empty_vault_says_how_to_begin() -> None:
    text = text_of(project({}))
    assert is_generated(text)
    assert "Ainda não há nada anotado" in text and "diario/2026/2026-07-20.md" in text and "`- decisao :: " in text
    assert parse("diario/2026/2026-07-20.md", text).facts == ()


def test_a_vault_where_nothing_holds_says_so() -> None:
    assert body("- decisao :: x (#1)\n- supersede :: #1 · y (#2)") == "Nada em aberto e nada que valha neste dia.\n"


def test_a_past_day_leaves_out_what_was_to_come() -> None:
    files = "- mudanca :: [[A]] férias (#1) [de:: 2026-07-27]"
    assert "## Em breve" in body(files)
    past = text_of(project(files), Options(past=True))
    assert "## Em breve" not in past and "Retrato do que valia em" in past


def test_one_entity_whole_whatever_the_age() -> None:
    files = {
        "diario/2026/2025-01-02.md": "- decisao :: [[A]] velha (#1)\n- pendencia :: [[A]] antiga (#2)\n"
        "- observacao :: [[A]] nota (#3)\n- fato :: [[A]] k = v (#4)\n- decisao :: [[B]] de outro (#5)\n"
        "- supersede :: #5 · caiu (#6)\n- observacao :: [[A]] conta com #5 (#7)",
    }
    project_ = project(files)
    text = text_of(project_, Options(entity=project_.entity("A")))
    assert "sobre [[A]]" in text and "[[B]]" not in text
    cut = text_of(project_, Options(entity=project_.entity("A"), max_tokens=250))
    assert '`caderneta estado --entidade "A" --max-tokens 1000`' in cut
    for heading in ("Achados (1)", "Pendências (1)", "Decisões e mudanças (1)", "Valores e relações (1)", "O resto que vale (2)"):
        assert f"## {heading}\n- " in text


def test_the_json_has_the_same_facts_and_counts_what_is_left_out() -> None:
    projection = Projection(today=TODAY, documents=studio(TODAY, 40, 20))
    estado = sections(projection, Options(max_tokens=900))
    data = estado_json(projection, estado)
    assert list(data) == ["versao", "data", "secoes", "omitidos", "achados"]
    assert list(data["secoes"]) == ["bloqueios", "pendencias", "decisoes", "fatos", "vencidos", "em_breve"]
    tasks = len(data["secoes"]["bloqueios"]) + len(data["secoes"]["pendencias"])
    assert tasks + data["omitidos"]["bloqueios"] + data["omitidos"]["pendencias"] == 40
    living = [fact for name in ("bloqueios", "pendencias", "decisoes", "fatos") for fact in data["secoes"][name]]
    assert {fact["estado"] for fact in living} == {"vigente"}


def test_the_command_of_a_cut_shows_what_was_cut() -> None:
    projection = Projection(today=TODAY, documents=studio(TODAY, 140, 60, 14))
    text = text_of(projection)
    number = int(text.partition("--max-tokens ")[2].partition("`")[0])
    whole = text_of(projection, Options(max_tokens=number))
    assert "--max-tokens" in text and "--max-tokens" not in whole


def test_the_example_vault_tells_its_story() -> None:
    documents = [parse(str(p.relative_to(EXAMPLE)), p.read_text("utf-8")) for p in sorted(EXAMPLE.rglob("*.md"))]
    text = text_of(Projection(today=TODAY, documents=documents))
    story = (
        "**apoia-se em fato morto** #9 ", "#4 caiu em 2026-07-14: a parede está molhada", "#5 [[2026-07-06]] [[Contador]]",
        "**atrasada** (até 2026-07-15)", "- #2 [[2026-03-11]]", "diária = 980", "abertura = ?, não se sabe", "verificado",
    )  # fmt: skip
    for part in story:
        assert part in text
    for dead in ("diária = 900", "abre em 3 de agosto", "o zumbido é da fonte", "montar a bateria"):
        assert dead not in text
