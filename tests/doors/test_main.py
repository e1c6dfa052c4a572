"""The command line itself: its Portuguese, its exit codes, where it finds the vault, what it costs to start."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from caderneta.doors.cli.main import COMMANDS
from tests.doors.conftest import Answer, Cad

Write = Callable[..., Path]
ENGLISH = re.compile(
    r"\b(Usage|Options|Arguments|Commands|Missing|Invalid|Error|Try|for help|default|required|Show this|No such|OPTIONS|ARGS)\b"
)


@pytest.mark.parametrize("command", ["", *COMMANDS])
def test_help_is_in_portuguese_with_an_example(vault: Path, cad: Cad, command: str) -> None:
    answer = cad(*filter(None, [command]), "--help")
    assert answer.code == 0 and answer.out.startswith("Uso: caderneta")
    assert not ENGLISH.search(answer.out), answer.out
    assert not command or "Exemplo: caderneta " in answer.out


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ([], "Uso: caderneta"),
        (["veer", "3"], 'Quis dizer "ver"?'),
        (["xyzw"], 'Não há comando "xyzw"'),
        (["--foo"], "Não há opção --foo"),
        (["ver"], "Faltou o número: no terminal, # começa um comentário. Escreva caderneta ver 41."),
        (["superar"], "Faltou o número"),
        (["superar", "41"], "Faltou o motivo"),
        (["buscar"], "Faltou o termo, o que procurar. Por exemplo: caderneta buscar proposta\n"),
        (["add", "A", "decisao"], "Faltou o texto. Por exemplo: caderneta add 'Cliente ACME' decisao"),
        (["add", "-", "feito"], "Faltou o texto. No terminal, # começa um comentário: use aspas."),
        (["resolver", "5", "12", "#13"], "Sobrou: #13. É uma linha por vez"),
        (["add", "A", "decisao", "x", "y"], "Sobrou: y."),
        (["add", "A", "decisao", "-x"], "ponha -- antes"),
        (["add", "A", "decisao", "x", "--em"], "Faltou o valor da opção --em."),
        (["estado", "--max-tokens", "muito"], "é preciso um número inteiro"),
        (["estado", "--max-tokens", "0"], "Valor fora do alcance em --max-tokens"),
        (["estado", "--gravar=sim"], "A opção --gravar não leva valor."),
        (["exportar", "--formato", "xml"], "Escolha um destes: jsonl."),
        (["lint", "--formato", "xml"], "Escolha um destes: texto, json."),
        (["trocar", "1", "x"], "--motivo"),
        (["estado", "--em", "2026-02-30"], "não existe no calendário"),
    ],
)
def test_complaints(vault: Path, cad: Cad, words: list[str], said: str) -> None:
    answer = cad(*words)
    assert answer.code == 2
    assert said in answer.err + answer.out
    assert not ENGLISH.search(answer.err), answer.err


def test_porque_is_told(vault: Path, cad: Cad) -> None:
    assert "(ou: porque)" in cad("--help").out
    assert "ver e porque são o mesmo comando." in cad("ver", "--help").out


def test_text_that_begins_with_a_dash(vault: Path, cad: Cad) -> None:
    assert cad("add", "A", "observacao", "--", "-5 graus").code == 0


def test_version(cad: Cad) -> None:
    assert cad("--version") == Answer(0, "caderneta 0.1.0\n", "")


def test_where_the_vault_is(write: Write, vault: Path, cad: Cad, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write("- decisao :: x (#1)\n")
    monkeypatch.chdir(vault / "diario")
    assert cad("ver", "1").code == 0
    monkeypatch.chdir(tmp_path)
    assert cad("ver", "1").code == 5
    assert cad("-C", str(vault), "ver", "1").code == 0
    assert cad("ver", "1", "--vault", str(vault)).code == 0
    assert cad("ver", "1", "-C", str(tmp_path / "nada")).code == 5
    monkeypatch.setenv("CADERNETA_VAULT", str(vault))
    assert cad("ver", "1").code == 0
    (tmp_path / "vazia").mkdir()
    assert cad("ver", "1", "-C", str(tmp_path / "vazia")).code == 3


def test_a_day_that_is_none(vault: Path, cad: Cad, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CADERNETA_HOJE", "ontem")
    answer = cad("estado")
    assert answer.code == 2 and "CADERNETA_HOJE" in answer.err


def test_a_vault_that_cannot_be_written(vault: Path, cad: Cad) -> None:
    (vault / "diario/2026/2026-07-20.md").write_bytes(b"\xff")
    answer = cad("add", "A", "decisao", "x")
    assert answer.code == 5 and "UTF-8" in answer.err
    assert (vault / "diario/2026/2026-07-20.md").read_bytes() == b"\xff"


def test_starting_imports_nothing_heavy() -> None:
    code = (
        "import sys, caderneta.doors.cli.main; "
        "print([m for m in ('rich', 'markdown_it', 'watchdog', 'yaml', 'sqlite3', 'pydantic') if m in sys.modules])"
    )
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "[]\n"


def test_a_piped_command_never_imports_rich(write: Write, vault: Path) -> None:
    write("- decisao :: x (#1)\n")
    code = "import sys; from caderneta.doors.cli.main import run; run(['ver', '1']); print('rich' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, check=True).stdout.endswith(b"False\n")
