"""Prepara, uma vez, o ambiente virtual do projeto. Só usa o que vem com o Python 3.11 ou mais novo."""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
import venv
from pathlib import Path

RAIZ = Path(__file__).resolve().parent.parent
AMBIENTE = RAIZ / ".venv"


def preparar(extra: str = "") -> Path:
    """Cria ``.venv`` e instala o projeto (com o ``extra`` pedido); devolve o Python de lá. Não refaz o que já está feito."""
    if sys.version_info < (3, 11):  # noqa: UP036 - quem roda isto pode ter um Python mais velho
        sys.exit(f"caderneta precisa do Python 3.11 ou mais novo; este é o {sys.version.split()[0]}.")
    python = AMBIENTE / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
    marca = AMBIENTE / f".pronto{extra or '-base'}"
    pedido = hashlib.sha256((RAIZ / "pyproject.toml").read_bytes()).hexdigest()
    if python.exists() and marca.exists() and marca.read_text() == pedido:
        return python
    if not python.exists():
        print("Criando o ambiente em .venv …", flush=True)
        try:
            venv.create(AMBIENTE, with_pip=True, clear=AMBIENTE.exists())
        except (OSError, subprocess.CalledProcessError) as erro:
            sys.exit(
                f"Não deu para criar o ambiente virtual ({erro}).\n"
                "No Debian e no Ubuntu falta um pacote: sudo apt install python3-venv. Depois, rode de novo."
            )
    print("Instalando o que falta (só na primeira vez) …", flush=True)
    alvo = f"{RAIZ}[{extra}]" if extra else str(RAIZ)
    feito = subprocess.run(
        [python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--editable", alvo], check=False
    )
    if feito.returncode:
        sys.exit("A instalação não terminou: veja a mensagem acima. Nada mais foi mudado.")
    marca.write_text(pedido)
    return python
