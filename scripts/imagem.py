"""Desenha docs/imagens/estado.svg: `caderneta estado` do cofre de exemplo, como sai num terminal.

    python3 scripts/imagem.py

A imagem não busca fonte nem nada de fora.
"""

from __future__ import annotations

import html
import os
import subprocess
import sys
import textwrap
from pathlib import Path

from _ambiente import RAIZ, preparar

LARGURA = 104
ALTURA_DA_LINHA = 19
LETRA = 8.43
ESTILOS = (("## ", "titulo"), ("### ", "titulo"), ("$ ", "comando"), ("<!--", "fraco"), ("Retrato", "fraco"))


def estilo(linha: str) -> str:
    if "apoia-se em fato morto" in linha:
        return "achado"
    return next((nome for inicio, nome in ESTILOS if linha.startswith(inicio)), "texto")


def linhas() -> list[tuple[str, str]]:
    """A sessão que a imagem mostra, quebrada na largura: (estilo, texto)."""
    ambiente = {**os.environ, "CADERNETA_HOJE": "2026-07-20", "PYTHONPATH": str(RAIZ)}
    comando = [str(preparar()), "-m", "caderneta", "--vault", str(RAIZ / "docs/exemplo"), "estado"]
    saida = subprocess.run(comando, env=ambiente, capture_output=True, check=True).stdout.decode()
    texto = [("comando", "$ caderneta estado")]
    for linha in saida.rstrip("\n").split("\n"):
        partes = textwrap.wrap(linha, LARGURA, subsequent_indent="  ", break_long_words=False, break_on_hyphens=False)
        texto += [(estilo(linha), parte) for parte in partes or [""]]
    return texto


def desenho(texto: list[tuple[str, str]]) -> str:
    """O SVG das linhas."""
    corpo = []
    for i, (nome, linha) in enumerate(texto):
        y = 62 + i * ALTURA_DA_LINHA
        corpo.append(f'<text class="{nome}" x="24" y="{y}" xml:space="preserve">{html.escape(linha)}</text>')
    largura, altura = int(LARGURA * LETRA) + 56, 62 + len(texto) * ALTURA_DA_LINHA
    return f"""<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {largura} {altura}" width="{largura}" role="img">
<title>caderneta estado: o que vale no cofre de exemplo</title>
<style>
text {{ font: 14px ui-monospace, 'DejaVu Sans Mono', Menlo, Consolas, monospace; fill: #d8dee9; }}
.titulo {{ fill: #88c0d0; font-weight: bold; }}
.comando {{ fill: #a3be8c; }}
.fraco {{ fill: #7b8496; }}
.achado {{ fill: #ebcb8b; }}
</style>
<rect width="100%" height="100%" rx="10" fill="#242933"/>
<circle cx="26" cy="24" r="6" fill="#bf616a"/>
<circle cx="46" cy="24" r="6" fill="#ebcb8b"/>
<circle cx="66" cy="24" r="6" fill="#a3be8c"/>
{chr(10).join(corpo)}
</svg>
"""


if __name__ == "__main__":
    destino = Path(RAIZ / "docs/imagens/estado.svg")
    destino.parent.mkdir(exist_ok=True)
    destino.write_text(desenho(linhas()), encoding="utf-8")
    print(destino.relative_to(RAIZ))
    sys.exit(0)
