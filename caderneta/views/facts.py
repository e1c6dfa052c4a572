"""A fact and a finding as everybody outside sees them: JSON (commands.md, "The JSON of a fact") and one line of text."""

from __future__ import annotations

from typing import Any

from caderneta.checks.rules import message
from caderneta.format.text import collapse, cut, visible
from caderneta.format.values import STRUCK, Fact, Finding
from caderneta.ledger.projection import Projection
from caderneta.views.shown import link, words

LABELS = {
    "decisao": "decisão",
    "pendencia": "pendência",
    "mudanca": "mudança",
    "observacao": "observação",
    "relacao": "relação",
    "sintese": "síntese",
}


def fact_json(projection: Projection, fact: Fact) -> dict[str, Any]:
    """A fact in the one shape everywhere; absent values are ``None``. Texts are as written: who prints them escapes."""
    extra = fact.extra
    state, cause = projection.status(fact)
    edge = extra.relation
    return {
        "id": projection.number(fact),
        "tipo": fact.type,
        "data": fact.date,
        "hora": fact.time,
        "assunto": projection.subject_name(fact),
        "mencoes": [_name(projection, mention) for mention in extra.mentions],
        "texto": fact.text,
        "estado": state,
        "causa": cause and {"id": cause.id, "motivo": cause.text or None, "arquivo": cause.path, "linha": cause.line},
        "alvos": [
            {"id": target.id if aimed is None else aimed.id, "arquivo": aimed and aimed.path, "linha": aimed and aimed.line}
            for target, aimed in projection.targets_of(fact)
        ],
        "de": extra.start,
        "ate": extra.end,
        "por": extra.by,
        "com": extra.with_,
        "escopo": extra.scope,
        "fontes": list(extra.sources),
        "chave": extra.key,
        "valor": extra.value,
        "evidencias": [{"postura": e.stance, "texto": e.text, "linha": e.line} for e in extra.evidence],
        "relacao": edge and {"de": _name(projection, edge.source), "tipo": edge.type, "para": _name(projection, edge.target)},
        "verificado": not fact.is_event and projection.verified(fact),
        "frio": not fact.is_event and projection.cold(fact),
        "riscado": bool(fact.flags & STRUCK),
        "arquivo": fact.path,
        "linha": fact.line,
    }


def finding_json(finding: Finding) -> dict[str, Any]:
    """A finding as ``estado --json`` and ``contradicoes --json`` hold it."""
    return {
        "codigo": finding.code,
        "mensagem": message(finding),
        "arquivo": finding.path,
        "linha": finding.line,
        "ids": list(finding.ids),
    }


def place(path: str, line: int) -> str:
    """Where a line stands, in few letters: a daily file by its name alone, which its date makes unique."""
    name = path.rpartition("/")[2]
    return f"{name if _is_day(name[:-3]) else path}:{line}"


def ref(fact: Fact) -> str:
    """What to call a fact: its id, else its place."""
    return f"#{fact.id}" if fact.id is not None else place(fact.path, fact.line)


def label(type_: str) -> str:
    """A type as people write it."""
    return LABELS.get(type_, type_)


def describe(projection: Projection, fact: Fact, limit: int = 240) -> str:
    """A fact in one plain line for terminals: id, date, type, subject, text. Not Markdown: no mark is escaped."""
    subject = projection.subject_name(fact)
    says = cut(collapse(visible(statement(projection, fact))), limit)
    kind = "" if fact.is_event else label(fact.type)
    parts = (ref(fact), fact.date or "sem data", kind, f"[[{subject}]]" if subject else "", says)
    return visible(" ".join(part for part in parts if part))


def statement(projection: Projection, fact: Fact) -> str:
    """What a fact says, in its own words: an edge with its type and other end, an event with its targets."""
    if fact.extra.relation is not None:
        edge = fact.extra.relation
        says = f"{edge.type} [[{_name(projection, edge.target)}]]"
        return f"{says}: {fact.text}" if fact.text else says
    if fact.is_event:
        aims = ", ".join(f"#{t.id}" if aimed is None else ref(aimed) for t, aimed in projection.targets_of(fact))
        return f"{fact.type} {aims}: {fact.text}" if fact.text else f"{fact.type} {aims}"
    return fact.text


def subject_link(projection: Projection, fact: Fact) -> str:
    """A fact's subject as a wikilink; empty when it has none."""
    return "" if fact.subject is None else entity_link(projection, projection.entities.key(fact.subject))


def entity_link(projection: Projection, key: str) -> str:
    """An entity as a wikilink."""
    return link(projection.entity_name(key), (projection.entities.note_path(key) or key) if "/" in key else "")


def note_link(projection: Projection, fact: Fact) -> str:
    """The note a fact stands in as a wikilink, by its whole path where the name alone would be ambiguous."""
    name = fact.path.rpartition("/")[2]
    stem, path = (name[:-3], fact.path[:-3]) if name.lower().endswith(".md") else (name, fact.path)
    document = projection.documents.get(fact.path)
    if document is not None and document.day is not None:
        return link(stem) if _is_day(stem) else link(path)
    return link(stem, path if "/" in projection.entities.key(path) else "")


def shown_statement(projection: Projection, fact: Fact, limit: int = 240) -> str:
    """What a fact says, harmless in Markdown."""
    if fact.extra.relation is not None:
        edge = fact.extra.relation
        says = f"{words(edge.type, 40)} {entity_link(projection, projection.entities.key(edge.target))}"
        return f"{says}: {words(fact.text, limit)}" if fact.text else says
    shown = words(statement(projection, fact), limit)
    return f"{shown}, não se sabe" if fact.extra.value == "?" else shown


def _name(projection: Projection, written: str) -> str:
    return projection.shown(written)


def _is_day(stem: str) -> bool:
    return len(stem) == 10 and stem[4] == stem[7] == "-" and stem.replace("-", "").isascii() and stem.replace("-", "").isdigit()
