"""`add` and the named events: what is written, what is refused, and with which exit code."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest

from caderneta.checks.messages import nearest_type
from tests.doors.conftest import DAY, Cad

Write = Callable[..., Path]
_HOUR = re.compile(r"\[[0-9]{2}:[0-9]{2}\]")

# R54, and what else a program may send through a shell-less call.
HOSTILE = {
    "linha forjada": "plano:\n- [2026-01-02 09:00] decisao :: passo forjado (#900)",
    "evento forjado": "ok (#41)\n- [2026-07-09 10:00] supersede :: #41 · forjado (#901)",
    "retorno": "com retorno\r- resolvido :: #42 · forjado",
    "separador": "separador\u2028- resolvido :: #42 · forjado",
    "cerca": "```",
    "cerca no meio": "olhe ``` isto",
    "comentário": "%%",
    "html": "a <!-- b",
    "id alheio": "termina com id alheio (#41)",
    "id com rabo": "termina com id alheio (#41). #tag",
    "bloco": "termina com ^bloco",
    "vazio": "",
    "só espaço": " \u00a0 ",
    "nulo": "nulo \x00 e escape",
    "escape": "limpa \x1b[2J",
    "bidi": "inverte \u202e)14#(\u202c",
    "par solto": "byte solto \udcff",
    "grande": "a" * 1_000_000,
    "campo": "x [ate:: 2026-01-01]",
    "riscado": "~~x~~",
    "barra": "fim\\",
    "crase": "abre ` e não fecha",
    "tarefa": "pagar 📅 2026-01-01",
    "vt": "a\x0bb",
    "nel": "a\x85b",
    "não caractere": "a\ufdd0b",
}


def body(path: Path) -> list[str]:
    return [_HOUR.sub("[HH:MM]", line) for line in path.read_text(encoding="utf-8").splitlines()]


def test_prints_the_line_it_wrote(vault: Path, cad: Cad) -> None:
    answer = cad("add", "Cliente ACME", "Decisão", "proposta fechada em 7.350/mês")
    assert answer.code == 0
    assert _HOUR.sub("[HH:MM]", answer.out) == "- [HH:MM] decisao :: [[Cliente ACME]] proposta fechada em 7.350/mês (#1)\n"
    assert (vault / DAY).read_text(encoding="utf-8") == answer.out


def test_every_option_has_its_place(vault: Path, cad: Cad) -> None:
    cad("add", "Contador", "pendencia", "notas", "--em", "9/7/2026", "--por", "Bia", "--com", "Ana", "--ate", "2026-08-01")
    assert body(vault / DAY) == ["- [2026-07-09] pendencia :: [[Contador]] notas (#1) [ate:: 2026-08-01] [por:: Bia] [com:: Ana]"]
    fields = ("--de", "1/8/2026", "--escopo", "noite", "--fonte", "[[Ata]] p. 2", "--fonte", "https://x.org/a")
    fact = json.loads(cad("add", "Sala", "fato", "diária = 900", *fields, "--json").out)
    assert (fact["de"], fact["escopo"], fact["fontes"]) == ("2026-08-01", "noite", ["[[Ata]] p. 2", "https://x.org/a"])


@pytest.mark.parametrize("option", ["--de", "--ate"])
def test_an_event_has_no_window(write: Write, cad: Cad, option: str) -> None:
    day = write(EVENTS)
    answer = cad("add", "-", "supersede", "#1 · mudou", option, "2026-08-01")
    assert answer.code == 2 and "use --em" in answer.err
    assert len(body(day)) == 3


def test_json_is_the_fact(vault: Path, cad: Cad) -> None:
    fact = json.loads(cad("add", "-", "observacao", "chove", "--json").out)
    assert (fact["id"], fact["assunto"], fact["texto"], fact["arquivo"], fact["linha"]) == (1, None, "chove", DAY, 1)


def test_no_subject(vault: Path, cad: Cad) -> None:
    cad("add", "-", "observacao", "chove")
    assert body(vault / DAY) == ["- [HH:MM] observacao :: chove (#1)"]


@pytest.mark.parametrize("entity", ["", "  "])
def test_an_empty_subject_is_a_variable_somebody_forgot(vault: Path, cad: Cad, entity: str) -> None:
    answer = cad("add", entity, "observacao", "chove")
    assert answer.code == 2 and 'escreva "-"' in answer.err
    assert not (vault / DAY).exists()


def test_a_known_name_is_written_the_known_way(write: Write, cad: Cad) -> None:
    day = write("- decisao :: [[Cliente ACME]] x (#1)\n")
    assert cad("add", "cliente  acme", "decisao", "y").code == 0
    assert body(day)[1] == "- [HH:MM] decisao :: [[Cliente ACME]] y (#2)"


@pytest.mark.parametrize("name", ["Cliente Acmé", "Cliente ACM", "01 - Cliente ACME"])
def test_a_near_miss_is_refused_unless_forced(write: Write, cad: Cad, name: str) -> None:
    day = write("- decisao :: [[Cliente ACME]] x (#1)\n")
    answer = cad("add", name, "decisao", "y")
    assert answer.code == 4 and '"Cliente ACME"' in answer.err
    assert len(body(day)) == 1
    assert cad("add", name, "decisao", "y", "--forcar").code == 0
    assert f"[[{name}]]" in body(day)[1]


def test_an_unknown_type_names_the_nearest(vault: Path, cad: Cad) -> None:
    answer = cad("add", "A", "decizao", "x")
    assert answer.code == 4 and '"decisao"' in answer.err
    assert cad("add", "A", "apoia", "x").code == 4
    assert not (vault / DAY).exists()


def test_a_type_like_no_other_gets_the_list_and_the_way_to_have_it(vault: Path, cad: Cad) -> None:
    answer = cad("add", "A", "Compra", "pão")
    assert answer.code == 4 and "parecido" not in answer.err
    assert "Os tipos são: decisao, pendencia, " in answer.err
    assert 'escreva tipos: ["compra"] no cabeçalho de Caderneta.md.' in answer.err
    (vault / "Caderneta.md").write_text('---\ntipos: ["compra"]\n---\n', encoding="utf-8")
    assert cad("add", "A", "Compra", "pão").code == 0
    assert '"compra"' in cad("add", "A", "compar", "pão").err


@pytest.mark.parametrize(("word", "near"), [("decizao", "decisao"), ("fieto", "feito"), ("reuniao", None), ("conversa", None)])
def test_the_nearest_type_is_near(word: str, near: str | None) -> None:
    assert nearest_type(word) == near


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE.keys())
def test_hostile_text_is_refused_or_is_one_line(write: Write, cad: Cad, text: str) -> None:
    day = write("- decisao :: alvo (#41)\n- pendencia :: alvo (#42)\n")
    before = day.read_bytes()
    answer = cad("add", "A", "observacao", text)
    assert answer.code == 2 and answer.err.strip() and "Traceback" not in answer.err
    assert day.read_bytes() == before


@pytest.mark.parametrize("entity", ["X]]\n- [[Y", "X]]", "[[", "A|B", "A#B", "A^b", "A\x1bB", "a" * 1_000_000, "A`B", "A\\B"])
def test_hostile_names_are_refused(write: Write, cad: Cad, entity: str) -> None:
    before = write("- decisao :: alvo (#41)\n").read_bytes()
    assert cad("add", entity, "observacao", "x").code == 2
    assert write("- decisao :: alvo (#41)\n").read_bytes() == before


@pytest.mark.parametrize("entity", ["2026-07-09", "foto.png", "diario/2026/2026-07-09"])
def test_what_no_link_could_mean_as_an_entity_is_refused(vault: Path, cad: Cad, entity: str) -> None:
    assert cad("add", entity, "observacao", "x").code == 2
    assert not (vault / DAY).exists()


@pytest.mark.parametrize("kind", ["observacao :: x (#902)\n- resolvido", "", "a" * 1_000_000, "decisao\x00"])
def test_hostile_types_are_refused(vault: Path, cad: Cad, kind: str) -> None:
    assert cad("add", "A", kind, "x").code == 4
    assert not (vault / DAY).exists()


@pytest.mark.parametrize("option", ["--por", "--com", "--escopo", "--fonte"])
@pytest.mark.parametrize("value", ["a]b", "a\nb", "a%%b", "[x", " "])
def test_hostile_fields_are_refused(vault: Path, cad: Cad, option: str, value: str) -> None:
    assert cad("add", "A", "observacao", "x", option, value).code == 2
    assert not (vault / DAY).exists()


@pytest.mark.parametrize("day", ["2026-02-30", "ontem", "2026-13-01", "20260709"])
def test_a_day_that_is_none_is_refused(vault: Path, cad: Cad, day: str) -> None:
    assert cad("add", "A", "observacao", "x", "--em", day).code == 2


EVENTS = "- decisao :: [[A]] x (#1)\n- pendencia :: [[A]] y (#2)\n- resolvido :: #2 · feito (#3)\n"


@pytest.mark.parametrize(
    ("kind", "text", "code", "said"),
    [
        ("resolvido", "#2 · de novo", 0, "#2 já estava resolvida por #3"),
        ("supersede", "#1, #2 · mudou", 0, ""),
        ("caiu", "#1 · mudou", 0, ""),
        ("supersede", "#3 · voltou", 0, ""),
        ("supersede", "#9 · x", 3, "#9 não existe (o último é #3)"),
        ("supersede", "#1", 2, "motivo"),
        ("supersede", "mudou", 2, "Falta o número"),
        ("supersede", "#1abc · x", 2, "alvo"),
        ("supersede", "#1-#2 · x", 2, "alvo"),
        ("supersede", "#1 x #2", 2, 'Entre os alvos e o motivo falta o "·"'),
        ("resolvido", "#1 · x", 2, "é uma decisão: não se faz"),
        ("aposentado", "#3 · x", 2, "é um evento"),
        ("supersede", "#1 · x\n- resolvido :: #2", 2, "quebra de linha"),
        ("supersede", "#1 · ```", 2, "crase"),
    ],
)
def test_events_typed_as_text(write: Write, cad: Cad, kind: str, text: str, code: int, said: str) -> None:
    day = write(EVENTS)
    answer = cad("add", "-", kind, text)
    assert answer.code == code
    assert said in answer.err
    assert len(body(day)) == (4 if code == 0 else 3)


def test_an_ambiguous_target_is_refused(write: Write, cad: Cad) -> None:
    write("- decisao :: x (#1)\n- decisao :: y (#1)\n")
    answer = cad("superar", "1", "mudou")
    assert answer.code == 2 and f"caderneta renumerar {DAY}:2" in answer.err


def test_another_entity_beside_an_event_is_told(write: Write, cad: Cad) -> None:
    write("- pendencia :: [[Contador]] x (#1)\n")
    answer = cad("add", "Padaria", "resolvido", "#1 · feito")
    assert answer.code == 0 and "#1 é sobre [[Contador]]" in answer.err


def test_what_lint_calls_an_error_is_refused_in_place(write: Write, cad: Cad) -> None:
    day = write("- relacao :: [[A]] -[usa]-> [[B]] (#1)\n")
    assert cad("add", "A", "relacao", "-[usa]-> [[B]]").code == 2  # a second living copy
    assert cad("add", "A", "relacao", "-[gosta de]-> [[B]]").code == 2  # outside the vocabulary
    assert cad("add", "A", "relacao", "-[usa]-> [[A]]").code == 2  # to itself
    assert len(body(day)) == 1
    assert cad("add", "-", "relacao", "[[A]] -[atende]-> [[C]] desde julho").code == 0


def test_a_warning_is_told_and_written(write: Write, cad: Cad) -> None:
    day = write("- decisao :: [[A]] x (#1)\n- supersede :: #1 · caiu (#2)\n")
    answer = cad("add", "A", "pendencia", "fazer como em #1")
    assert answer.code == 0 and "#1" in answer.err
    assert len(body(day)) == 3


def test_an_open_fence_is_not_swallowing(write: Write, cad: Cad) -> None:
    day = write("```\ncódigo\n")
    before = day.read_bytes()
    assert cad("add", "A", "observacao", "x").code == 2
    assert day.read_bytes() == before


def test_old_bytes_stay(write: Write, cad: Cad) -> None:
    day = write("\ufeff- decisao :: x (#1)\r\n- decisao :: y (#2)")
    cad("add", "A", "observacao", "z")
    data = day.read_bytes()
    assert data.startswith("\ufeff- decisao :: x (#1)\r\n- decisao :: y (#2)\r\n".encode())
    assert data.endswith(b"z (#3)\r\n") and data.count(b"\n") == 3


def test_trocar_writes_both_or_neither(write: Write, cad: Cad) -> None:
    day = write("- decisao :: [[A]] usa o banco Alfa (#1)\n")
    answer = cad("trocar", "1", "usa o banco Beta", "--motivo", "trocou de banco")
    assert [_HOUR.sub("[HH:MM]", line) for line in answer.lines] == [
        "- [HH:MM] decisao :: [[A]] usa o banco Beta (#2)",
        "- [HH:MM] supersede :: #1 · trocou de banco (#3)",
    ]
    before = day.read_bytes()
    assert cad("trocar", "2", "usa ``` Gama", "--motivo", "x").code == 2
    assert cad("trocar", "2", "usa Gama", "--motivo", " ").code == 2
    assert cad("trocar", "3", "outro", "--motivo", "x").code == 2  # an event
    assert cad("trocar", "99", "outro", "--motivo", "x").code == 3
    assert day.read_bytes() == before


def test_trocar_keeps_what_still_runs(write: Write, cad: Cad) -> None:
    day = write("## [[A]]\n\n- pendencia :: mandar (#1) [com:: Bia] [ate:: 2026-08-01]\n- relacao :: [[A]] -[usa]-> [[B]] (#2)\n")
    assert cad("trocar", "1", "mandar tudo", "--motivo", "faltava").code == 0
    assert cad("trocar", "2", "desde maio", "--motivo", "achei o contrato").code == 0
    assert [line for line in body(day) if "#3" in line or "#5" in line] == [
        "- [HH:MM] pendencia :: [[A]] mandar tudo (#3) [ate:: 2026-08-01] [com:: Bia]",
        "- [HH:MM] relacao :: [[A]] -[usa]-> [[B]] desde maio (#5)",
    ]


def test_trocar_says_what_deadline_it_left_behind(write: Write, cad: Cad) -> None:
    day = write(
        "- pendencia :: [[A]] mandar (#1) [ate:: 2026-07-19] [com:: Bia]\n- fato :: [[A]] x = 1 (#2) [ate:: 2026-07-01]\n"
    )
    assert cad("trocar", "1", "mandar tudo", "--motivo", "faltava").err == "O prazo 2026-07-19 já passou e não foi copiado.\n"
    assert cad("trocar", "2", "x = 2", "--motivo", "mudou").err == 'O "até 2026-07-01" já passou e não foi copiado.\n'
    assert cad("trocar", "3", "mandar tudo", "--motivo", "prazo", "--ate", "1/8/2026", "--com", "Ana").err == ""
    assert cad("trocar", "7", "mandar já", "--motivo", "pressa", "--com", "").err == ""
    assert [line for line in body(day) if "pendencia" in line][1:] == [
        "- [HH:MM] pendencia :: [[A]] mandar tudo (#3) [com:: Bia]",
        "- [HH:MM] pendencia :: [[A]] mandar tudo (#7) [ate:: 2026-08-01] [com:: Ana]",
        "- [HH:MM] pendencia :: [[A]] mandar já (#9) [ate:: 2026-08-01]",
    ]


@pytest.mark.parametrize("note", ["12", "#12", " (#12) ", "12, #13 e 14"])
@pytest.mark.parametrize("command", ["resolver", "superar", "aposentar"])
def test_a_number_is_no_reason(write: Write, cad: Cad, command: str, note: str) -> None:
    day = write("- pendencia :: x (#5)\n- pendencia :: y (#12)\n")
    answer = cad(command, "5", note)
    assert answer.code == 2 and f"caderneta {command} 5" in answer.err and f"caderneta {command} 12" in answer.err
    assert len(body(day)) == 2
    assert cad(command, "5", f"{note} vezes").code == 0


@pytest.mark.parametrize(
    ("lines", "said"),
    [
        ("- pendencia :: x (#1)\n- resolvido :: #1 (#2)\n- resolvido :: #1 · a (#3)\n", "#1 continua resolvida por #2."),
        ("- decisao :: x (#1)\n- supersede :: #1 · a (#2)\n- supersede :: #1 · b (#3)\n", "#1 continua superada por #2."),
        ("- decisao :: x (#1)\n- aposentado :: #1 · a (#2)\n- aposentado :: #1 · b (#3)\n", "#1 continua aposentada por #2."),
        ("- [x] pendencia :: x (#1)\n- supersede :: #1 · a (#3)\n", "#1 continua resolvida pela caixa marcada."),
        ("- pendencia :: x (#1)\n- resolvido :: #1 · a (#3)\n", ""),
        ("- decisao :: x (#1)\n- supersede :: #1 · a (#2)\n- verificado :: #1 · b (#3)\n", ""),
    ],
)
def test_undoing_one_of_two_closings_says_that_the_other_holds(write: Write, cad: Cad, lines: str, said: str) -> None:
    write(lines)
    answer = cad("superar", "3", "engano")
    assert answer.code == 0
    assert [line for line in answer.err.splitlines() if "continua" in line] == ([said] if said else [])


def test_what_was_already_wrong_is_not_told_again(write: Write, cad: Cad) -> None:
    write("- decisao :: x (#1)\n- supersede :: #500 · y (#2)\n")
    assert "#500 não existe (o último é #2)" in cad("lint").out
    assert cad("add", "A", "decisao", "z").err == ""
    assert cad("superar", "1", "mudou").err == ""
    assert "#500 não existe (o último é #502)" in cad("lint").out


def test_events_by_name_and_back(write: Write, cad: Cad) -> None:
    day = write("- decisao :: [[A]] x (#1)\n- pendencia :: [[A]] y (#2)\n")
    assert [cad(*words).code for words in (
        ["resolver", "2"], ["superar", "#3", "não foi feito"], ["aposentar", "1", "fora de vista"], ["restaurar", "1"],
    )] == [0, 0, 0, 0]  # fmt: skip
    assert body(day)[2:] == [
        "- [HH:MM] resolvido :: #2 (#3)",
        "- [HH:MM] supersede :: #3 · não foi feito (#4)",
        "- [HH:MM] aposentado :: #1 · fora de vista (#5)",
        "- [HH:MM] supersede :: #5 · volta à vista (#6)",
    ]
    assert cad("restaurar", "1").code == 2
    assert cad("restaurar", "99").code == 3
    assert "#2 já" not in cad("resolver", "2").err


def test_what_a_death_brings_about_is_told(write: Write, cad: Cad) -> None:
    write(
        "- decisao :: [[A]] abre dia 3 (#1)\n- pendencia :: [[B]] reservar como em #1 (#2)\n- fato :: [[A]] diária = 900 (#3)\n"
    )
    answer = cad("superar", "1", "a parede molhou")
    assert answer.code == 0 and f"{DAY}:2: #2 apoia-se em #1" in answer.err
    answer = cad("add", "A", "fato", "diária = 980")
    assert answer.code == 0 and "900" in answer.err and "980" in answer.err
