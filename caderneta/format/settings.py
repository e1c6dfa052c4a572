"""The settings in the header of Caderneta.md (§1): flat keys, every one with a default."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from caderneta.format.dates import daily_pattern
from caderneta.format.header import read_header
from caderneta.format.text import fold_type, split_lines, strip
from caderneta.format.values import DEFAULTS, Finding, Settings
from caderneta.format.vocabulary import EVENTS, EVIDENCE

SETTINGS_FILE = "Caderneta.md"
MIN_TOKENS = 600  # below it the headings and the lines that say what was cut do not fit, and the limit could not be kept


def read_settings(text: str) -> tuple[Settings, tuple[Finding, ...]]:
    """The text of Caderneta.md → (settings, findings); a value that cannot be read keeps its default and is CAD309."""
    header = read_header(split_lines(text))
    found = header.findings(SETTINGS_FILE)
    settings = DEFAULTS
    for key, (field, read) in _READERS.items():
        values = header.get(key)
        if not values:
            continue
        try:
            settings = replace(settings, **{field: read(values)})
        except ValueError:
            found.append(Finding("CAD309", SETTINGS_FILE, 1, 1, (), (key, ", ".join(values))))
    for key in (key for key, _ in header.values if key not in _READERS):
        from difflib import get_close_matches

        near = get_close_matches(key, _READERS, 1, 0.8)
        if near:
            found.append(Finding("CAD309", SETTINGS_FILE, 1, 1, (), (key, f"seria {near[0]}?")))
    return settings, tuple(found)


def has_daily_setting(text: str) -> bool:
    """Whether Caderneta.md says where daily files are, so that Obsidian's own setting is not asked."""
    return bool(read_header(split_lines(text)).get("diario"))


def _pattern(values: tuple[str, ...]) -> str:
    pattern = strip(values[0]).removeprefix("./")
    daily_pattern(pattern)
    return pattern if pattern.endswith(".md") else pattern + ".md"


def _folder(values: tuple[str, ...]) -> str:
    return strip(values[0]).strip("/") + "/"


def _types(values: tuple[str, ...]) -> tuple[str, ...]:
    names = tuple(fold_type(strip(v)) for v in values if strip(v))
    if any(name in EVENTS or name in EVIDENCE or len(name) > 40 or set(name) & set(":[]()#~`") for name in names):
        raise ValueError(values)  # settings may add statement types, never events (§2)
    return names


def _names(values: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(strip(v) for v in values if strip(v))


def _count(low: int) -> Callable[[tuple[str, ...]], int]:
    def read(values: tuple[str, ...]) -> int:
        number = int(strip(values[0])) if strip(values[0]).isascii() else -1
        if number < low:
            raise ValueError(values)
        return number

    return read


_READERS: dict[str, tuple[str, Callable[[tuple[str, ...]], Any]]] = {
    "diario": ("daily", _pattern),
    "modelos": ("templates", _folder),
    "ignorar": ("ignore", _names),
    "tipos": ("types", _types),
    "relacoes": ("relations", _names),
    "dias_pendencia": ("task_days", _count(1)),
    "dias_decisao": ("decision_days", _count(1)),
    "max_tokens": ("max_tokens", _count(MIN_TOKENS)),
}
