"""What Markdown does inside a paragraph: comments that hide, code that holds nothing, backslashes that escape (§2)."""

from __future__ import annotations

import re
import string

_TRIGGER = re.compile(r"\\|`+|%%|<!--")
# Each ASCII punctuation mark inside code wears one of Unicode's 32 noncharacters while the line is read, so that no link,
# field or id is ever seen there; noncharacters are not for interchange, so text never has them.
_PROTECT = {ord(c): chr(0xFDD0 + i) for i, c in enumerate(string.punctuation)}
_RESTORE = {ord(v): chr(k) for k, v in _PROTECT.items()}
_NONCHARACTERS = re.compile("[\ufdd0-\ufdef]")


def plain(paragraph: str) -> str:
    """A paragraph (its lines joined by LF) without comments, with escapes dropped and code protected.

    The number of lines stays. ``restore`` gives protected code its characters back.
    """
    if not _TRIGGER.search(paragraph):
        return paragraph
    text = _NONCHARACTERS.sub("\ufffd", paragraph)
    out: list[str] = []
    at = 0
    unclosed: set[str] = set()  # marks that close nowhere ahead: looked for once, or a line of them would take forever
    while found := _TRIGGER.search(text, at):
        out.append(text[at : found.start()])
        mark, at = found[0], found.end()
        if mark == "\\":
            at = _escape(text, at, out)
        elif mark[0] == "`":
            close = None if mark in unclosed else re.compile(rf"(?<!`){mark}(?!`)").search(text, at)
            end = close.end() if close else at
            if close is None:
                unclosed.add(mark)
            out.append(text[found.start() : end].translate(_PROTECT) if close else mark)
            at = end
        else:
            end = -1 if mark in unclosed else text.find("%%" if mark == "%%" else "-->", at)
            if end < 0:
                unclosed.add(mark)
                out.append(mark)
                continue
            hidden = text[at:end]
            at = end + len("%%" if mark == "%%" else "-->")
            breaks = hidden.count("\n")
            if breaks:
                out.append("\n" * breaks)
            elif text[at : at + 1] == " " and (not out or not out[-1] or out[-1][-1] in " \t\n"):
                at += 1  # one space, not two, where the comment stood
    out.append(text[at:])
    return "".join(out)


def _escape(text: str, at: int, out: list[str]) -> int:
    char = text[at : at + 1]
    if char == "" or char not in string.punctuation:
        out.append("\\")
        return at
    if char == "|":
        line = "".join(out).rpartition("\n")[2]
        if line.rfind("[[") > line.rfind("]]"):
            char = "\\|"
    out.append(char)
    return at + 1


def restore(text: str) -> str:
    """Protected code back to the characters a person wrote."""
    return text.translate(_RESTORE) if _NONCHARACTERS.search(text) else text
