"""`python -m bench` runs and says everything it promises to say. No figure is judged here."""

from __future__ import annotations

import os
import platform
import subprocess
import sys
from pathlib import Path

from bench.medir import REPOSITORY, Row, number, percentile, whole
from bench.tabela import page

ROWS = (
    "limite: ler todos os bytes",
    "limite: uma expressão regular sobre todos os bytes",
    "par: análise completa de Markdown",
    "ler tudo: texto → fatos",
    "ler, por 100.000 fatos",
    "ler, por 100.000 fatos, só linhas canônicas",
    "dobrar: fatos → projeção",
    "limite: gravar e trocar um arquivo",
    "salvar → ESTADO.md: linha acrescentada ao arquivo de hoje",
    "salvar → ESTADO.md: arquivo antigo reescrito",
    "salvar → ESTADO.md: arquivo de hoje trocado por outro",
    "vigiar: do início ao primeiro ESTADO.md",
    "vigiar: memória por fato",
    "vigiar: pico de memória",
    "vigiar: parado",
    "limite: Python que nada faz",
    "`estado`, processo novo",
    "`buscar`, processo novo",
    "`lint de um arquivo`, processo novo",
    "`lint do cofre inteiro`, processo novo",
    "`contexto`, processo novo",
    "`contradicoes`, processo novo",
    "`add`, processo novo",
    "importar: `estado`",
    "importar: `add`",
    "par: linter de Markdown",
    "par: busca de texto puro",
    "par: carga de diário contábil",
)


def test_the_whole_bench_runs_and_prints_every_row(tmp_path: Path) -> None:
    saved = tmp_path / "RESULTADOS.md"
    command = [sys.executable, "-m", "bench", "--rapido", "--fatos", "500", "--saida", str(saved)]
    done = subprocess.run(command, cwd=REPOSITORY, capture_output=True, text=True, encoding="utf-8", check=False)
    assert done.returncode == 0, done.stderr
    assert saved.read_text(encoding="utf-8").strip() == done.stdout.strip()
    lines = [line for line in done.stdout.splitlines() if line.startswith("| ")]
    for row in ROWS:
        assert any(line.startswith(f"| {row}") for line in lines), row
    assert "errada" not in done.stdout
    assert str(tmp_path) not in done.stdout and str(REPOSITORY) not in done.stdout
    assert platform.node() not in done.stdout
    assert f"{os.cpu_count()} núcleos" in done.stdout


def test_figures_are_written_as_in_portuguese() -> None:
    assert number(1234567) == "1.234.567"
    assert number(12.34) == "12,3"
    assert number(0.5) == "0,50"
    assert whole(84) == "84" and whole(10_000) == "10.000"
    assert Row("x", [0.0123]).shown(0.0123) == "12,3 ms"


def test_a_percentile_of_few_samples_is_the_largest() -> None:
    assert percentile([3.0, 1.0, 2.0], 99) == 3.0
    assert percentile([float(n) for n in range(1, 201)], 99) == 198.0


def test_a_page_without_figures_can_be_written() -> None:
    assert "| medida |" not in page([], quick=True)
