"""The words of the generated vaults: Portuguese with its accents, enough of it for a search index to have work to do.

A template is cut once into (literal, choices) pairs, so filling one is a few table look-ups.
"""

from __future__ import annotations

import re
from collections.abc import Callable

Choices = tuple[str, ...]
Template = tuple[tuple[str, Choices], ...]
Random = Callable[[], float]


def _words(text: str) -> Choices:
    return tuple(text.split())


def _list(text: str) -> Choices:
    return tuple(text.split(","))


WEEKDAYS = ("segunda", "terça", "quarta", "quinta", "sexta", "sábado", "domingo")

PEOPLE = _words(
    "Abigail Benício Caetana Dário Eulália Fabrício Graça Horácio Iolanda Joaquim Kátia Lourenço Mônica Nélson Olívia "
    "Páblo Quitéria Romeu Sílvia Teófilo Úrsula Valéria Wálter Yasmim Zélia Ângelo Émerson Inácio Lídia Tarcísio"
)
_THINGS = _list(
    "o contrato,a proposta,o orçamento,o cronograma,a planilha de custos,o alvará,a nota fiscal,o boleto,a licença,o servidor,"
    "o domínio,a mesa de som,o microfone,a cabine,o piso da sala,a cópia de segurança,o roteiro,a gravação,a mixagem,o cachê,"
    "a agenda,o seguro,a fiação,o ar-condicionado,a matrícula,o relatório,a ata,o cartório,a procuração,o adiantamento,a multa,"
    "o reajuste,o catálogo,a ficha técnica,o acervo,a vitrine,a campanha,o formulário,a pesquisa,o protótipo,a migração,o painel,"
    "a integração,o backup,o cabo de rede,a senha,o certificado,a garantia,o frete,a embalagem,o estoque,a remessa,a amostra,"
    "o laudo,a vistoria,a reforma,o telhado,a calha,o portão,o elevador,a caldeira,a câmera,o sensor,a bateria,o painel solar,"
    "a horta,a colheita,o adubo,a irrigação,a análise do solo,o viveiro,a receita,o cardápio,o forno,a farinha,o fermento,"
    "a edição,a capa,a diagramação,a revisão,a tradução,o prefácio,a tiragem,a gráfica,o papel,a lombada,o lançamento"
)
_VERBS = _words(
    "adiar alugar anexar antecipar apurar arquivar assinar autorizar avisar bloquear buscar calibrar cancelar carimbar cobrar "
    "combinar comparar conferir consertar contratar copiar corrigir dividir emitir encerrar entregar enviar estudar fechar "
    "filmar imprimir inspecionar instalar juntar lacrar levar liberar limpar marcar medir montar negociar orçar organizar pagar "
    "pintar planejar podar polir protocolar recolher refazer registrar reler remarcar renegociar renovar repor reservar "
    "responder retirar revisar separar simular somar sortear suspender testar traduzir transferir trocar validar visitar"
)
_QUALITIES = _words(
    "atrasado barato caro cheio claro confuso curto definitivo difícil direto duplicado errado estável estreito fácil frágil "
    "frio grande igual ilegível incompleto instável justo largo legível lento leve limpo longo médio mínimo móvel novo parcial "
    "pequeno pesado pronto próprio provisório público quente rápido raro seco seguro simples único útil vazio velho"
)
_WHEN = _list(
    "até quinta,na volta do feriado,antes do almoço,no começo do mês,depois da entrega,na próxima quinzena,ainda esta semana,"
    "quando chover menos,no fim da tarde,logo cedo,em maio,no segundo semestre,durante as férias,amanhã sem falta"
)
_REASONS = _list(
    "voltaram atrás,a conta não fechava,mudou a lei,apareceu coisa melhor,o preço subiu,era outro número,ninguém usava,"
    "o prazo passou,foi combinado de outro jeito,o fornecedor fechou,a premissa caiu,ficou para o ano que vem"
)
_PLACES = _list(
    "Água Fria,Baixada,Chapadão,Dois Córregos,Engenho Velho,Ferrovia,Galpão,Ilhéus,Jardim,Lapinha,Mirante,Olaria,Porto Sítio,"
    "Quintal,Ribeirão,São Brás,Três Pontes,Várzea"
)

