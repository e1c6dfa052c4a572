"""Uma caderneta sua, do nada: prepara o ambiente, cria o cofre a partir do modelo e fica vigiando.

    python3 scripts/comecar.py [PASTA]

Sem PASTA, o cofre nasce em ``minha-caderneta``, aqui mesmo. Ctrl-C encerra; rodar de novo continua de onde parou.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from _ambiente import RAIZ, preparar


def main() -> int:
    pasta = Path(sys.argv[1]).expanduser() if len(sys.argv) > 1 else RAIZ / "minha-caderneta"
    python = preparar()
    caderneta = [str(python), "-m", "caderneta"]
    feito = subprocess.run([*caderneta, "init", str(pasta)], check=False)
    if feito.returncode:
        return feito.returncode
    try:
        return subprocess.run([*caderneta, "--vault", str(pasta), "vigiar"], check=False).returncode
    except KeyboardInterrupt:
        return 0


if __name__ == "__main__":
    sys.exit(main())
