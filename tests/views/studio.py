"""Invented vaults of any size, to look at: a recording studio, some days written and some days away."""

from __future__ import annotations

import random

from caderneta.format.dates import add_days
from caderneta.format.document import parse
from caderneta.format.values import Document

NAMES = ["Selo Baião", "Contador", "Sala A", "Sala B", "Estúdio Aurora", "Maré Baixa", "Agenda", "Raul", "Padaria", "Rio Cinza"]
TASKS = ["mandar as notas de {}", "cobrar {}", "conferir o contrato de {}", "marcar a visita de {}", "pagar a parcela de {}"]
DECISIONS = ["fica como está até {}", "renegocia do zero em {}, sem multa", "passa a ser só à noite a partir de {}"]
NOTES = ["choveu e ninguém veio em {}", "o técnico achou o defeito de {}", "gostaram da primeira mistura de {}"]
KEYS = ["diária", "prazo de repasse", "valor mensal", "renovação"]
MONTHS = ["janeiro", "fevereiro", "março", "abril", "maio", "junho", "julho", "agosto"]
SPREAD = 150  # days over which the lines fall


def studio(today: str, tasks: int, subjects: int, away: int = 0, seed: int = 1) -> list[Document]:
    """A vault with so many open tasks and subjects, whose newest line is ``away`` days old."""
    rng = random.Random(seed)
    names = [NAMES[i] if i < len(NAMES) else f"{NAMES[i % len(NAMES)]} {i // len(NAMES) + 1}" for i in range(subjects)]
    lines: dict[str, list[str]] = {}
    number = 0

    def write(days_ago: int, kind: str, text: str, tail: str = "") -> int:
        nonlocal number
        number += 1
        lines.setdefault(add_days(today, -days_ago), []).append(f"- [10:00] {kind} :: {text} (#{number}){tail}")
        return number

    days = sorted((away + min(int(rng.expovariate(1 / 40)), SPREAD) for _ in range(tasks * 4)), reverse=True)
    open_tasks = 0
    for ago in days:
        name, month = rng.choice(names), rng.choice(MONTHS)
        draw = rng.random()
        if open_tasks < tasks and draw < 0.3:
            due = f" [ate:: {add_days(today, rng.randrange(-20, 30))}]" if rng.random() < 0.15 else ""
            who = " [com:: Ana]" if rng.random() < 0.2 else ""
            kind = "bloqueio" if rng.random() < 0.04 else "pendencia"
            write(ago, kind, f"[[{name}]] {rng.choice(TASKS).format(month)}", due + who)
            open_tasks += 1
        elif draw < 0.45:
            made = write(ago, "decisao", f"[[{name}]] {rng.choice(DECISIONS).format(month)}")
            if rng.random() < 0.15:
                rests = write(ago, "observacao", f"[[{rng.choice(names)}]] conta com #{made} para {month}")
                write(max(away, ago - 3), "supersede", f"#{made} · o cliente voltou atrás")
                if rng.random() < 0.8:
                    write(max(away, ago - 2), "supersede", f"#{rests} · caiu junto")
        elif draw < 0.55:
            write(ago, "fato", f"[[{name}]] {rng.choice(KEYS)} = {rng.randrange(3, 90) * 100}")
        elif draw < 0.58:
            write(ago, "relacao", f"[[{name}]] -[depende de]-> [[{rng.choice(names)}]]")
        else:
            write(ago, "observacao", f"[[{name}]] {rng.choice(NOTES).format(month)}")
    while open_tasks < tasks:
        write(away, "pendencia", f"[[{rng.choice(names)}]] {rng.choice(TASKS).format(rng.choice(MONTHS))}")
        open_tasks += 1
    return [parse(f"diario/{day[:4]}/{day}.md", "\n".join(text) + "\n") for day, text in sorted(lines.items())]