KINDS = _words("Ateliê Banda Chácara Cliente Curso Editora Estúdio Fábrica Feira Livro Obra Projeto")
_NAMES = _words(
    "Alecrim Andorinha Araçá Bem-te-vi Brejo Cajuína Cambuci Capivara Cipó Colibri Corisco Cumaru Curió Embaúba Flamboiã "
    "Gameleira Guaiaó Guará Imbuia Ingá Jatobá Jenipapo Juçara Juriti Lajeado Macaúba Mandacaru Manacá Marimbá Mutirão "
    "Olho-d'água Paineira Pitanga Quaresmeira Restinga Sapucaia Seriguela Sumaúma Taioba Uirapuru Urucum Vazante"
)
_SECONDS = _words(
    "Alto Antigo Azul Branco Central Clássico Dourado Escuro Fundo Grande Histórico Interior Jovem Largo Litorâneo Maior Menor "
    "Mágico Norte Novo Oeste Ótico Paulista Pequeno Raso Rural Sertão Serrano Sul Técnico Verde Vivo"
)

KEYS = _list(
    "prazo,valor mensal,responsável técnico,versão,endereço,fornecedor,banco,renovação,telefone,área,alíquota,capacidade,"
    "horário,validade,comissão,idioma"
)
SCOPES: Choices = ("produção", "homologação", "matriz", "filial")

_SYLLABLES_A = _words("bra ca ce du fe gui ja lu ma no pe ra so ta vi xa")
_SYLLABLES_B = _words("lan ber cin dor fi gal len mei nu pi quei ri sal tor va zê")
_SYLLABLES_C = _words("ção des dio guês lha me nho res ros tto vel xa")
SURNAMES: Choices = tuple((a + b + c).capitalize() for a in _SYLLABLES_A for b in _SYLLABLES_B for c in _SYLLABLES_C)


def _thousands(number: int) -> str:
    return f"{number:,}".replace(",", ".")


_TABLES: dict[str, Choices] = {
    "coisa": _THINGS,
    "verbo": _VERBS,
    "quem": PEOPLE,
    "sobrenome": SURNAMES,
    "como": _QUALITIES,
    "quando": _WHEN,
    "porque": _REASONS,
    "lugar": _PLACES,
    "reais": tuple(_thousands(40 + n * n * 7) + (f",{n % 100:02d}" if n % 3 else "") for n in range(1, 400)),
    "n": tuple(str(n) for n in range(2, 61)),
}


def template(text: str) -> Template:
    """``"pagar {coisa} {quando}"`` → its parts, ready for :func:`fill`."""
    parts = re.split(r"\{([a-z]+)\}", text)
    return tuple((parts[i], _TABLES[parts[i + 1]] if i + 1 < len(parts) else ()) for i in range(0, len(parts), 2))


def fill(parts: Template, random: Random) -> str:
    """A sentence of a template."""
    out: list[str] = []
    for literal, choices in parts:
        out.append(literal)
        if choices:
            out.append(choices[int(random() * len(choices))])
    return "".join(out)


def pick(choices: tuple[str, ...], random: Random) -> str:
    return choices[int(random() * len(choices))]


def _templates(*texts: str) -> tuple[Template, ...]:
    return tuple(template(text) for text in texts)


