"""``python -m bench``: the speed goals, measured against the physical limits and against peers, in one run."""

from __future__ import annotations

import argparse
import json
import os
import shutil
import sys
import tempfile
from dataclasses import asdict
from pathlib import Path

from bench import comandos, pares, salvar
from bench.gerador import Manifest, generate
from bench.medir import NOT_HERE, Place, Report, Row, number, say, whole
from bench.tabela import page
from caderneta.vault import watch
from caderneta.vault.files import replace

_SMALL = 100  # facts


def main(arguments: list[str] | None = None) -> int:
    """Measure every size asked for, print the page, and write it where ``--saida`` says."""
    given = _parser().parse_args(arguments)
    folder = given.pasta.resolve() if given.pasta else Path(tempfile.mkdtemp(prefix="caderneta-bench-"))
    reports = []
    try:
        for facts in given.fatos:
            reports.append(_size(folder, facts, given.rapido))
    finally:
        if given.pasta is None:
            shutil.rmtree(folder, ignore_errors=True)
    text = page(reports, given.rapido)
    print(text)
    if given.saida:
        given.saida.write_text(text, encoding="utf-8")
        say(f"escrito em {given.saida}")
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m bench", description="Mede a caderneta em cofres gerados, ao lado dos limites e de pares."
    )
    parser.add_argument("--fatos", type=int, nargs="+", default=[10_000], metavar="N", help="tamanhos dos cofres (padrão: 10000)")
    parser.add_argument("--rapido", action="store_true", help="poucas repetições: para ver se roda, não para comparar")
    parser.add_argument("--saida", type=Path, help="onde gravar a página (por exemplo bench/RESULTADOS.md)")
    parser.add_argument(
        "--pasta", type=Path, help="onde criar os cofres, que ficam lá (padrão: pasta temporária, apagada no fim)"
    )
    return parser


