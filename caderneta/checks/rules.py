"""Every finding there is: its code, how serious, why it exists, and a tiny example that has it and one that has not.

The examples are a daily file's text (of 2026-07-20, read on that day), or a whole vault as path → text. The test suite
runs them, and the documentation is made from them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from caderneta.checks.messages import message as message

Severity = Literal["erro", "aviso", "nota"]
Example = str | Mapping[str, str]

EXAMPLE_DAY = "2026-07-20"
EXAMPLE_PATH = "diario/2026/2026-07-20.md"
# A line that looked meant and does not count (§2): told by how many there are.
ALMOST = ("CAD106", "CAD107", "CAD108", "CAD131")


@dataclass(frozen=True, slots=True)
class Rule:
    """``title`` names the finding in a list; ``reason`` says why it is one; ``bad`` has it, ``good`` has not."""

    code: str
    severity: Severity
    title: str
    reason: str
    bad: Example
    good: Example


_TASK = "- pendencia :: mandar as notas (#1)\n"
_DECISION = "- decisao :: [[Sala]] abre em agosto (#1)\n"

RULES: tuple[Rule, ...] = (
    Rule("CAD101", "erro", "data impossível", "Uma data que não existe nunca é adivinhada: a linha fica sem dia.",
         "- [2026-02-30 10:00] decisao :: fechar (#1)", "- [2026-02-28 10:00] decisao :: fechar (#1)"),
    Rule("CAD102", "erro", "hora impossível", "Nenhum relógio mostra essa hora.",
         "- [25:00] decisao :: fechar (#1)", "- [23:00] decisao :: fechar (#1)"),
    Rule("CAD103", "aviso", "linha sem data", "Sem data, a linha não entra em janela de dias nenhuma.",
         {"Sala.md": "- decisao :: fechar (#1)"}, {"Sala.md": "- [2026-07-20] decisao :: fechar (#1)"}),
    Rule("CAD104", "nota", "data diferente da do arquivo", "É lícito anotar depois; só vale conferir.",
         "- [2026-07-18 10:00] decisao :: fechar (#1)", "- [2026-07-20 10:00] decisao :: fechar (#1)"),
    Rule("CAD105", "nota", "data no futuro", "A linha só vale a partir daquele dia.",
         "- [2026-08-01 10:00] decisao :: fechar (#1)", "- [10:00] decisao :: fechar (#1)"),
    Rule("CAD106", "erro", "tipo desconhecido", "Quem carimbou a linha quis que ela contasse, e ela não conta.",
         "- [10:00] decizao :: fechar", "- [10:00] decisao :: fechar"),
    Rule("CAD107", "aviso", "quase um fato", "Tem carimbo e tipo, mas não tem a forma de um fato.",
         "- [10:00] **decisao** fechar", "- [10:00] decisao :: fechar"),
    Rule("CAD108", "aviso", "quase um fato no diário", "Começa com um tipo conhecido, e mesmo assim não conta.",
         "- decisao: fechar", "- decisao :: fechar"),
    Rule("CAD109", "nota", 'um só ":"', 'A forma certa tem dois; com o carimbo, um só também se entende.',
         "- [10:00] decisao: fechar (#1)", "- [10:00] decisao :: fechar (#1)"),
    Rule("CAD110", "nota", "texto vazio", "Uma linha que não diz nada não é fato.",
         "- [10:00] decisao ::", "- [10:00] decisao :: fechar"),
    Rule("CAD111", "aviso", '"~~" sem fechar', "Não se sabe até onde ia o risco.",
         "- ~~[10:00] decisao :: fechar (#1)", "- [10:00] decisao :: fechar (#1)"),
    Rule("CAD112", "erro", "dois números na linha", "Uma linha tem um número só.",
         "- decisao :: fechar (#1) (#2)", "- decisao :: fechar (#2)"),
    Rule("CAD113", "aviso", "texto depois do número", "O número só conta no fim da linha.",
         "- decisao :: fechar (#1) hoje mesmo", "- decisao :: fechar hoje mesmo (#1)"),
    Rule("CAD114", "aviso", "número fora do alcance", "Números vão de 1 a 999999999.",
         "- decisao :: fechar (#1234567890)", "- decisao :: fechar (#1)"),
    Rule("CAD115", "aviso", "linha quebrada", "Um fato é uma linha; o editor partiu esta em duas.",
         "- decisao :: fechar a sala\n  até segunda", "- decisao :: fechar a sala até segunda"),
    Rule("CAD116", "nota", "fato onde nada conta", "Em código, citação, comentário, HTML e título nada conta.",
         "> - decisao :: fechar (#1)", "- decisao :: fechar (#1)"),
    Rule("CAD117", "aviso", "campo repetido", "Só o primeiro vale.",
         "- decisao :: fechar (#1) [por:: Ana] [por:: Bia]", "- decisao :: fechar (#1) [por:: Ana]"),
    Rule("CAD118", "erro", "data de campo ilegível", "Um prazo que não se lê não avisa ninguém.",
         "- pendencia :: pagar (#1) [ate:: sexta]", "- pendencia :: pagar (#1) [ate:: 2026-07-24]"),
    Rule("CAD119", "nota", "linha sem número", "Vale, mas de longe ninguém aponta para ela.",
         "- decisao :: fechar", "- decisao :: fechar (#1)"),
    Rule("CAD120", "aviso", "caractere que não se vê", "O que não se vê pode mudar o que se lê.",
         "- decisao :: fechar\u202e a sala (#1)", "- decisao :: fechar a sala (#1)"),
    Rule("CAD121", "erro", "bloco oculto sem fechar", "Esconde tudo até o fim do arquivo.",
         "%%\n- decisao :: fechar", "%%\nrascunho\n%%\n- decisao :: fechar"),
    Rule("CAD122", "erro", "listas fundas demais", "Além de certo ponto o Markdown deixa de ler.",
         "- " * 120 + "decisao :: fechar", "- - decisao :: fechar"),
    Rule("CAD123", "aviso", '"[-]" não cancela', "Cancelar tem motivo, e o motivo se escreve num supersede.",
         "- [-] pendencia :: pagar (#1)", "- [ ] pendencia :: pagar (#1)"),
    Rule("CAD124", "aviso", 'fato sem "="', "Um valor tem nome: chave = valor.",
         "- fato :: [[Sala]] a diária subiu (#1)", "- fato :: [[Sala]] diária = 980 (#1)"),
    Rule("CAD125", "aviso", "cerca ou comentário sem fechar", "Nada conta daí até o fim do arquivo.",
         "```\n- decisao :: fechar", "```\nrascunho\n```\n- decisao :: fechar"),
    Rule("CAD126", "erro", "relação fora do vocabulário", "Com poucos tipos, todos perguntam do mesmo jeito.",
         "- relacao :: [[A]] -[odeia]-> [[B]] (#1)", "- relacao :: [[A]] -[atende]-> [[B]] (#1)"),
    Rule("CAD127", "erro", "relação ilegível", "Faltam as duas pontas ou a seta.",
         "- relacao :: [[A]] atende [[B]] (#1)", "- relacao :: [[A]] -[atende]-> [[B]] (#1)"),
    Rule("CAD128", "erro", "evidência de um evento", "Evidência apoia o que alguém afirma.",
         _DECISION + "- supersede :: #1 · mofo (#2)\n  - apoia :: laudo", _DECISION + "  - apoia :: laudo"),
    Rule("CAD129", "aviso", 'evidência com um só ":"', "Assim ela não conta.",
         _DECISION + "  - fonte: contrato", _DECISION + "  - fonte :: contrato"),
    Rule("CAD130", "aviso", "validade num evento", "Um evento vale a partir da data da linha.",
         _DECISION + "- supersede :: #1 · mofo [de:: 2026-07-01] (#2)", _DECISION + "- supersede :: #1 · mofo (#2)"),
    Rule("CAD131", "aviso", "feito o quê?", "Sem alvo, não se sabe o que foi feito.",
         "- feito :: mandei tudo", _TASK + "- feito :: #1 · mandei tudo"),
    Rule("CAD132", "aviso", "valor sem assunto", "Não se sabe de quem é o valor.",
         "- fato :: diária = 980 (#1)", "- fato :: [[Sala]] diária = 980 (#1)"),
    Rule("CAD133", "aviso", "campo com um só :", "Fica como texto: o prazo ou a pessoa não são lidos.",
         "- pendencia :: fechar [ate: 2026-07-15]", "- pendencia :: fechar [ate:: 2026-07-15]"),
    Rule("CAD201", "erro", "evento sem alvo", "Um evento fala de outra linha.",
         "- supersede :: mudou tudo (#2)", _DECISION + "- supersede :: #1 · mudou tudo (#2)"),
    Rule("CAD202", "erro", "alvo malformado", "Na dúvida sobre o alvo, nada morre.",
         _DECISION + "- supersede :: #1abc · mofo (#2)", _DECISION + "- supersede :: #1 · mofo (#2)"),
    Rule("CAD203", "erro", "alvo que não existe", "O evento não age sobre nada.",
         "- supersede :: #9 · mofo (#2)", _DECISION + "- supersede :: #1 · mofo (#2)"),
    Rule("CAD204", "erro", "evento que aponta para si", "Ninguém dá baixa em si mesmo.",
         "- supersede :: #2 · mofo (#2)", _DECISION + "- supersede :: #1 · mofo (#2)"),
    Rule("CAD205", "erro", "evento que aponta para a frente", "Um evento fala do que veio antes dele.",
         "- supersede :: #3 · mofo (#2)\n- decisao :: abre em maio (#3)", _DECISION + "- supersede :: #1 · mofo (#2)"),
    Rule("CAD206", "erro", "alvo ambíguo", "O número está em linhas diferentes, e não se escolhe por ninguém.",
         _DECISION + "- decisao :: outra coisa (#1)\n- supersede :: #1 · mofo (#2)", _DECISION + "- supersede :: #1 · mofo (#2)"),
    Rule("CAD207", "aviso", "falta o motivo", "O motivo é o que se procura depois.",
         _DECISION + "- supersede :: #1 (#2)", _DECISION + "- supersede :: #1 · mofo (#2)"),
    Rule("CAD208", "erro", "resolvido no que não é tarefa", "Uma decisão não se faz, deixa de valer.",
         _DECISION + "- resolvido :: #1 · pronto (#2)", _TASK + "- resolvido :: #1 · pronto (#2)"),
    Rule("CAD209", "erro", "mesmo número, linhas diferentes", "Quem aponta para o número não sabe para qual das duas.",
         _DECISION + "- decisao :: [[Sala]] fecha (#1)", _DECISION + "- decisao :: [[Sala]] fecha (#2)"),
    Rule("CAD210", "aviso", "linha copiada", "Conta uma vez só, a mais antiga.",
         _TASK + _TASK, _TASK),
    Rule("CAD211", "aviso", "evento anterior ao alvo", "Não dá para encerrar o que ainda não começou.",
         _DECISION + "- [2026-07-01] supersede :: #1 · mofo (#2)", _DECISION + "- supersede :: #1 · mofo (#2)"),
    Rule("CAD212", "aviso", "riscada, falta o motivo", "Riscar não muda nada; o motivo é que faz cair.",
         "- ~~decisao :: [[Sala]] abre em agosto (#1)~~", "- ~~decisao :: [[Sala]] abre (#1)~~\n- supersede :: #1 · mofo (#2)"),
    Rule("CAD213", "nota", "caixa marcada", "Fecha a tarefa, sem dizer quando nem como.",
         "- [x] pendencia :: pagar (#1)", "- [x] pendencia :: pagar (#1)\n- resolvido :: #1 · pago (#2)"),
    Rule("CAD214", "aviso", "apoia-se em fato morto", "O que caiu leva junto o que se apoiava nele, e ninguém avisa.",
         _DECISION + "- pendencia :: abrir reservas, por #1 (#2)\n- supersede :: #1 · mofo (#3)",
         _DECISION + "- pendencia :: abrir reservas, por #1 (#2)"),
    Rule("CAD215", "erro", "eventos em círculo", "Se cada um mata o outro, nenhum age.",
         "- supersede :: [[#^b]] · um ^a\n- supersede :: [[#^a]] · outro ^b", _DECISION + "- supersede :: #1 · mofo (#2)"),
    Rule("CAD216", "aviso", "salto na numeração", "Um dedo a mais gasta números à toa.",
         _DECISION + "- decisao :: fechar (#20002)", _DECISION + "- decisao :: fechar (#2)"),
    Rule("CAD217", "erro", "verificado sem evidência", "Sem prova, ou com prova contrária, não se verifica.",
         "- fato :: [[Sala]] diária = 980 (#1)\n- verificado :: #1 · vi (#2)",
         "- fato :: [[Sala]] diária = 980 (#1)\n  - apoia :: contrato\n- verificado :: #1 · vi (#2)"),
    Rule("CAD218", "aviso", "dois valores vivos", "Os dois aparecem, e alguém decide.",
         "- fato :: [[Sala]] diária = 900 (#1)\n- fato :: [[Sala]] diária = 980 (#2)",
         "- fato :: [[Sala]] diária = 900 (#1)\n- fato :: [[Sala]] diária = 980 (#2)\n- supersede :: #1 · subiu (#3)"),
    Rule("CAD219", "erro", "relação consigo mesma", "Não diz nada.",
         "- relacao :: [[A]] -[usa]-> [[A]] (#1)", "- relacao :: [[A]] -[usa]-> [[B]] (#1)"),
    Rule("CAD220", "erro", "relação repetida", "A mesma ligação vale uma vez só.",
         "- relacao :: [[A]] -[usa]-> [[B]] (#1)\n- relacao :: [[A]] -[usa]-> [[B]] (#2)",
         "- relacao :: [[A]] -[usa]-> [[B]] (#1)"),
    Rule("CAD222", "aviso", "verificado por quem registrou", "Conferir é com outros olhos.",
         "- fato :: [[Sala]] diária = 980 (#1) [por:: Ana]\n  - apoia :: contrato\n- verificado :: #1 · vi (#2) [por:: Ana]",
         "- fato :: [[Sala]] diária = 980 (#1) [por:: Ana]\n  - apoia :: contrato\n- verificado :: #1 · vi (#2) [por:: Bia]"),
    Rule("CAD223", "aviso", "verificado com evidência sem postura", "Uma fonte que não diz se apoia prova pouco.",
         "- fato :: [[Sala]] diária = 980 (#1)\n  - fonte :: contrato\n- verificado :: #1 · vi (#2)",
         "- fato :: [[Sala]] diária = 980 (#1)\n  - apoia :: contrato\n- verificado :: #1 · vi (#2)"),
    Rule("CAD224", "erro", "evento que não pode agir aí", "Só o supersede desfaz um evento; a síntese só cobre o que acabou.",
         _DECISION + "- sintese :: #1 · resumo (#2)", _DECISION + "- supersede :: #1 · mofo (#2)\n- sintese :: #1 · resumo (#3)"),
    Rule("CAD301", "erro", "não é UTF-8", "Nenhuma linha do arquivo conta.",
         "- decisao :: fechar \udce9 (#1)", "- decisao :: fechar é (#1)"),
    Rule("CAD302", "aviso", "cabeçalho ilegível", "Apelidos e assunto do arquivo se perdem.",
         {"Sala.md": "---\naliases: [a\n---\n"}, {"Sala.md": "---\naliases: [a]\n---\n"}),
    Rule("CAD303", "aviso", "chave repetida no cabeçalho", "Só a última vale.",
         {"Sala.md": "---\nentidade: A\nentidade: B\n---\n"}, {"Sala.md": "---\nentidade: B\n---\n"}),
    Rule("CAD304", "aviso", "cópia de conflito", "O que só existe nela não conta em lugar nenhum.",
         {EXAMPLE_PATH: _DECISION, EXAMPLE_PATH[:-3] + ".sync-conflict-20260720-101112-ABCDEFG.md": _DECISION + _TASK},
         {EXAMPLE_PATH: _DECISION}),
    Rule("CAD305", "erro", "arquivo de um dia que não existe", "As linhas dele ficam sem data.",
         {"diario/2026/2026-02-30.md": _DECISION}, {"diario/2026/2026-02-28.md": _DECISION}),
    Rule("CAD306", "erro", "arquivo que não pôde ser lido", "Nenhuma linha dele conta enquanto isso.", {}, {}),
    Rule("CAD307", "aviso", "duas notas com o mesmo nome", "O link sem pasta não diz qual.",
         {"a/Sala.md": "", "b/Sala.md": "", EXAMPLE_PATH: _DECISION}, {"a/Sala.md": "", EXAMPLE_PATH: _DECISION}),
    Rule("CAD308", "aviso", "apelido pedido por duas notas", "Não leva a nenhuma das duas.",
         {"A.md": "---\naliases: [X]\n---\n", "B.md": "---\naliases: [X]\n---\n"}, {"A.md": "---\naliases: [X]\n---\n"}),
    Rule("CAD309", "aviso", "configuração ilegível", "Vale o de fábrica até alguém corrigir.",
         {"Caderneta.md": "---\nmax_tokens: muitos\n---\n"}, {"Caderneta.md": "---\nmax_tokens: 2500\n---\n"}),
)  # fmt: skip


@lru_cache(maxsize=1)
def by_code() -> dict[str, Rule]:
    """The rules by their codes."""
    return {rule.code: rule for rule in RULES}


def severity(code: str) -> Severity:
    """``erro``, ``aviso`` or ``nota``."""
    return by_code()[code].severity
