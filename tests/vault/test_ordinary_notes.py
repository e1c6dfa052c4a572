"""A folder of ordinary notes that know nothing of caderneta: no fact, no crash, no changed byte, hardly a finding."""

from __future__ import annotations

import hashlib
import random
from pathlib import Path

from caderneta.checks.rules import severity
from caderneta.vault.estado_file import estado_text
from caderneta.vault.workspace import Workspace

BLOCKS = [
    "# Reunião de planejamento\n",
    "## Próximos passos\n",
    "Conversamos sobre o orçamento: ficou para a semana que vem. Decisão: nenhuma por enquanto.\n",
    "- [ ] comprar pão\n- [x] ligar para a Júlia 📅 2026-07-15 ✅ 2026-07-14\n- [-] cancelado\n",
    "1. primeiro\n2. segundo\n   - detalhe\n   - outro detalhe\n",
    "| cliente | situação |\n| --- | --- |\n| [[Cliente ACME|ACME]] | visto |\n",
    "```python\nvalor: int = 3\nprint(f'{valor:>8}')\n```\n",
    "~~~yaml\nchave: valor\n~~~\n",
    "> [!note] Lembrete\n> Ver [[Outra nota#Seção]] antes de 2026-08-01.\n> - item\n",
    "autor:: [[Machado de Assis]]\nnota:: 9\n",
    "- status:: em andamento\n- prazo:: 2026-07-15\n",
    "Comprei (na loja) por R$ 7.350,00 :: caro demais :: mas bom.\n",
    "%% rascunho que ninguém vê %%\n",
    "<div class='caixa'>\n<b>negrito</b>\n</div>\n",
    "Texto com `código :: aqui` e $x = y$ e [link](https://exemplo.org/a:b).[^1]\n\n[^1]: rodapé\n",
    "$$\nE = mc^2\n$$\n",
    "- [09:30] café com o Otávio\n- [10:15] dentista\n",
    "Feito isso, pagamos o combinado. Caiu a energia às 14h30.\n",
    "![[foto.png]]\n\n---\n\nFim. #diario #família/férias ^bloco-1\n",
]
HEADERS = ["", "", "---\ntags: [diario, trabalho]\naliases: [apelido %d]\n---\n", "---\ndata: 2026-07-09\nhumor: 3\n---\n"]


def write_notes(root: Path, count: int) -> None:
    rnd = random.Random(7)
    for i in range(count):
        folder = root / rnd.choice([".", "Projetos", "Pessoas/Família", "Diário"])
        folder.mkdir(parents=True, exist_ok=True)
        header = rnd.choice(HEADERS)
        text = (header % i if "%d" in header else header) + "\n".join(rnd.sample(BLOCKS, rnd.randint(1, 9)))
        newline = rnd.choice(["\n", "\n", "\r\n"])
        (folder / f"Nota {i} — é só uma nota.md").write_bytes(text.replace("\n", newline).encode())


def digests(root: Path) -> dict[str, str]:
    return {str(p.relative_to(root)): hashlib.sha256(p.read_bytes()).hexdigest() for p in root.rglob("*") if p.is_file()}


def test_ordinary_notes_are_left_alone(tmp_path: Path) -> None:
    write_notes(tmp_path, 400)
    before = digests(tmp_path)
    assert len(before) == 400
    workspace = Workspace.open(tmp_path, "2026-07-20")
    assert workspace.projection.facts() == []
    serious = [f for f in workspace.projection.findings() if severity(f.code) != "nota"]
    assert serious == []
    assert "Ainda não há nada anotado" in estado_text(workspace)
    assert digests(tmp_path) == before


def test_the_same_notes_as_daily_notes_raise_few_findings(tmp_path: Path) -> None:
    (tmp_path / "diario").mkdir()
    rnd = random.Random(11)
    for i in range(1, 29):
        text = "\n".join(rnd.sample(BLOCKS, 6))
        (tmp_path / f"diario/2026-06-{i:02}.md").write_text(text, encoding="utf-8")
    projection = Workspace.open(tmp_path, "2026-07-20").projection
    assert projection.facts() == []
    assert {f.code for f in projection.findings()} <= {"CAD108", "CAD131"}
