"""`lint`: every finding of the reading and of the fold, with file, line and column."""

from __future__ import annotations

import shlex
from collections import Counter
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated, Any

import typer

from caderneta.doors.cli.session import Vault, open_vault
from caderneta.doors.cli.text import Piece, say, show, show_json
from caderneta.doors.failure import BAD_REQUEST, NOTHING_FOUND, Failure
from caderneta.format.text import visible
from caderneta.views.shown import count

if TYPE_CHECKING:
    from caderneta.format.values import Finding

_NO_NUMBER = "CAD119"
_SHOWN_LINES = 3
_STYLES = {"erro": "bold red", "aviso": "yellow", "nota": "dim"}


class Formato(StrEnum):
    """How `lint` answers."""

    texto = "texto"
    json = "json"


def lint(
    ctx: typer.Context,
    files: Annotated[list[str] | None, typer.Argument(metavar="ARQUIVOS…", help="Só estes; sem nenhum, o cofre todo.")] = None,
    form: Annotated[Formato, typer.Option("--formato", help="Como responder.")] = Formato.texto,
    select: Annotated[
        str | None, typer.Option("--selecionar", metavar="CÓDIGOS", help="Só estes códigos ou famílias: CAD1,CAD209.")
    ] = None,
    ignore: Annotated[str | None, typer.Option("--ignorar", metavar="CÓDIGOS", help="Todos menos estes.")] = None,
    strict: Annotated[bool, typer.Option("--rigor", help="Um aviso também faz o comando terminar em 1.")] = False,
    rules: Annotated[bool, typer.Option("--regras", help="Mostra a tabela das regras e sai.")] = False,
    vault: Vault = None,
) -> None:
    """Mostra o que não se lê, o que quase conta e o que não fecha. Termina em 1 se há erro.

    Exemplo: caderneta lint diario/2026/2026-07-09.md
    """
    from caderneta.checks.rules import severity

    wanted, unwanted = _codes(select, "--selecionar"), _codes(ignore, "--ignorar")
    if rules:
        _table(form)
        return
    workspace = open_vault(ctx, vault, tells_findings=True)
    found = workspace.projection.findings()
    if files:
        from caderneta.doors.cli.places import among, vault_paths

        chosen = vault_paths(workspace, files)
        found = [f for f in found if among(f.path, chosen)]
    found = [f for f in found if (not wanted or f.code.startswith(wanted)) and not (unwanted and f.code.startswith(unwanted))]
    counts: Counter[str] = Counter(severity(f.code) for f in found)
    if form is Formato.json:
        show_json([_json(f) for f in found])
    else:
        _print(found, collapse=_NO_NUMBER not in wanted)
        _sum_up(counts)
    if counts["erro"] or (strict and counts["aviso"]):
        raise typer.Exit(NOTHING_FOUND)


def _codes(written: str | None, option: str) -> tuple[str, ...]:
    """Codes or families (``CAD1``), separated by commas or spaces. Raises Failure for one that fits no rule."""
    from caderneta.checks.rules import RULES

    codes = tuple((written or "").replace(",", " ").upper().split())
    for code in codes:
        if not any(rule.code.startswith(code) for rule in RULES):
            raise Failure(
                BAD_REQUEST, f'{option}: nenhuma regra se chama "{visible(code)}". A tabela está em caderneta lint --regras.'
            )
    return codes


def _print(found: list[Finding], collapse: bool) -> None:
    """One line each; lines without a number, of which a vault may have thousands, one line a file when ``collapse``."""
    unnumbered: dict[str, list[int]] = {}
    for finding in found:
        if collapse and finding.code == _NO_NUMBER:
            unnumbered.setdefault(finding.path, []).append(finding.line)
    for finding in found:
        if not (collapse and finding.code == _NO_NUMBER):
            show(*_line(finding), indent=4)
        elif lines := unnumbered.pop(finding.path, None):
            show(*_unnumbered(finding.path, lines), indent=4)


def _unnumbered(path: str, lines: list[int]) -> list[Piece]:
    some = ", ".join(str(line) for line in lines[:_SHOWN_LINES]) + ("…" if len(lines) > _SHOWN_LINES else "")
    said = f"{count(len(lines), 'linha', 'linhas')} sem número ({some}): caderneta numerar {shlex.quote(path)}"
    return [(f"{path}: ", "bold"), (f"{_NO_NUMBER} nota: ", _STYLES["nota"]), said]


def _line(finding: Finding) -> list[Piece]:
    from caderneta.checks.rules import message, severity

    kind = severity(finding.code)
    place = f"{finding.path}:{finding.line}:{finding.column}: "
    return [(place, "bold"), (f"{finding.code} {kind}: ", _STYLES[kind]), message(finding)]


def _json(finding: Finding) -> dict[str, Any]:
    from caderneta.checks.rules import severity
    from caderneta.views.facts import finding_json

    return {**finding_json(finding), "coluna": finding.column, "gravidade": severity(finding.code)}


def _sum_up(counts: Counter[str]) -> None:
    if not counts:
        say("Nada a apontar.")
        return
    words = (("erro", "erro", "erros"), ("aviso", "aviso", "avisos"), ("nota", "nota", "notas"))
    say(", ".join(f"{counts[kind]} {one if counts[kind] == 1 else many}" for kind, one, many in words if counts[kind]) + ".")


def _table(form: Formato) -> None:
    from caderneta.checks.rules import RULES

    if form is Formato.json:
        show_json([{"codigo": r.code, "gravidade": r.severity, "titulo": r.title, "razao": r.reason} for r in RULES])
        return
    for rule in RULES:
        kind = (f"{rule.severity:5}", _STYLES[rule.severity])
        show((rule.code, "bold"), " ", kind, f" {rule.title}. ", (rule.reason, "dim"), indent=13)
