"""Where a line may be a fact: Markdown's block structure, one kind a physical line (§2).

markdown-it-py is the authority. A small scanner answers for what it can prove simple (bullets, paragraphs, headings and
fences at the left edge) and hands every other block, alone, to markdown-it; a property test holds that both agree.
Line indexes here count from 0.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.rules_block import StateBlock

# Kinds of line. Only PARAGRAPH (its first line) and TEXT (a later one) may hold a fact.
BLANK, TEXT, PARAGRAPH, HEADING, FENCE, INDENTED, HTML, QUOTE, COMMENT, MATH, HEADER, LOST = range(12)

MAX_NESTING = 100
_DEEP = 40  # open list items beyond which only markdown-it decides (each costs it two levels)


class Item(NamedTuple):
    """A list item: its first line, the column where its content begins, the item around it (-1: none)."""

    first: int
    content: int
    parent: int


@dataclass(slots=True)
class Blocks:
    """The structure of a text. ``item[i]`` is the innermost list item of line i, -1 outside lists."""

    kind: list[int]
    item: list[int]
    items: list[Item] = field(default_factory=list)
    unclosed: list[tuple[int, int]] = field(default_factory=list)  # (line, kind) of what never closes


# What, where a block may begin, could be anything but a paragraph.
_HAZARD = re.compile(
    r"[ \t]|\Z|`{3}|~{3}|<|>|#{1,6}(?:[ \t]|\Z)|[-*+](?:[ \t]|\Z)|[0-9]{1,9}[.)](?:[ \t]|\Z)"
    r"|(?:\*[ \t]*){3,}\Z|(?:-[ \t]*){3,}\Z|(?:_[ \t]*){3,}\Z"
)
_RULE = re.compile(r"(?:(?:\*[ \t]*){3,}|(?:-[ \t]*){3,}|(?:_[ \t]*){3,})\Z")
_HEADING = re.compile(r"#{1,6}(?:[ \t]|\Z)")
_FENCE = re.compile(r"(`{3,})[^`]*\Z|(~{3,})")
_BULLET = re.compile(r"[-*+][ \t]+[^ \t]")


def read_blocks(lines: list[str], start: int = 0) -> Blocks:
    """The kind and the list item of every line; the first ``start`` lines are the header (frontmatter)."""
    out = Blocks([HEADER] * start + [BLANK] * (len(lines) - start), [-1] * len(lines))
    at = start
    while at < len(lines):
        at = _scan(lines, at, out)
        if at < len(lines):
            at = _ask_markdown_it(lines, at, out)
    return out


def _scan(lines: list[str], start: int, out: Blocks) -> int:
    """Reads simple blocks from ``start``, a place outside any container, up to the first block it cannot prove simple.

    Returns where that block (for a list: its last item at the left edge) begins, or the end. What was noted of it is undone.
    """
    kinds, owners, items = out.kind, out.item, out.items
    stack: list[tuple[int, int]] = []  # (content column, item)
    in_paragraph = False
    root, root_items = start, len(items)
    n = len(lines)
    at = start
    while at < n:
        line = lines[at]
        first = line[:1]
        if first == "-" and line[1:2] == " " and (line[2:3] == "[" or not _HAZARD.match(line, 2)):
            root, root_items = at, len(items)
            stack = [(2, len(items))]
            owners[at] = len(items)
            items.append(Item(at, 2, -1))
            kinds[at] = PARAGRAPH
            in_paragraph = True
            at += 1
            continue
        if first == " " or first == "\t":
            position = 0
            column = 0
            for char in line:
                if char == " ":
                    column += 1
                elif char == "\t":
                    column += 4 - column % 4
                else:
                    break
                position += 1
            if position == len(line):
                in_paragraph = False
                at += 1
                continue
            first = line[position]
        elif not line:
            in_paragraph = False
            at += 1
            continue
        else:
            position = column = 0

        if line.startswith(("%%", "$$"), position):
            break
        if first in "-*+" and line[position + 1 : position + 2] == " " and not _HAZARD.match(line, position + 2):
            while stack and stack[-1][0] > column:
                stack.pop()
            if column - (stack[-1][0] if stack else 0) > 3 or len(stack) >= _DEEP or _RULE.match(line, position):
                break
            if not stack:
                root, root_items = at, len(items)
            owner = len(items)
            items.append(Item(at, column + 2, stack[-1][1] if stack else -1))
            stack.append((column + 2, owner))
            owners[at] = owner
            kinds[at] = PARAGRAPH
            in_paragraph = True
        elif _HAZARD.match(line, position):
            if column or position:
                break
            if _HEADING.match(line):
                kinds[at] = HEADING
                in_paragraph = False
            elif _RULE.match(line):
                in_paragraph = False
            elif _FENCE.match(line):
                root, root_items = at, len(items)
                end = _close_fence(lines, at, out)
                _mark(out, lines, 0, [at, end], FENCE)
                in_paragraph = False
                at = end - 1
            else:
                break
            stack.clear()
            root, root_items = at + 1, len(items)
        elif in_paragraph:
            kinds[at] = TEXT
            owners[at] = stack[-1][1] if stack else -1
        else:
            while stack and stack[-1][0] > column:
                stack.pop()
            if column - (stack[-1][0] if stack else 0) > 3:
                break
            if not stack:
                root, root_items = at, len(items)
            kinds[at] = PARAGRAPH
            owners[at] = stack[-1][1] if stack else -1
            in_paragraph = True
        at += 1
    else:
        return n
    kinds[root:at] = [BLANK] * (at - root)
    owners[root:at] = [-1] * (at - root)
    del items[root_items:]
    while root < at and not lines[root].strip(" \t"):
        root += 1
    return root


def _close_fence(lines: list[str], start: int, out: Blocks) -> int:
    mark = lines[start][0]
    length = len(lines[start]) - len(lines[start].lstrip(mark))
    for at in range(start + 1, len(lines)):
        bare = lines[at].rstrip(" \t")
        text = bare.lstrip(" ")
        if len(bare) - len(text) <= 3 and len(text) >= length and not text.strip(mark):
            return at + 1
    out.unclosed.append((start, FENCE))
    return len(lines)


# --- markdown-it --------------------------------------------------------------------------------------------------------


@lru_cache(maxsize=1)
def _parser() -> MarkdownIt:
    from markdown_it import MarkdownIt

    parser = MarkdownIt("commonmark", {"html": True, "maxNesting": MAX_NESTING})
    parser.disable(["lheading", "reference"])
    parser.block.ruler.before("fence", "caderneta_hidden", _hidden_rule, {"alt": ["paragraph", "blockquote", "list"]})
    return parser


def _hidden_rule(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    """``%%`` and ``$$`` blocks: opened only at the start of a physical line, closed by the next mark, whatever is between."""
    lines: list[str] = state.env["lines"]
    text = lines[start].lstrip(" \t")
    mark = text[:2]
    if mark not in ("%%", "$$") or state.is_code_block(start):
        return False
    if silent:
        return True
    last = start
    if mark not in text[2:]:
        last = next((i for i in range(start + 1, len(lines)) if mark in lines[i]), len(lines))
    closed = last < len(lines)
    token = state.push("caderneta_hidden", "", 0)
    token.map = [start, min(last + 1, len(lines))]
    token.meta = {"kind": COMMENT if mark == "%%" else MATH, "closed": closed}
    state.line = token.map[1]
    return True


def _ask_markdown_it(lines: list[str], start: int, out: Blocks) -> int:
    """Lets markdown-it read the one block at ``start`` (a root list: its first items). Returns the line after it.

    The window grows until the block's end no longer depends on lines outside it, so the cost follows the block.
    """
    from markdown_it.rules_block import StateBlock

    parser = _parser()
    rules = parser.block.ruler.getRules("")
    size = 8
    while True:
        window = lines[start : start + size]
        whole = start + size >= len(lines)
        env: dict[str, Any] = {"lines": window}
        state = StateBlock("\n".join(window), parser, env, [])
        for rule in rules:
            if rule(state, 0, state.lineMax, False):
                break
        used = max(state.line, 1)
        tokens, split = _first_items(state.tokens, window)
        if split:
            _note(tokens, lines, start, split, out)
            return start + split
        if whole or any(line.strip(" \t") for line in window[used:]):
            _note(state.tokens, lines, start, used, out)
            return start + used
        size *= 4


def _first_items(tokens: list[Any], window: list[str]) -> tuple[list[Any], int]:
    """The tokens of a root list's first item, where the next line begins another simple item: a fresh start is sound there."""
    if not tokens or tokens[0].type not in ("bullet_list_open", "ordered_list_open"):
        return tokens, 0
    end: int = tokens[1].map[1]
    if end < len(window) and _BULLET.match(window[end]):
        close = next(i for i, t in enumerate(tokens) if t.type == "list_item_close" and t.level == 1)
        return tokens[: close + 1], end
    return tokens, 0


