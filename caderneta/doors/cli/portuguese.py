"""Typer's own words in Portuguese: its help pages and its complaints about how a command was typed.

Help is translated as finished text, complaints from their parts, so that nothing depends on typer's insides.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from difflib import get_close_matches
from typing import Any

from typer.core import TyperCommand, TyperGroup

_HELP = (
    (r"\AUsage: ", "Uso: "),
    (r"\[OPTIONS\]", "[OPÇÕES]"),
    (r"COMMAND \[ARGS\]\.\.\.", "COMANDO [ARGUMENTOS]…"),
    (r"(?m)^Arguments:$", "Argumentos:"),
    (r"(?m)^Options:$", "Opções:"),
    (r"(?m)^Commands:$", "Comandos:"),
    (r"\[required\]", "[obrigatório]"),
    (r"\[default: ", "[padrão: "),
    (r"; required\]", "; obrigatório]"),
    (r"x>=([0-9]+)\]", r"no mínimo \1]"),
    (r"Show this message and exit\.", "Mostra esta ajuda e sai."),
)
_REQUIRED = re.compile(r"\{([^{}\s]+)\}")
_QUOTED = re.compile(r"'([^']*)'")
_UNFINISHED = re.compile(r"Option '([^']+)' requires ")
_NO_VALUE = re.compile(r"Option '([^']+)' does not take a value")
_EXTRA = re.compile(r"Got unexpected extra arguments?(?:\(s\))? \((.*)\)", re.S)
_LIST_OF_IDS = re.compile(r"#?[0-9]+(?: #?[0-9]+)*")
_RANGE = re.compile(r"is not in the range (.+?)\.?\Z")


def translate_help(text: str) -> str:
    """A help page or usage line with typer's words in Portuguese."""
    for english, portuguese in _HELP:
        text = re.sub(english, portuguese, text)
    head, newline, rest = text.partition("\n")
    return _REQUIRED.sub(r"\1", head) + newline + rest


class Command(TyperCommand):
    """A command whose help speaks Portuguese."""

    def get_help(self, ctx: Any) -> str:
        return translate_help(super().get_help(ctx))

    def get_usage(self, ctx: Any) -> str:
        return translate_help(super().get_usage(ctx))


class Group(TyperGroup):
    """The same for the group of commands, which also names the nearest of an unknown one."""

    def get_help(self, ctx: Any) -> str:
        return translate_help(super().get_help(ctx))

    def get_usage(self, ctx: Any) -> str:
        return translate_help(super().get_usage(ctx))

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        if args and not args[0].startswith("-") and self.get_command(ctx, args[0]) is None:
            raise UnknownCommand(args[0], self.list_commands(ctx))
        return super().resolve_command(ctx, args)


class UnknownCommand(Exception):
    """A word that is no command. ``str()`` is what a person reads."""

    def __init__(self, word: str, known: Iterable[str]) -> None:
        near = get_close_matches(word.lower(), list(known), 1, 0.5)
        hint = f' Quis dizer "{near[0]}"?' if near else ""
        super().__init__(f'Não há comando "{word}".{hint} A lista está em caderneta --help.')


def complaint(error: Any) -> str:
    """What is wrong with a command line, from typer's exception (any of its usage errors)."""
    kind = type(error).__name__
    if kind == "MissingParameter":
        return _missing(error)
    if kind in ("NoSuchOption", "NoSuchOptionError"):
        near = f" Quis dizer {' ou '.join(sorted(error.possibilities))}?" if error.possibilities else ""
        return f"Não há opção {error.option_name}.{near} Se isso é texto, ponha -- antes dele."
    message = str(error.message)
    if found := _UNFINISHED.match(message):
        return f"Faltou o valor da opção {found[1]}."
    if found := _NO_VALUE.match(message):
        return f"A opção {found[1]} não leva valor."
    if (found := _EXTRA.match(message)) and _LIST_OF_IDS.fullmatch(found[1]) and _takes_id(error):
        return f"Sobrou: {found[1]}. É uma linha por vez: rode o comando uma vez para cada número."
    if found := _EXTRA.match(message):
        return f"Sobrou: {found[1]}. Se é tudo um texto só, escreva-o entre aspas."
    if message.startswith("Missing command"):
        return "Faltou dizer o comando. A lista está em caderneta --help."
    if kind == "BadParameter":
        return _bad_value(error, message)
    return message


