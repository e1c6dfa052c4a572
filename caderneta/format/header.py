"""The YAML header of a note, only read, every scalar a string (§1). Written back it never is."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from caderneta.format.text import fold_type, strip
from caderneta.format.values import Finding


@dataclass(frozen=True, slots=True)
class Header:
    """``end``: how many lines it takes, 0 when there is none. ``problem``/``repeated``: (line from 1, particulars)."""

    end: int = 0
    values: tuple[tuple[str, tuple[str, ...]], ...] = ()
    problem: tuple[int, str] | None = None
    repeated: tuple[tuple[int, str], ...] = ()

    def get(self, key: str) -> tuple[str, ...] | None:
        """The value of a key as strings (a list's items; one for a scalar), ``None`` when absent. The last key wins."""
        return next((value for name, value in reversed(self.values) if name == key), None)

    def findings(self, path: str) -> list[Finding]:
        """What is wrong with it: CAD302 unreadable, CAD303 a repeated key."""
        out = [Finding("CAD303", path, line, 1, (), (key,)) for line, key in self.repeated]
        if self.problem:
            out.append(Finding("CAD302", path, self.problem[0], 1, (), (self.problem[1],)))
        return out


NO_HEADER = Header()


def read_header(lines: list[str]) -> Header:
    """The header at the top of a text already split in lines; an opening ``---`` without an end is no header."""
    if not lines or lines[0].rstrip(" \t") != "---":
        return NO_HEADER
    for end in range(1, len(lines)):
        if lines[end].rstrip(" \t") == "---":
            return _read("\n".join(lines[1:end]), end + 1)
    return NO_HEADER


@lru_cache(maxsize=512)
def _read(text: str, end: int) -> Header:
    if not strip(text.replace("\n", " ")):
        return Header(end)
    import frontmatter
    import yaml

    try:
        data, repeated = frontmatter.YAMLHandler().load(text, Loader=_loader())
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None) or getattr(error, "context_mark", None)
        return Header(end, problem=(mark.line + 2 if mark else 1, ""))
    except (RecursionError, ValueError):
        return Header(end, problem=(1, ""))
    if not isinstance(data, dict):
        return Header(end, problem=(1, "mapa")) if data not in ("", None) else Header(end)
    values = tuple((fold_type(str(key)), _strings(value)) for key, value in data.items())
    return Header(end, values, None, tuple((line + 2, key) for line, key in repeated))


def _strings(value: Any) -> tuple[str, ...]:
    """A scalar or a flat list as strings. ``[[Nota]]`` unquoted is a list in a list, and means the link."""
    if isinstance(value, str):
        return (value,) if value else ()
    if not isinstance(value, list):
        return ()
    if _is_link(value):
        return (f"[[{value[0][0]}]]",)
    return tuple(f"[[{v[0][0]}]]" if _is_link(v) else v for v in value if _is_link(v) or (isinstance(v, str) and v))


def _is_link(value: Any) -> bool:
    """Whether YAML read an unquoted ``[[Nota]]`` here: a list in a list."""
    inner = value[0] if isinstance(value, list) and len(value) == 1 else None
    return isinstance(inner, list) and len(inner) == 1 and isinstance(inner[0], str)


def _has_alias(node: Any, seen: set[int]) -> bool:
    """Whether a node stands in two places (``&a`` … ``*a``): no note needs it, and a few of them multiply without end."""
    if id(node) in seen:
        return True
    seen.add(id(node))
    parts = node.value if isinstance(node.value, list) else ()
    return any(_has_alias(child, seen) for part in parts for child in (part if isinstance(part, tuple) else (part,)))


@lru_cache(maxsize=1)
def _loader() -> type[Any]:
    """A loader that gives (data, repeated keys), every scalar as the string it is."""
    import yaml

    base: Any = getattr(yaml, "CBaseLoader", yaml.BaseLoader)

    class Loader(base):  # type: ignore[misc]
        def get_single_data(self) -> tuple[Any, list[tuple[int, str]]]:
            node = self.get_single_node()
            if node is None:
                return None, []
            if _has_alias(node, set()):
                raise yaml.YAMLError("alias")
            seen: set[str] = set()
            repeated = []
            if isinstance(node, yaml.MappingNode):
                for key, _ in node.value:
                    if isinstance(key, yaml.ScalarNode):
                        if key.value in seen:
                            repeated.append((key.start_mark.line, key.value))
                        seen.add(key.value)
            return self.construct_document(node), repeated

    return Loader
