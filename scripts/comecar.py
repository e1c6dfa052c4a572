"""Uma caderneta sua, do nada: prepara o ambiente, cria o cofre a partir do modelo e fica vigiando.

    python3 scripts/comecar.py [PASTA]

Sem PASTA, o cofre nasce em ``minha-caderneta``, aqui mesmo. Ctrl-C encerra; rodar de novo continua de onde parou.
"""

from __future__ import annotations

import subprocess
import sys
from datetime import date
from pathlib import Path

from _ambiente import RAIZ, preparar


def main() -> int:
    if any(argumento in ("-h", "--help") for argumento in sys.argv[1:]):
        print(__doc__)
        return 0
    pasta = Path(sys.argv[1]).expanduser() if len(sys.argv) > 1 else RAIZ / "minha-caderneta"
    python = preparar()
    caderneta = [str(python), "-m", "caderneta"]
    feito = subprocess.run([*caderneta, "init", str(pasta)], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, check=False)
    if feito.returncode:
        sys.stderr.buffer.write(feito.stderr)
        return feito.returncode
    hoje = date.today()
    diario = pasta / "diario" / f"{hoje:%Y}"
    if (pasta / "diario").is_dir():
        diario.mkdir(exist_ok=True)
    nota = diario.relative_to(pasta) / f"{hoje}.md"
    print(
        f"\nSeu cofre: {pasta}\n"
        f"  A nota de hoje é {nota}: abra no Obsidian, ou em qualquer editor, e escreva\n"
        "    - decisao :: [[Nome do assunto]] o que ficou decidido\n"
        "  Salve, e ESTADO.md muda. O guia, de uma página, é Caderneta.md.\n"
        f"  Noutro terminal, o comando é {python.with_name('caderneta')}\n",
        flush=True,
    )
    return subprocess.run([*caderneta, "--vault", str(pasta), "vigiar"], check=False).returncode


if __name__ == "__main__":
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        sys.exit("\nInterrompido. Rodar de novo continua de onde parou.")
