"""The results as a Markdown page in Portuguese. It tells of the machine what matters, never names or paths."""

from __future__ import annotations

import os
import platform
import sys
from collections.abc import Sequence

from bench.medir import Report, Row, whole

_FEW = 100  # samples below which a p99 is only the largest


def page(reports: Sequence[Report], quick: bool) -> str:
    """The whole page: conditions, one table a size, and how each median grows."""
    out = [
        "# Resultados de `python -m bench`",
        "",
        f"Python {platform.python_version()} ({platform.python_implementation()}), {sys.platform}, {os.cpu_count()} núcleos. "
        + "Medianas, depois de uma volta que não conta; limites e pares na mesma rodada, sobre os mesmos arquivos."
        + (" Rodada rápida: poucas repetições, números grosseiros." if quick else ""),
        "",
        "O cofre é gerado (mesma semente, mesmos bytes), e antes de medir se confere que o leitor e a dobra dizem dele "
        "o que o gerador sabe. "
        f"Com menos de {_FEW} repetições, o p99 é a maior delas. "
        "Os tempos de importar vêm de `-X importtime`, que os aumenta um pouco.",
        "",
    ]
    for report in reports:
        out += [f"## {whole(report.facts)} fatos", "", report.about, "", *_table(report.rows), ""]
    if len(reports) > 1:
        out += ["## Como cresce com o cofre", "", "Medianas.", "", *_growth(reports), ""]
    return "\n".join(out)


def _table(rows: Sequence[Row]) -> list[str]:
    lines = ["| medida | meta | mediana | p99 | vezes | em relação a |", "|---|---:|---:|---:|---:|---|"]
    for row in rows:
        if row.note:
            cells = [row.name, _goal(row), row.note, "—", "—", row.ratio or "—"]
        else:
            cells = [row.name, _goal(row), row.shown(row.median), row.shown(row.p99), str(len(row.samples)), row.ratio or "—"]
        lines.append("| " + " | ".join(cells) + " |")
    return lines


def _goal(row: Row) -> str:
    """The goal and whether it was met."""
    if row.goal is None:
        return "—"
    text = f"≤ {row.shown(row.goal)}"
    met = row.median is not None and row.median <= row.goal
    if row.goal_p99 is not None:
        text += f"; p99 ≤ {row.shown(row.goal_p99)}"
        met = met and row.p99 is not None and row.p99 <= row.goal_p99
    return text if row.median is None else f"{text} {'✓' if met else '✗'}"


def _growth(reports: Sequence[Report]) -> list[str]:
    lines = ["| medida | " + " | ".join(whole(report.facts) for report in reports) + " |", "|---|" + "---:|" * len(reports)]
    names = list(dict.fromkeys(row.name for report in reports for row in report.rows if row.samples))
    for name in names:
        cells = []
        for report in reports:
            row = next((row for row in report.rows if row.name == name), None)
            cells.append(row.shown(row.median) if row else "—")
        lines.append(f"| {name} | " + " | ".join(cells) + " |")
    return lines
