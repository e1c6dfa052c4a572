"""Passa todas as verificações: estilo, tipos e testes. Prepara o próprio ambiente.

python3 scripts/testar.py [argumentos do pytest]
"""

from __future__ import annotations

import subprocess
import sys

from _ambiente import RAIZ, preparar


def main() -> int:
    python = str(preparar("dev"))
    passos = [
        ["ruff", "check", "."],
        ["ruff", "format", "--check", "."],
        ["mypy"],
        ["pytest", *sys.argv[1:]],
    ]
    for passo in passos:
        print("→", " ".join(passo), flush=True)
        codigo = subprocess.run([python, "-m", *passo], cwd=RAIZ, check=False).returncode
        if codigo:
            return codigo
    return 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        sys.exit("\nInterrompido.")
