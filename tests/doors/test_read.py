"""`ver`, `buscar`, `estado`, `lint`, `exportar`: what they say, in which shape, and how they end."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.doors.conftest import DAY, Cad

Write = Callable[..., Path]
ROOT = Path(__file__).parents[2]


@pytest.fixture
def example(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    shutil.copytree(ROOT / "docs/exemplo", tmp_path / "exemplo")
    monkeypatch.chdir(tmp_path / "exemplo")
    return tmp_path / "exemplo"


# --- ver ------------------------------------------------------------------------------------------------------------------

CHAIN = (
    "- decisao :: [[A]] valor 10 (#1)\n- supersede :: #1 · mudou (#2)\n- supersede :: #2 · não mudou (#3)\n"
    "- pendencia :: [[A]] conferir #1 (#4)\n"
)


def test_ver_shows_everything_that_aimed_alive_or_dead(write: Write, cad: Cad) -> None:
    write(CHAIN)
    answer = cad("ver", "1")
    assert "estado: vigente" in answer.out
    assert "#2 2026-07-20 supersede #1: mudou ⊘ superado por #3: não mudou" in answer.out
    assert "#4" in answer.out.partition("citada por:")[2]
    assert cad("porque", "#1").out == answer.out
    assert "mira:\n    #1" in cad("ver", "(#2)").out and "miram nela:\n    #3" in cad("ver", "2").out


def test_ver_shows_events_that_could_not_act(write: Write, cad: Cad) -> None:
    write("- decisao :: x (#1)\n- resolvido :: #1 · feito (#2)\n")
    answer = cad("ver", "1")
    assert "estado: vigente" in answer.out and "sem poder agir:\n    #2" in answer.out


def test_ver_json_holds_the_same(write: Write, cad: Cad) -> None:
    write(CHAIN)
    whole = json.loads(cad("ver", "1", "--json").out)
    (line,) = whole["linhas"]
    assert whole["versao"] == 1 and line["fato"]["estado"] == "vigente"
    assert [e["estado"] for e in line["eventos"]] == ["superado"]
    assert [f["id"] for f in line["citado_por"]] == [4]


def test_ver_of_an_unknown_id(write: Write, cad: Cad) -> None:
    write("- decisao :: x (#7)\n- supersede :: #99 · y (#8)\n")
    answer = cad("ver", "99")
    assert (answer.code, answer.out) == (3, "") and "#99 não existe (o último é #8)." in answer.err


def test_ver_of_an_ambiguous_id_shows_every_line(write: Write, cad: Cad) -> None:
    write("- decisao :: x (#1)\n- decisao :: y (#1)\n")
    answer = cad("ver", "1")
    assert answer.code == 0 and f"{DAY}:1" in answer.out and f"{DAY}:2" in answer.out and "renumerar" in answer.out
    assert len(json.loads(cad("ver", "1", "--json").out)["linhas"]) == 2


def test_ver_says_whose_place_a_fact_took(example: Path, cad: Cad) -> None:
    answer = cad("ver", "18")
    assert (
        "no lugar de:\n    #1 2026-03-11 fato [[Sala A]] diária = 900 ⊘ superado por #19: o aluguel subiu em julho" in answer.out
    )
    assert "apoia: [[Contrato do Jabuti]]" in cad("ver", "8").out


@pytest.mark.parametrize("word", ["abc", "#", "4x", "0", "-", "9999999999", "４１"])
def test_what_is_no_number(write: Write, cad: Cad, word: str) -> None:
    answer = cad("ver", word)
    assert answer.code == 2 and "caderneta ver 41" in answer.err


# --- buscar ---------------------------------------------------------------------------------------------------------------


def test_buscar_shows_the_state_beside_each_hit(write: Write, cad: Cad) -> None:
    write(
        "- decisao :: [[A]] banco Alfa (#1)\n- supersede :: #1 · trocou (#2)\n- decisao :: [[A]] banco Beta (#3)\n"
        "- pendencia :: banco avisar (#4)\n- resolvido :: #4 (#5)\n"
    )
    lines = cad("buscar", "banco").lines
    assert lines[0].startswith("#3 ")
    assert any("⊘ superado por #2: trocou" in line for line in lines)
    assert any("✓ resolvido por #5" in line for line in lines)
    assert [line[:2] for line in cad("buscar", "banco", "--vigente").lines] == ["#3"]
    assert [line[:2] for line in cad("buscar", "bancos", "--tipo", "decisão", "--limite", "1").lines] == ["#3"]


@pytest.mark.parametrize("words", [[""], ["   "], ["()"], ["--", "-"], ["*"], ["zebra"], ["--", "--json"]])
def test_buscar_with_nothing_to_show_ends_in_1(write: Write, cad: Cad, words: list[str]) -> None:
    write("- decisao :: x (#1)\n")
    answer = cad("buscar", *words)
    assert (answer.code, answer.out) == (1, "") and answer.err


def test_buscar_says_when_any_word_had_to_do(write: Write, cad: Cad) -> None:
    write("- decisao :: banco Alfa (#1)\n")
    answer = cad("buscar", "banco", "Beta")
    assert answer.code == 0 and "alguma" in answer.err
    assert json.loads(cad("buscar", "banco", "Beta", "--json").out)["qualquer_palavra"] is True


def test_buscar_refuses_unknown_filters(write: Write, cad: Cad) -> None:
    write("- decisao :: [[Cliente ACME]] x (#1)\n")
    assert cad("buscar", "x", "--tipo", "decizao").code == 4
    answer = cad("buscar", "x", "--entidade", "Cliente Acmé")
    assert answer.code == 3 and "Cliente ACME" in answer.err
    assert cad("buscar", "x", "--entidade", "[[cliente acme]]").code == 0
    assert cad("buscar", "x", "--limite", "0").code == 2
    assert cad("buscar", "x", "--em", "amanhã").code == 2


def test_buscar_hints_at_what_was_retired(write: Write, cad: Cad) -> None:
    write("- decisao :: zebra (#1)\n- aposentado :: #1 · fora (#2)\n")
    answer = cad("buscar", "zebra")
    assert answer.code == 1 and "--incluir-frios" in answer.err
    assert "⌁ aposentado por #2: fora" in cad("buscar", "zebra", "--incluir-frios").out


# --- estado ---------------------------------------------------------------------------------------------------------------


def test_estado_prints_what_it_writes(example: Path, cad: Cad) -> None:
    printed = cad("estado")
    assert printed.code == 0 and "#33" in printed.out
    assert cad("estado", "--gravar").code == 0
    assert (example / "ESTADO.md").read_text(encoding="utf-8") == printed.out
    assert "já estava em dia" in cad("estado", "--gravar").err


def test_estado_on_another_day_and_of_one_entity(example: Path, cad: Cad) -> None:
    assert "abre em 3 de agosto" in cad("estado", "--em", "2026-07-10").out
    about = cad("estado", "--entidade", "Jabuti").out
    assert "[[Selo Jabuti]]" in about and "Contador" not in about
    assert cad("estado", "--entidade", "Ninguém").code == 3
    assert cad("estado", "--gravar", "--em", "2026-07-10").code == 2
    assert json.loads(cad("estado", "--json", "--em", "10/07/2026").out)["data"] == "2026-07-10"


def test_estado_never_writes_over_somebody_s_file(write: Write, vault: Path, cad: Cad) -> None:
    (vault / "ESTADO.md").write_text("meu\n", encoding="utf-8")
    answer = cad("estado", "--gravar")
    assert answer.code == 5 and (vault / "ESTADO.md").read_text(encoding="utf-8") == "meu\n"


def test_dead_facts_do_not_come_back(write: Write, cad: Cad) -> None:
    write("- decisao :: [[X]] o banco Alfa (#41)\n- decisao :: [[X]] o banco Beta (#57)\n- supersede :: #41 · trocou (#58)\n")
    assert "Alfa" not in cad("estado").out and "Beta" in cad("estado").out
    assert cad("buscar", "banco").lines[0].startswith("#57")


# --- lint -----------------------------------------------------------------------------------------------------------------


def test_lint_says_where_and_ends_in_1_on_an_error(write: Write, cad: Cad) -> None:
    write("- [2026-02-30] decisao :: x (#1)\n- supersede :: #1 (#2)\n")
    answer = cad("lint")
    assert answer.code == 1
    assert answer.lines[0].startswith(f"{DAY}:1:1: CAD101 erro: ")
    assert "1 erro, 1 aviso." in answer.err
    assert cad("lint", "--ignorar", "CAD1").code == 0
    assert cad("lint", "--ignorar", "CAD1", "--rigor").code == 1
    assert [f["codigo"] for f in json.loads(cad("lint", "--formato", "json", "--selecionar", "CAD207,CAD101").out)] == [
        "CAD101",
        "CAD207",
    ]
    assert cad("lint", "--selecionar", "CAD999").code == 2


def test_lint_of_some_files(write: Write, cad: Cad, vault: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write("- decizao :: x\n- [10:00] decizao :: x\n")
    write("- [10:00] decizao :: x\n", "diario/2026/2026-07-19.md")
    one = cad("lint", "diario/2026/2026-07-19.md")
    assert one.code == 1 and {line.partition(":")[0] for line in one.lines} == {"diario/2026/2026-07-19.md"}
    monkeypatch.chdir(vault / "diario")
    assert cad("lint", "2026/2026-07-19.md").out == one.out
    assert len(cad("lint", "2026").lines) == 2
    gone = cad("lint", "2026/2026-07-18.md")
    assert gone.code == 0 and "não existe" in gone.err
    assert cad("lint", "/etc/hosts").code == 2


def test_lint_puts_lines_without_number_together(write: Write, cad: Cad) -> None:
    write("- decisao :: a (#1)\n- decisao :: b\n- decisao :: c\n- decizao ::\n- decisao :: d\n- decisao :: e\n")
    write("- [2026-07-01] decisao :: f\n", "notas/a b.md")
    answer = cad("lint")
    assert answer.lines == [
        f"{DAY}: CAD119 nota: 4 linhas sem número (2, 3, 5…): caderneta numerar {DAY}",
        "notas/a b.md: CAD119 nota: 1 linha sem número (1): caderneta numerar 'notas/a b.md'",
    ]
    assert answer.err == "5 notas.\n"
    assert cad("lint", "--selecionar", "CAD1").out == answer.out
    assert len(cad("lint", "--selecionar", "CAD119").lines) == 5
    assert len(json.loads(cad("lint", "--formato", "json").out)) == 5


def test_the_next_step_is_a_command_that_can_be_run(write: Write, cad: Cad) -> None:
    write(
        "- fato :: [[A]] x = 1 (#3)\n- fato :: [[A]] x = 2 (#5)\n- decisao :: fechar\n  a sala (#6)\n"
        "- supersede :: #3 x #5 (#7)\n"
        "- supersede :: #3abc · y (#8)\n- supersede :: #3  - #5 (#9)\n- [10:00] compra :: pão\n- [10:00] decizao :: z\n"
    )
    said = {line.split(" ", 2)[0].split(":")[1]: line for line in cad("lint").lines}
    assert said["1"].endswith('Escolha o que não vale: caderneta superar 3 "motivo" ou caderneta superar 5 "motivo"')
    assert said["3"].endswith("foi lida como uma só. Junte tudo numa linha.")
    assert 'Entre os alvos e o motivo falta o "·"' in said["5"]
    assert 'Não deu para entender o alvo "#3abc"' in said["6"]
    assert "Um intervalo não é alvo: escreva #3, #4, #5." in said["7"]
    assert "Os tipos são: decisao, " in said["8"] and 'tipos: ["compra"]' in said["8"] and "Quis dizer" not in said["8"]
    assert 'Quis dizer "decisao"?' in said["9"]


def test_two_values_without_a_number_need_one_first(write: Write, cad: Cad) -> None:
    write("- fato :: [[A]] x = 1\n- fato :: [[A]] x = 2 (#5)\n")
    assert "caderneta numerar" in next(line for line in cad("lint").lines if "CAD218" in line)


def test_lint_of_a_clean_vault(write: Write, cad: Cad) -> None:
    write("- [10:00] decisao :: [[A]] x (#1)\n")
    assert cad("lint") == (0, "", "Nada a apontar.\n")


def test_lint_shows_its_rules(vault: Path, cad: Cad) -> None:
    from caderneta.checks.rules import RULES

    assert [line.split()[0] for line in cad("lint", "--regras").lines] == [rule.code for rule in RULES]
    assert len(json.loads(cad("lint", "--regras", "--formato", "json").out)) == len(RULES)


# --- exportar, numerar, renumerar -----------------------------------------------------------------------------------------


def test_exportar_prints_a_fact_a_line_in_order(write: Write, cad: Cad) -> None:
    write("- decisao :: sem número\n- supersede :: #1 · x (#2)\n- decisao :: [[A]] um \u2028 dois (#1)\n")
    lines = cad("exportar", "--formato", "jsonl").out.split("\n")[:-1]
    assert [json.loads(line)["id"] for line in lines] == [1, 2, None]
    assert "\\u2028" in lines[0] and json.loads(lines[0])["estado"] == "superado"


def test_numerar_and_renumerar(write: Write, cad: Cad) -> None:
    day = write(
        "- decisao :: a\n- decisao :: b (#5) resto\n- decisao :: c (#7)\n- decisao :: d (#7)\n- supersede :: #7 · x (#9)\n"
    )
    answer = cad("numerar")
    assert answer.lines == [f"#10 {DAY}:1"] and f"{DAY}:2 ficou sem número" in answer.err
    assert cad("numerar").lines == []
    answer = cad("renumerar", f"{DAY}:4")
    assert answer.lines == [f"#11 {DAY}:4"] and f"#7 vale para {DAY}:3" in answer.err
    assert day.read_text(encoding="utf-8").splitlines()[2:4] == ["- decisao :: c (#7)", "- decisao :: d (#11)"]
    assert cad("renumerar", f"{DAY}:4").code == 2
    assert cad("renumerar", f"{DAY}:99").code == 3
    assert cad("renumerar", f"{DAY}:2").code == 2
    assert cad("renumerar", DAY).code == 2


def test_a_file_by_its_name_alone(write: Write, cad: Cad, vault: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    day = write("- decisao :: a (#7)\n- decisao :: b (#7)\n- decisao :: c\n")
    shown = cad("lint").lines[0].rpartition(" ")[2]
    assert shown == "2026-07-20.md:2"
    monkeypatch.chdir(vault / "diario")
    assert cad("renumerar", shown).lines == [f"#8 {DAY}:2"]
    assert cad("lint", "2026-07-20.md").lines == [f"{DAY}: CAD119 nota: 1 linha sem número (3): caderneta numerar {DAY}"]
    assert cad("numerar", "2026-07-20.md").lines == [f"#9 {DAY}:3"]
    other = write("- decisao :: a (#7)\n", "arquivo/2026-07-20.md")
    before = day.read_bytes(), other.read_bytes()
    for words in (["renumerar", "2026-07-20.md:1"], ["numerar", "2026-07-20.md"], ["lint", "2026-07-20.md"]):
        answer = cad(*words)
        assert answer.code == 2 and "arquivo/2026-07-20.md" in answer.err and DAY in answer.err
    assert (day.read_bytes(), other.read_bytes()) == before
    assert "não existe" in cad("lint", "2026-07-21.md").err


def test_numerar_some_files(write: Write, cad: Cad) -> None:
    write("- decisao :: a\n")
    other = write("- decisao :: b\n", "notas/b.md")
    assert cad("numerar", "notas").lines == ["#1 notas/b.md:1"]
    assert other.read_text(encoding="utf-8") == "- [2026-07-20] decisao :: b (#1)\n"


def test_numerar_dates_numbered_lines_too(write: Write, cad: Cad) -> None:
    note = write("- decisao :: b (#1)\n", "notas/b.md")
    assert cad("numerar").lines == ["data de hoje notas/b.md:1"]
    assert note.read_text(encoding="utf-8") == "- [2026-07-20] decisao :: b (#1)\n"


@pytest.mark.parametrize("words", [["numerar", "nada.md"], ["numerar", DAY, "nada.md"], ["renumerar", "nada.md:1"]])
def test_a_file_that_is_not_there_cannot_be_numbered(write: Write, cad: Cad, words: list[str]) -> None:
    day = write("- decisao :: a\n")
    assert cad(*words) == (5, "", "nada.md não existe. Nada foi escrito.\n")
    assert day.read_text(encoding="utf-8") == "- decisao :: a\n"


def test_what_is_no_note_cannot_be_numbered(write: Write, cad: Cad) -> None:
    write("x\n", "lista.txt")
    cad("estado", "--gravar")
    for name in ("lista.txt", "ESTADO.md"):
        assert cad("numerar", name) == (2, "", f"{name} não é uma nota do cofre: nada nela conta. Nada foi escrito.\n")


@pytest.mark.parametrize(
    "words",
    [
        ("ver", "1"),
        ("buscar", "preco"),
        ("exportar", "--formato", "jsonl"),
        ("superar", "1", "caiu"),
        ("estado", "--entidade", "A"),
    ],
    ids=lambda words: words[0],
)
def test_a_file_that_cannot_be_read_is_never_silence(write: Write, vault: Path, cad: Cad, words: tuple[str, ...]) -> None:
    write("- decisao :: [[A]] preco fechado (#1)\n", "diario/2026/2026-07-10.md")
    (vault / "diario/2026/2026-07-12.md").write_bytes(b"- supersede :: #1 \xb7 caiu (#2)\n")
    answer = cad(*words)
    assert "2026-07-12.md" in answer.out + answer.err


def test_numerar_does_not_call_an_unreadable_file_done(write: Write, vault: Path, cad: Cad) -> None:
    write("- decisao :: a (#1)\n")
    (vault / "diario/2026/2026-07-12.md").write_bytes(b"- decisao :: pre\xe7o\n")
    assert cad("numerar", "diario/2026/2026-07-12.md").code == 5


def test_what_already_fell_is_not_traded_again(write: Write, cad: Cad) -> None:
    day = write("- decisao :: um (#1)\n")
    assert cad("trocar", "1", "dois", "--motivo", "m").code == 0
    before = day.read_bytes()
    answer = cad("trocar", "1", "três", "--motivo", "m")
    assert answer.code == 2 and "#1 já não vale: foi superado por #3" in answer.err
    assert day.read_bytes() == before


def test_numerar_leaves_a_copy_a_copy(write: Write, cad: Cad) -> None:
    write("- pendencia :: pagar o aluguel (#9)\n", "diario/2026/2026-07-10.md")
    write("- pendencia :: pagar o aluguel (#9)\n", "Projeto.md")
    answer = cad("numerar")
    assert (answer.code, answer.out) == (0, "")
    assert "Projeto.md:1 ficou sem data: outra linha tem o mesmo número" in answer.err
    assert "#9 [[2026-07-10]] pagar o aluguel" in cad("estado").out


def test_what_numerar_wrote_before_a_refusal_is_told(write: Write, cad: Cad) -> None:
    first = write("- [2026-07-01] decisao :: a\n", "notas/a.md")
    second = write("- [2026-07-01] decisao :: b\n", "notas/b.md")
    write("- decisao :: quase o último (#999999998)\n")
    answer = cad("numerar")
    assert (answer.code, answer.out) == (2, "#999999999 notas/a.md:1\n") and "Os números acabaram" in answer.err
    assert "#999999999" in first.read_text(encoding="utf-8") and "#" not in second.read_text(encoding="utf-8")


def test_the_smallest_portrait(write: Write, cad: Cad) -> None:
    write("- decisao :: x (#1)\n")
    assert cad("estado", "--max-tokens", "600").code == 0
    for few in ("599", "1", "0", "-5"):
        answer = cad("estado", f"--max-tokens={few}")
        assert (answer.code, answer.out) == (2, "") and answer.err.endswith("em --max-tokens. O mínimo é 600.\n")


LEFT_OUT = (
    "- decisao :: zebra um (#1)\n- decisao :: zebra dois (#2)\n- pendencia :: zebra três (#3)\n"
    "- observacao :: zebra quatro (#4)\n"
    "- aposentado :: #1, #2 · fora (#5)\n- resolvido :: #3 · feito (#6)\n- sintese :: #3 · resumo (#7)\n"
)


def test_buscar_counts_what_it_leaves_out(write: Write, cad: Cad) -> None:
    write(LEFT_OUT)
    answer = cad("buscar", "zebra")
    assert [line[:2] for line in answer.lines] == ["#4"] and answer.err == "+2 aposentadas, +1 fria: --incluir-frios\n"
    whole = json.loads(cad("buscar", "zebra", "--json").out)
    assert {key: whole[key] for key in whole if key != "fatos"} == {
        "versao": 1, "total": 1, "qualquer_palavra": False, "fora": {"aposentados": 2, "frios": 1},
    }  # fmt: skip
    whole = json.loads(cad("buscar", "zebra", "--json", "--incluir-frios").out)
    assert (whole["total"], whole["fora"]) == (4, {"aposentados": 0, "frios": 0})
    assert json.loads(cad("buscar", "()", "--json").out)["fora"] == {"aposentados": 0, "frios": 0}
    answer = cad("buscar", "um")
    assert (answer.code, answer.err) == (1, "Nada encontrado. +1 aposentada: --incluir-frios\n")
    assert cad("buscar", "zebra", "--vigente").err == ""


@pytest.mark.parametrize("word", ["nada", "fieto", "paga!", "decizao"])
def test_buscar_of_an_unknown_type_lists_the_types(write: Write, cad: Cad, word: str) -> None:
    write("- decisao :: x (#1)\n")
    answer = cad("buscar", "x", "--tipo", word)
    assert answer.code == 4
    assert answer.err == (
        f'"{word}" não é um tipo. Os tipos são: decisao, pendencia, bloqueio, mudanca, observacao, experimento, feedback, fato, '
        "relacao, supersede, resolvido, verificado, aposentado, sintese.\n"
    )


def test_a_value_with_an_empty_side_is_told_so(write: Write, cad: Cad) -> None:
    write("- fato :: [[A]] = 900 (#1)\n- fato :: [[A]] diária = (#2)\n- fato :: [[A]] a diária subiu (#3)\n")
    lines = cad("lint", "--selecionar", "CAD124").lines
    assert len(lines) == 3 and all('Falta o "=", ou um dos lados dele' in line for line in lines)