SENTENCES: dict[str, tuple[Template, ...]] = {
    "decisao": _templates(
        "fica combinado {verbo} {coisa} {quando}, com {quem}",
        "{coisa} vai para {quem} {sobrenome} por {reais}",
        "não vamos {verbo} {coisa}; melhor {verbo} {coisa}",
        "teto de {reais} para {coisa}, revisto em {n} dias",
        "o padrão passa a ser {como} e {como}, decidido com {quem} em {lugar}",
        "desconto de {n}% se {quem} {sobrenome} {verbo} {quando}",
    ),
    "pendencia": _templates(
        "{verbo} {coisa} {quando}",
        "{verbo} {coisa} com {quem} {sobrenome}",
        "pedir a {quem} a segunda via e {verbo} {coisa}",
        "ligar para {quem} em {lugar} e {verbo} {coisa} ({reais})",
    ),
    "bloqueio": _templates(
        "sem {coisa} ninguém consegue {verbo} {coisa}",
        "{quem} {sobrenome} só libera {coisa} {quando}",
        "falta a assinatura de {quem} para {verbo} {coisa}",
    ),
    "mudanca": _templates(
        "{coisa} passou de {reais} para {reais}",
        "{quem} assumiu no lugar de {quem} {sobrenome}",
        "saiu de {lugar}, agora em {lugar}, {quando}",
    ),
    "observacao": _templates(
        "{quem} comentou que {coisa} está {como}",
        "{coisa} e {coisa} custaram {reais} em {n} vezes",
        "visita de {quem} {sobrenome}: {como}, {como}, mas {como}",
        "em {lugar} ouvi que vão {verbo} {coisa} {quando}",
        "levou {n} horas para {verbo} {coisa}; à noite ficou {como}",
        "{quem} perguntou por quê; expliquei que {porque}",
    ),
    "experimento": _templates(
        "{verbo} {coisa} com {n} pessoas {quando}, medir antes e depois",
        "comparar {coisa} com {coisa} por {n} dias em {lugar}",
    ),
    "feedback": _templates("{quem} {sobrenome} achou {coisa} {como}; nota {n}", "reclamação de {lugar}: {coisa} {como} demais"),
    "resolvido": _templates(
        "{quem} conferiu {quando}", "pago, {reais}", "entregue em {lugar} e {como}", "{quem} {sobrenome} já tinha feito"
    ),
    "supersede": _templates("{porque}", "{porque}, disse {quem}", "{quem} prefere {verbo} {coisa}"),
    "aposentado": _templates("ninguém mais pergunta por isso", "arquivo de {lugar}, só história"),
    "verificado": _templates("conferido com {quem} {sobrenome}", "visto no original em {lugar}"),
    "reabre": _templates("não estava pronto: {porque}", "{quem} devolveu, {como}"),
    "evidencia": _templates("{coisa}, página {n}", "foto de {quem} em {lugar}", "recibo de {reais}"),
    "detalhe": _templates("{coisa} com {quem}", "lembrar de {verbo} {coisa} {quando}", "{n} itens, {reais} no total"),
    "valor": _templates("{n} dias", "{reais}", "{quem} {sobrenome}", "{lugar}, {n}", "{como}"),
    "prosa": _templates(
        "Dia de *{lugar}*. Conversei com {quem} sobre {coisa} e saí achando que tudo ainda vai ficar **{como}** {quando}.",
        "Reli as notas de {quem} {sobrenome}: onde estava `{como}` devia estar {como}. Nada urgente.",
        "Ideia solta: se {porque}, talvez valha {verbo} {coisa} e deixar {coisa} para depois; custa uns {reais}.",
        "Ver também [o arquivo de {lugar}](https://exemplo.invalid/{n}) que {quem} mandou {quando}.",
        "Choveu. {quem} não veio, {quem} veio por dois. À noite, {coisa} outra vez, e não é só _{como}_: é {como}.",
    ),
}


def entities(count: int, random: Random) -> tuple[str, ...]:
    """``count`` different names, in an order that the seed decides."""
    every = [f"{kind} {name}" for kind in KINDS for name in _NAMES]
    every += [f"{kind} {name} {second}" for second in _SECONDS for kind in KINDS for name in _NAMES]
    for i in range(min(count, len(every))):
        j = i + int(random() * (min(len(every), max(count * 2, 504)) - i))
        every[i], every[j] = every[j], every[i]
    return tuple(every[:count])