def _note(tokens: list[Any], lines: list[str], offset: int, used: int, out: Blocks) -> None:
    """Writes markdown-it's tokens of one block into ``out``."""
    open_items: list[int] = []
    quotes = 0
    deepest = 0
    for token in tokens:
        deepest = max(deepest, token.level)
        kind = token.type
        if kind == "blockquote_open":
            quotes += 1
            if quotes == 1:
                _mark(out, lines, offset, token.map, QUOTE)
        elif kind == "blockquote_close":
            quotes -= 1
        elif quotes:
            if kind == "caderneta_hidden" and not token.meta["closed"]:
                out.unclosed.append((offset + token.map[0], token.meta["kind"]))
        elif kind == "list_item_open":
            first = offset + token.map[0]
            depth = sum(1 for i in open_items if out.items[i].first == first)
            out.items.append(Item(first, _content_column(lines[first], depth), open_items[-1] if open_items else -1))
            open_items.append(len(out.items) - 1)
        elif kind == "list_item_close":
            open_items.pop()
        elif kind == "paragraph_open":
            begin, end = offset + token.map[0], offset + token.map[1]
            out.kind[begin:end] = [PARAGRAPH] + [TEXT] * (end - begin - 1)
            out.item[begin:end] = [open_items[-1] if open_items else -1] * (end - begin)
        elif kind == "heading_open":
            _mark(out, lines, offset, token.map, HEADING)
            if open_items:  # a heading inside an item encloses nothing outside it
                out.item[offset + token.map[0]] = open_items[-1]
        elif kind == "fence":
            _mark(out, lines, offset, token.map, FENCE)
            end = offset + token.map[1]
            inside = token.content.count("\n") + (not token.content.endswith("\n") and token.content != "")
            closed = token.map[1] - token.map[0] == inside + 2  # the opening, the content, the closing
            if not closed and _is_last(lines, end):
                out.unclosed.append((offset + token.map[0], FENCE))
        elif kind == "code_block":
            _mark(out, lines, offset, token.map, INDENTED)
        elif kind == "html_block":
            _mark(out, lines, offset, token.map, HTML)
            end = offset + token.map[1]
            first = offset + token.map[0]
            if _is_last(lines, end) and "<!--" in lines[first] and not any("-->" in x for x in lines[first:end]):
                out.unclosed.append((offset + token.map[0], HTML))
        elif kind == "caderneta_hidden":
            _mark(out, lines, offset, token.map, token.meta["kind"])
            if not token.meta["closed"]:
                out.unclosed.append((offset + token.map[0], token.meta["kind"]))
    if deepest >= MAX_NESTING - 2:
        for at in range(offset, offset + used):
            if out.kind[at] == BLANK and lines[at].strip(" \t"):
                out.kind[at] = LOST


def _is_last(lines: list[str], end: int) -> bool:
    return not any(line.strip(" \t") for line in lines[end:])


def _mark(out: Blocks, lines: list[str], offset: int, span: list[int], kind: int) -> None:
    for at in range(offset + span[0], min(offset + span[1], len(lines))):
        if lines[at].strip(" \t"):
            out.kind[at] = kind


_MARKER = re.compile(r"[ \t]*(?:[-*+]|[0-9]{1,9}[.)])(?=[ \t]|\Z)")


def _content_column(line: str, depth: int) -> int:
    """The column at which the content of the ``depth``-th item opened on this line begins."""
    position = 0
    for _ in range(depth + 1):
        found = _MARKER.match(line, position)
        if not found:
            break
        position = found.end()
    while position < len(line) and line[position] in " \t":
        position += 1
    return visual_column(line, position)


def visual_column(line: str, position: int) -> int:
    """The column of a position with tabs at every fourth."""
    column = 0
    for char in line[:position]:
        column += 4 - column % 4 if char == "\t" else 1
    return column
