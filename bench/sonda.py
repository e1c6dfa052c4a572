"""Measures taken inside one process of their own: physical limits, the reader, the fold. Prints samples as JSON.

``python -m bench.sonda COFRE MANIFESTO VEZES``. Correctness comes first: a wrong answer in good time is worth nothing.
"""

from __future__ import annotations

import gc
import json
import os
import re
import sys
from collections import Counter
from pathlib import Path

from bench.medir import repeat
from caderneta.format.document import parse
from caderneta.format.values import Document
from caderneta.ledger.projection import Projection
from caderneta.vault import find

# What a reader cannot do without: each line that looks like a fact, cut in its parts.
_SCAN = re.compile(rb"^[-*] (~~)?(?:\[(.)\] )?(?:\[([0-9 :-]+)\] )?([^\n:\[]{1,40}) :: (.*?)(?:\(#([0-9]+)\))?(~~)?$", re.M)
_PLAIN = re.compile(r"- \[[0-9:]{5}\] [a-z]+ :: [^`\n]*\(#[0-9]+\)\Z")
_MARKDOWN_SAMPLE = 2_000_000  # bytes: a full Markdown parser is slow, and its time grows evenly


def disagreements(projection: Projection, manifest: dict[str, object]) -> list[str]:
    """Where the reader and the fold differ from what the generator knows it wrote; empty when nowhere."""
    facts = projection.facts()
    found: dict[str, object] = {
        "facts": len(facts),
        "types": dict(sorted(Counter(fact.type for fact in facts).items())),
        "states": dict.fromkeys(_names(manifest["states"]), 0) | Counter(projection.status(fact).state for fact in facts),
        "open_tasks": len(projection.open_tasks()),
        "largest_id": projection.largest_id,
        "traps": projection.count_findings()["CAD116"],
        "almost": projection.count_findings()["CAD108"],
    }
    return [f"{name}: esperado {manifest[name]}, achado {value}" for name, value in found.items() if manifest[name] != value]


def _names(states: object) -> list[str]:
    return list(states) if isinstance(states, dict) else []


def main(root: Path, manifest_path: Path, times: int) -> dict[str, list[float]]:
    manifest = json.loads(manifest_path.read_text(encoding="utf-8"))
    settings, _ = find.load_settings(*find.read_settings_files(root))
    paths = find.discover(root, find.Rules(settings)).paths
    names = [f"{root}/{path}" for path in paths]
    out: dict[str, list[float]] = {"limit_read": repeat(times, lambda: [_bytes(name) for name in names])}
    data = [_bytes(name) for name in names]
    out["limit_scan"] = repeat(times, lambda: [_SCAN.findall(each) for each in data])
    texts = [each.decode() for each in data]
    out["size"] = [float(sum(map(len, data)))]
    out |= _markdown(texts, times)

    def read_all() -> list[Document]:
        return [parse(path, text, settings) for path, text in zip(paths, texts, strict=True)]

    documents = read_all()
    gc.freeze()
    wrong = disagreements(Projection(settings, manifest["last_day"], documents), manifest)
    if wrong:
        raise SystemExit("a resposta está errada, não há o que medir: " + "; ".join(wrong))
    out["parse"] = repeat(times, read_all)
    out["project"] = repeat(times, lambda: Projection(settings, manifest["last_day"], documents))
    plain = [[line for line in text.split("\n") if _PLAIN.match(line)] for text in texts]
    out["plain_facts"] = [float(sum(map(len, plain)))]
    plain_texts = ["\n".join(lines) + "\n" for lines in plain]
    out["parse_plain"] = repeat(
        times, lambda: [parse(path, text, settings) for path, text in zip(paths, plain_texts, strict=True)]
    )
    return out


def _markdown(texts: list[str], times: int) -> dict[str, list[float]]:
    """The peer: a whole Markdown parse of the same bytes, over a sample of the files when there are many."""
    try:
        from markdown_it import MarkdownIt
    except ImportError:
        return {}
    sample: list[str] = []
    size = 0
    step = max(1, sum(map(len, texts)) // _MARKDOWN_SAMPLE)
    for text in texts[::step]:
        sample.append(text)
        size += len(text.encode())
    parser = MarkdownIt("commonmark")
    samples = repeat(min(times, 3), lambda: [parser.parse(text) for text in sample])
    share = sum(len(text.encode()) for text in texts) / size
    return {"markdown_it": [seconds * share for seconds in samples]}


def _bytes(name: str) -> bytes:
    descriptor = os.open(name, os.O_RDONLY | getattr(os, "O_BINARY", 0))
    try:
        return os.read(descriptor, os.fstat(descriptor).st_size)
    finally:
        os.close(descriptor)


if __name__ == "__main__":
    print(json.dumps(main(Path(sys.argv[1]), Path(sys.argv[2]), int(sys.argv[3]))))
