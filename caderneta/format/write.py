"""The canonical line (§2, §8): a value → the one way it is written. Within this domain, reading back gives the same value."""

from __future__ import annotations

import re

from caderneta.format.dates import is_day
from caderneta.format.line import read_aim, read_body
from caderneta.format.links import names_entity
from caderneta.format.statement import opening_link
from caderneta.format.text import fold_type, strip, visible, without_invisible
from caderneta.format.vocabulary import EVENTS, FIELDS

_LINE_BREAKS = re.compile("[\n\r\v\f\u0085\u2028\u2029]")
_FIELD = re.compile(r"\[([^\[\]:]{1,40})::")
_FORBIDDEN = ("~~", "%%", "<!--")
_TIME = re.compile(r"(?:[01][0-9]|2[0-3]):[0-5][0-9]\Z")
MAX_TEXT = 10_000
LARGEST_ID = 999_999_999


class Unwritable(ValueError):
    """A value the writer refuses (§8). ``str(error)`` is a finished Portuguese sentence."""


def write_line(
    kind: str,
    text: str,
    *,
    number: int,
    date: str | None = None,
    time: str | None = None,
    subject: str | None = None,
    targets: tuple[int, ...] = (),
    start: str | None = None,
    end: str | None = None,
    by: str | None = None,
    with_: str | None = None,
    scope: str | None = None,
    sources: tuple[str, ...] = (),
    daily: str = "",
) -> str:
    """One canonical fact line, without a line end.

    ``kind`` is the canonical type; ``text`` is what stands between the subject (or the targets) and the id; ``date`` is
    written only when given (a daily file says it already); ``subject`` is a note's name; ``daily`` the pattern of daily
    files. Raises Unwritable for a value that would not read back as itself.
    """
    event = kind in EVENTS
    if not 1 <= number <= LARGEST_ID:
        raise Unwritable(f"#{number} não é um número de linha: eles vão de 1 a {LARGEST_ID}.")
    if event and (start or end):
        raise Unwritable("Um evento não tem começo nem fim: ele age no dia dele.")
    check_text(text, event=event)
    stamp = _stamp(date, time)
    head = f"- {stamp}{kind} :: "
    if targets:
        lead = ", ".join(f"#{n}" for n in targets)
        body = f"{lead} · {strip(text)}" if strip(text) else lead
    elif subject:
        check_subject(subject)
        if daily and not names_entity(subject, daily):
            raise Unwritable(f'"{visible(subject)}" é um dia ou um anexo, e não o nome de uma entidade.')
        body = f"[[{subject}]] {strip(text)}" if strip(text) else f"[[{subject}]]"
    else:
        body = strip(text)
    if not event and subject is None and daily and opening_link(body, daily)[0] is not None:
        raise Unwritable("O texto começa com um link, que seria lido como o assunto. Dê o assunto à parte.")
    fields = [("de", start), ("ate", end), ("por", by), ("com", with_), ("escopo", scope), *(("fonte", s) for s in sources)]
    tail = "".join(f" [{key}:: {_field(key, value)}]" for key, value in fields if value)
    return f"{head}{body} (#{number}){tail}"


def _stamp(date: str | None, time: str | None) -> str:
    if date is not None and not is_day(date):
        raise Unwritable(f'"{visible(date)}" não é um dia. Escreva AAAA-MM-DD.')
    if time is not None and not _TIME.match(time):
        raise Unwritable(f'"{visible(time)}" não é uma hora. Escreva HH:MM.')
    inside = " ".join(part for part in (date, time) if part)
    return f"[{inside}] " if inside else ""


def check_text(text: str, *, event: bool = False) -> None:
    """Raises Unwritable when a text cannot be one line's text (§8); an event's text may be empty (its reason)."""
    _check_characters(text, "O texto")
    if not event and not strip(without_invisible(text)):
        raise Unwritable("O texto está vazio: não há o que anotar.")
    if len(text) > MAX_TEXT:
        raise Unwritable(f"O texto tem {len(text)} caracteres; um fato cabe numa linha de até {MAX_TEXT}.")
    for mark in _FORBIDDEN:
        if mark in text:
            raise Unwritable(f'O texto contém "{mark}", que esconde ou risca parte da linha. Tire essa marca.')
    if text.count("`") % 2 or re.search(r"`{2,}", text):
        raise Unwritable("O texto tem crases sem par: podem esconder o que vem depois. Tire-as ou feche-as.")
    if "\\" in text:
        raise Unwritable('O texto contém "\\", que some na leitura. Escreva "/" ou outra forma.')
    for found in _FIELD.finditer(text):
        if fold_type(found[1]) in FIELDS:
            raise Unwritable(f'O texto contém o campo "[{visible(found[1])}::". Dê-o à parte, pela opção dele.')
    body = read_body(f" {text} (#1)", False)
    if body.text != strip(text) or body.id != 1 or body.problems or read_body(f" {text}", False).text != strip(text):
        raise Unwritable('O texto termina como uma linha: com "(#n)", "^bloco" ou um sinal de tarefa. Mude o fim.')
    if event and read_aim(f"#1 · {text}" if strip(text) else "#1").reason != strip(text):
        raise Unwritable("O motivo não se lê de volta como foi dado. Escreva-o com palavras.")


def check_subject(subject: str) -> None:
    """Raises Unwritable when a note's name cannot stand between ``[[`` and ``]]``."""
    _check_characters(subject, "O nome da entidade")
    if not strip(subject) or strip(subject) != subject:
        raise Unwritable("O nome da entidade está vazio ou tem espaço nas pontas.")
    found = next((c for c in "[]|#^\\`" if c in subject), None)
    if found or "%%" in subject or "<!--" in subject:
        raise Unwritable(f'O nome da entidade contém "{found or "%% ou <!--"}", que um link não aceita.')


def _field(key: str, value: str) -> str:
    _check_characters(value, f'O campo "{key}"')
    depth = 0
    for char in value:
        depth += (char == "[") - (char == "]")
        if depth < 0:
            break
    if depth or not strip(value) or any(mark in value for mark in (*_FORBIDDEN, "`", "\\")):
        raise Unwritable(f'O campo "{key}" não cabe entre colchetes: "{visible(value)}".')
    if key in ("de", "ate") and not is_day(value):
        raise Unwritable(f'"{visible(value)}" não é um dia. Escreva AAAA-MM-DD.')
    return strip(value)


def _check_characters(text: str, what: str) -> None:
    if _LINE_BREAKS.search(text):
        raise Unwritable(f"{what} tem quebra de linha: um fato é uma linha só. Escreva tudo numa linha, ou um fato por vez.")
    if any("\ud800" <= c <= "\udfff" for c in text):
        raise Unwritable(f"{what} tem bytes que não são texto UTF-8.")
    for i, char in enumerate(text):
        if visible(char) != char or "\ufdd0" <= char <= "\ufdef":
            raise Unwritable(f"{what} tem um caractere de controle (U+{ord(char):04X}, na posição {i + 1}). Tire-o.")