def _size(folder: Path, facts: int, quick: bool) -> Report:
    root = folder / f"cofre-{facts}"
    if root.exists():
        raise SystemExit(f"{root} já existe: apague, ou escolha outra --pasta.")
    say(f"{whole(facts)} fatos: gerar")
    manifest = generate(root, facts)
    manifest_path = folder / f"cofre-{facts}.json"
    manifest_path.write_text(json.dumps(asdict(manifest), ensure_ascii=False), encoding="utf-8")
    place = Place(root, folder / "cache", manifest.last_day)
    entity = "Estúdio Medida"
    times = 2 if quick else 9
    report = Report(facts, "")
    say("conferir, ler, dobrar")
    report.add(_inside(place, manifest, manifest_path, 2 if quick else max(3, min(9, 900_000 // facts))))
    say("vigiar e salvar")
    report.add(_saves(place, manifest, entity, 4 if quick else 120))
    say("comandos em processo novo")
    bare = Row("limite: Python que nada faz, processo novo")
    bare.samples, bare.note = place.timed(times, lambda turn: [sys.executable, "-c", "pass"])
    file = f"diario/{manifest.last_day[:4]}/{manifest.last_day}.md"
    every = comandos.commands(entity, file)
    report.add([bare])
    report.add(comandos.measure(place, each, times, bare) for each in every)
    # What is imported does not depend on the size of the vault.
    small = _small(place)
    report.add(comandos.imports(small, each, 1 if quick else 5) for each in every)
    say("pares")
    report.add([pares.linter(place, file, times), pares.scanner(place, times)])
    report.add([pares.ledger(place, facts, folder, 1 if quick else 3)])
    report.about = _about(manifest) + _load()
    return report


def _load() -> str:
    """How busy the machine was: figures taken beside other work say less."""
    try:
        return f" Carga média da máquina nos cinco minutos até o fim desta parte: {number(os.getloadavg()[1])}."
    except (OSError, AttributeError):
        return ""


def _about(manifest: Manifest) -> str:
    events = sum(manifest.types.get(name, 0) for name in ("supersede", "resolvido", "aposentado", "verificado"))
    return (
        f"{whole(manifest.files)} arquivos diários, {number(manifest.bytes / 1e6)} MB, {whole(manifest.lines)} linhas; "
        f"{number(100 * events / manifest.facts)}% de eventos; {whole(manifest.states['vigente'])} linhas vigentes, "
        f"{whole(manifest.open_tasks)} tarefas abertas."
    )


def _inside(place: Place, manifest: Manifest, manifest_path: Path, times: int) -> list[Row]:
    """The limits, the reader and the fold, in a process of their own."""
    found = place.probe("bench.sonda", place.root, manifest_path, times)
    per = 100_000 / manifest.facts
    plain = 100_000 / (found["plain_facts"][0] or 1)
    read = Row("limite: ler todos os bytes", found["limit_read"])
    scan = Row("limite: uma expressão regular sobre todos os bytes", found["limit_scan"])
    markdown = Row("par: análise completa de Markdown (markdown-it-py)", found.get("markdown_it", ()), "s")
    if not markdown.samples:
        markdown.note = "não instalado"
    parse = Row("ler tudo: texto → fatos", found["parse"]).against(scan, "a expressão regular")
    if markdown.median and parse.median:
        parse.ratio += f"; {number(markdown.median / parse.median)} × mais rápido que markdown-it-py"
    return [
        read,
        scan,
        markdown,
        parse,
        Row("ler, por 100.000 fatos", [s * per for s in found["parse"]]),
        Row("ler, por 100.000 fatos, só linhas canônicas", [s * plain for s in found["parse_plain"]], goal=0.6),
        Row("dobrar: fatos → projeção", found["project"]).against(scan, "a expressão regular"),
    ]


def _saves(place: Place, manifest: Manifest, entity: str, times: int) -> list[Row]:
    """Save → ESTADO.md, the watcher's start and its weight."""
    names = {
        "append": "linha acrescentada ao arquivo de hoje",
        "rewrite": "arquivo antigo reescrito",
        "swap": "arquivo de hoje trocado por outro",
    }
    quiet = f"espera de {number(watch.QUIET * 1000)} ms descontada"
    rows = {way: Row(f"salvar → ESTADO.md: {name}", goal=0.015, goal_p99=0.040) for way, name in names.items()}
    ready = Row("vigiar: do início ao primeiro ESTADO.md", unit="s")
    weight = Row("vigiar: memória por fato", unit="bytes", goal=450)
    peak = Row("vigiar: pico de memória", unit="MB")
    idle = Row("vigiar: parado, segundos de processador por hora", unit="s")
    disk = Row("limite: gravar e trocar um arquivo do tamanho de ESTADO.md, com fsync")
    every = [disk, *rows.values(), ready, weight, peak, idle]
    try:
        nothing = salvar.resident(_small(place))
        seen = salvar.watch(place, manifest.facts + 1, entity, times, watch.QUIET)
    except RuntimeError as error:
        for row in every:
            row.note = str(error)
        return every
    disk.samples = _disk(place.root, times)
    for way, row in rows.items():
        total = seen.saves[way]
        row.samples = [each - watch.QUIET for each in total]
        row.against(disk, "o limite do disco")
        if total:
            row.ratio += f"; {quiet} (com ela, {number(1000 * sorted(total)[len(total) // 2])} ms)"
        if seen.lost:
            row.ratio += f"; {seen.lost} salvamentos sem resposta"
    ready.samples = [seen.ready]
    for row, value in (
        (weight, (seen.resident - nothing) * 2**20 / max(1, manifest.facts - _SMALL)),
        (peak, seen.peak),
        (idle, seen.idle * 3600),
    ):
        if seen.resident < 0 or value < 0:
            row.note = NOT_HERE
        else:
            row.samples = [value]
    return every


def _small(place: Place) -> Place:
    """A vault that weighs next to nothing and yet makes the watcher load all its code."""
    root = place.root.with_name("cofre-pequeno")
    if not root.exists():
        generate(root, _SMALL)
    return Place(root, place.cache, place.today)


def _disk(root: Path, times: int) -> list[float]:
    """What the disk alone takes to put a new ESTADO.md in place."""
    from bench.medir import repeat

    data = (root / "ESTADO.md").read_bytes()
    other = root.with_name("limite-do-disco")
    return repeat(times, lambda: replace(other, data))


if __name__ == "__main__":
    sys.exit(main())