def _missing(error: Any) -> str:
    command = error.ctx.info_name if error.ctx else ""
    name = error.param.name if error.param else ""
    example = _EXAMPLES.get((command, name))
    if name == "number":
        return f"Faltou o número: no terminal, # começa um comentário. Escreva caderneta {example or f'{command} 41'}."
    if (command, name) == ("add", "text") and _is_event(error.ctx.params.get("kind")):
        sharp = "No terminal, # começa um comentário: use aspas."
        return f"Faltou o texto. {sharp} Por exemplo: caderneta add - resolvido '#41 · notas enviadas'"
    if example:
        return f"Faltou {_NAMES.get(name, name)}. Por exemplo: caderneta {example}"
    opts = ", ".join(error.param.opts) if error.param and error.param.param_type_name == "option" else ""
    return f"Faltou a opção {opts}." if opts else f"Faltou o argumento {_hint(error)}."


def _takes_id(error: Any) -> bool:
    return error.ctx is not None and any(param.name == "number" for param in error.ctx.command.params)


def _is_event(word: str | None) -> bool:
    """Whether a type typed in `add` is an event's, whose text begins with an id."""
    from caderneta.format.text import fold_type
    from caderneta.format.vocabulary import vocabulary

    known = vocabulary().words.get(fold_type((word or "")[:40]))
    return known is not None and known[1] in ("event", "word")


_NAMES = {
    "words": "o termo, o que procurar",
    "text": "o texto",
    "reason": "o motivo",
    "kind": "o tipo",
    "entity": "a entidade",
    "place": "o lugar",
}
_EXAMPLES = {
    ("buscar", "words"): "buscar proposta",
    ("add", "entity"): "add 'Cliente ACME' decisao 'proposta fechada em 7.350/mês'",
    ("add", "kind"): "add 'Cliente ACME' decisao 'proposta fechada em 7.350/mês'",
    ("add", "text"): "add 'Cliente ACME' decisao 'proposta fechada em 7.350/mês'",
    ("trocar", "number"): "trocar 41 'o texto novo' --motivo 'por que mudou'",
    ("trocar", "text"): "trocar 41 'o texto novo' --motivo 'por que mudou'",
    ("trocar", "reason"): "trocar 41 'o texto novo' --motivo 'por que mudou'",
    ("superar", "number"): "superar 41 'por que deixou de valer'",
    ("superar", "reason"): "superar 41 'por que deixou de valer'",
    ("aposentar", "number"): "aposentar 41 'por que sai da vista'",
    ("aposentar", "reason"): "aposentar 41 'por que sai da vista'",
    ("renumerar", "place"): "renumerar diario/2026/2026-07-20.md:9",
}


def _hint(error: Any) -> str:
    param = error.param
    return str(getattr(param, "metavar", None) or getattr(param, "name", "")) if param else ""


def _bad_value(error: Any, message: str) -> str:
    name = ", ".join(error.param.opts) if error.param is not None else ""
    where = f" em {name}" if name.startswith("-") else f" em {_hint(error)}" if name else ""
    quoted = _QUOTED.match(message)
    value = f' "{quoted[1]}"' if quoted else ""
    if " is not one of " in message:
        choices = ", ".join(_QUOTED.findall(message)[1:])
        return f"Valor{value} não serve{where}. Escolha um destes: {choices}."
    if "valid int" in message:
        return f"Valor{value} não serve{where}: é preciso um número inteiro."
    if found := _RANGE.search(message):
        return f"Valor fora do alcance{where}. {found[1].replace('x>=', 'O mínimo é ')}."
    return f"Valor não serve{where}: {message}"
