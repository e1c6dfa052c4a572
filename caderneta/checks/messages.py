"""What is said of a finding: the thing, why it matters and the next step, in a sentence a tired person understands."""

from __future__ import annotations

import re
from collections.abc import Callable
from difflib import get_close_matches

from caderneta.format.text import SPACES, collapse, cut, fold_type, visible
from caderneta.format.values import Finding
from caderneta.format.vocabulary import EVENTS, EVIDENCE, RELATIONS, STATEMENTS, vocabulary

_NAMES = {
    "decisao": "uma decisão",
    "pendencia": "uma pendência",
    "bloqueio": "um bloqueio",
    "mudanca": "uma mudança",
    "observacao": "uma observação",
    "experimento": "um experimento",
    "feedback": "um feedback",
    "fato": "um fato",
    "relacao": "uma relação",
    "supersede": "um supersede",
    "resolvido": "um resolvido",
    "verificado": "um verificado",
    "aposentado": "um aposentado",
    "sintese": "uma síntese",
}
_SIMPLE = {
    "CAD101": '"{0}" não é uma data que exista. A linha vale, mas sem dia. Escreva AAAA-MM-DD.',
    "CAD102": '"{0}" não é uma hora que exista. A linha guarda o dia e fica sem hora. Escreva HH:MM.',
    "CAD103": "Falta a data: a linha vale, mas não entra em janela de dias nenhuma. Escreva [AAAA-MM-DD HH:MM] antes do tipo, "
    "ou rode caderneta numerar.",
    "CAD104": "A linha diz {0} e o arquivo é de {1}. Vale a data da linha.",
    "CAD105": "{0} ainda não chegou. A linha vale a partir desse dia.",
    "CAD107": 'Quase um fato: tem carimbo e "{0}", mas assim não conta. Escreva "- [HH:MM] {0} :: …".',
    "CAD109": 'Um só ":" depois de "{0}". Foi lida assim mesmo; o certo é "{0} :: …".',
    "CAD110": '"{0} ::" sem texto não conta. Diga o quê, ou apague a linha.',
    "CAD111": 'O "~~" abre e não fecha, e foi ignorado. Para riscar, feche-o no fim da linha.',
    "CAD112": "Dois números no fim da linha, #{0} e #{1}: vale o último. Apague o outro.",
    "CAD113": 'Há texto depois de "(#{0})", e assim o número não conta. Leve "(#{0})" para o fim da linha.',
    "CAD114": "O número {0} está fora do alcance (de 1 a 999999999) e não conta. Apague-o e rode caderneta numerar.",
    "CAD115": "O editor quebrou a linha em {0}; foi lida como uma só. Junte tudo numa linha.",
    "CAD116": "Parece um fato, mas está dentro de {0}, onde nada conta. Se era para valer, escreva a linha fora dali.",
    "CAD117": "[{0}::] aparece mais de uma vez na linha. Vale o primeiro, {1}. Apague o outro.",
    "CAD118": '"{1}" não é uma data que se leia, e [{0}::] ficou vazio. Escreva [{0}:: AAAA-MM-DD].',
    "CAD119": "A linha não tem número: vale, mas nenhuma outra pode apontar para ela de longe. Para dar um: caderneta numerar.",
    "CAD121": "O bloco {0} abre aqui e não fecha: daqui até o fim do arquivo nada conta. Feche-o com {0}.",
    "CAD122": "Listas dentro de listas demais: as linhas {0} a {1} não foram lidas. Diminua o recuo.",
    "CAD124": 'Falta o "=", ou um dos lados dele: o "fato" foi lido como afirmação simples. '
    'Para guardar um valor, escreva "chave = valor".',
    "CAD126": '"{0}" não é um tipo de relação. Os que há: ' + ", ".join(RELATIONS) + ". Para ter outro, ponha-o em relacoes, "
    "no Caderneta.md.",
    "CAD127": 'A relação não se lê, e não liga nada. Escreva "relacao :: [[A]] -[depende de]-> [[B]]".',
    "CAD128": '"{0}" está debaixo de um evento, onde não conta. Evidência fica debaixo da linha que ela apoia.',
    "CAD129": '"{0}" com um só ":" não conta como evidência. Escreva "- {0} :: …".',
    "CAD130": "[{0}::] num evento é só texto: um evento vale a partir da data da própria linha.",
    "CAD132": "O valor não tem assunto, e assim não se sabe de quem é. Comece o texto com [[Nome]].",
    "CAD201": '"{0}" sem alvo não faz nada. Diga de qual linha fala: "{0} :: #41 · motivo".',
    "CAD204": "O evento aponta para si mesmo e não fez nada. Troque o número pelo da linha de que ele fala.",
    "CAD207": 'Falta o motivo. A linha age, mas daqui a um mês ninguém saberá por quê. Escreva-o depois do alvo: " · motivo".',
    "CAD211": "O evento é de {0}, e a linha de que fala só começa em {1}. Agiu assim mesmo. Confira as duas datas.",
    "CAD215": "Eventos em círculo: de um a outro, este acaba apontando para si mesmo, e nenhum deles age. Desfaça um.",
    "CAD222": '"{0}" registrou e verificou a mesma linha. Peça a outra pessoa que confira.',
    "CAD301": "O arquivo não é UTF-8 (byte {0}), e nenhuma linha dele conta. Salve-o como UTF-8.",
    "CAD303": '"{0}" aparece mais de uma vez no cabeçalho. Vale a última.',
    "CAD133": 'O campo "{0}" tem um só ":" e ficou como texto. Escreva "[{0}:: …]", com dois.',
    "CAD305": "O nome do arquivo diz {0}, um dia que não existe. As linhas dele ficam sem data. Renomeie o arquivo.",
    "CAD306": "O arquivo não pôde ser lido, e nenhuma linha dele conta: {0}.",
    "CAD309": 'Não deu para entender "{0}" nos ajustes ({1}). Vale o que já valia sem ele.',
}
_TARGETS_THEN_TEXT = re.compile(rf"#0*[0-9]+(?:[{SPACES}]*[,&e]?[{SPACES}]*#0*[0-9]+)*[,.;]?[{SPACES}]+(?![{SPACES}#,&·•–—:-])")
_INTERVAL = re.compile(
    rf"[#0-9,&e{SPACES}]*?#0*([0-9]{{1,9}})[{SPACES}]*(?:[-–—]|(?:a|ao|até)(?=[{SPACES}]))[{SPACES}]*#0*([0-9]{{1,9}})(?![0-9A-Za-zÀ-ɏ_])"
)
_LONG_INTERVAL = 10
_FAR = 10_000  # §8: an id this far above the last one is worth a question
_PLACES = {"título": "um título", "cabeçalho": "o cabeçalho"}

Show = Callable[[str], str]


def plain(text: str) -> str:
    """How a particular is shown on a terminal: one line, at most 120 code points."""
    return cut(collapse(visible(text)), 120)


def message(finding: Finding, show: Show = plain) -> str:
    """A finding as finished Portuguese sentences. ``show`` makes what came from the vault fit for where it is shown."""
    args = tuple(show(arg) for arg in finding.args)
    builder = _BUILT.get(finding.code)
    if builder is not None:
        return builder(finding, args)
    return _SIMPLE[finding.code].format(*args, *("",) * 2)


def refusal(finding: Finding) -> str:
    """What is said of an error in a line that is not going to be written: its id, which another line will get, is never named."""
    args = tuple(plain(arg) for arg in finding.args)
    if finding.code == "CAD219":
        return f'"{args[0]}" ficaria ligado a si mesmo, o que não diz nada.'
    if finding.code == "CAD220":
        place = args[0].rpartition("/")[2]
        return f"Esta relação já vale em {f'#{finding.ids[1]} ({place})' if len(finding.ids) > 1 else place}. Basta uma."
    return message(finding._replace(ids=(_UNWRITTEN, *finding.ids[1:])))


_UNWRITTEN = 0  # for an id that no line carries


def _own(finding: Finding) -> str:
    return f"#{finding.ids[0]}" if finding.ids and finding.ids[0] != _UNWRITTEN else "A linha"


def _number(finding: Finding) -> str:
    return str(finding.ids[0]) if finding.ids and finding.ids[0] != _UNWRITTEN else "N"


def _target(finding: Finding) -> str:
    """An event's target. Alone, an id may be the event's own, so it is not named."""
    return f"#{finding.ids[1]}" if len(finding.ids) > 1 else "o alvo"


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def _named(word: str) -> str:
    return _NAMES.get(fold_type(word), f'"{word}"')


def _list(items: tuple[str, ...]) -> str:
    return " e ".join(items) if len(items) < 3 else ", ".join(items[:-1]) + " e " + items[-1]


def _places(finding: Finding, others: tuple[str, ...]) -> tuple[str, ...]:
    """The places of a finding and of others, in order, files by their names."""
    own = f"{finding.path}:{finding.line}"
    every = sorted({own, *others}, key=lambda p: (p.rpartition(":")[0], len(p), p))
    return tuple(place.rpartition("/")[2] for place in every)


def _unknown_type(finding: Finding, args: tuple[str, ...]) -> str:
    near = nearest_type(finding.args[0])
    hint = f'Quis dizer "{near}"?' if near else f"Os tipos são: {', '.join((*STATEMENTS, *EVENTS))}."
    own = f"Se é um tipo seu, escreva {own_type(finding.args[0])} no cabeçalho de Caderneta.md."
    return f'"{args[0]}" não é um tipo conhecido, e a linha não conta. {hint} {own}'


def nearest_type(word: str, own: tuple[str, ...] = ()) -> str | None:
    """The type a word may be misspelt from, if any is really near; ``own`` are those the settings add."""
    folded = fold_type(word)
    types = (*STATEMENTS, *own, *EVENTS)
    # An everyday word ("pagas", "caiu"), of which there are many, only when it is a slip away.
    every = {*types, *vocabulary().words} - {*EVIDENCE}
    near = get_close_matches(folded, every, 1, 0.75) or get_close_matches(folded, types, 1, 0.6)
    return near[0] if near else None


def own_type(word: str) -> str:
    """The setting that makes a word a type."""
    name = fold_type(word)
    return f'tipos: ["{name if name.isalpha() else "compra"}"]'


def lacks_separator(bad: str) -> bool:
    """Whether what made targets unreadable is a reason that follows them with nothing between (§3)."""
    return _TARGETS_THEN_TEXT.match(bad) is not None


def interval(bad: str) -> str | None:
    """What to write instead when what made targets unreadable is an interval, such as ``#10-#12``."""
    ends = _INTERVAL.match(bad)
    if ends is None:
        return None
    first, last = sorted((int(ends[1]), int(ends[2])))
    far = last - first >= _LONG_INTERVAL
    written = [f"#{n}" for n in ((first, first + 1) if far else range(first, last + 1))]
    return f"Um intervalo não é alvo: escreva {', '.join([*written, '…', f'#{last}'] if far else written)}."


def _bad_aim(finding: Finding, args: tuple[str, ...]) -> str:
    if instead := interval(finding.args[0]):
        return f"{instead} O evento não fez nada."
    if lacks_separator(finding.args[0]):
        return 'Entre os alvos e o motivo falta o "·", e o evento não fez nada. Escreva assim: "#41, #42 · motivo".'
    return f'Não deu para entender o alvo "{args[0]}", e o evento não fez nada. Escreva os números um a um: "#41, #42 · motivo".'


def _almost(finding: Finding, args: tuple[str, ...]) -> str:
    word = fold_type(finding.args[0])
    example = f'"- {word} :: …"' if word in _NAMES else f'"- {word} :: #41 · …"'
    if args[1] == ":":
        return f'Parece {_named(word)}, mas com um só ":" e sem data não conta. Escreva {example}.'
    return f"Parece {_named(word)}, mas escrita assim não conta. Escreva {example}, com o hífen no começo."


def _odd(finding: Finding, args: tuple[str, ...]) -> str:
    return (
        f"Há um caractere que não se vê na coluna {finding.column} ({args[0]}). "
        "Ele pode esconder ou trocar o que a linha diz. Apague-o."
    )


def _hidden(finding: Finding, args: tuple[str, ...]) -> str:
    return _SIMPLE["CAD116"].format(_PLACES.get(args[0], args[0]))


def _box(finding: Finding, args: tuple[str, ...]) -> str:
    number = finding.ids[0] if finding.ids else "N"
    return f'"[-]" não cancela: a tarefa continua aberta. Escreva "supersede :: #{number} · motivo".'


def _unclosed(finding: Finding, args: tuple[str, ...]) -> str:
    what = "A cerca" if args[0] == "cerca" else "O comentário HTML"
    return f"{what} abre aqui e não fecha: daqui até o fim do arquivo nada conta. Falta fechar."


def _done_what(finding: Finding, args: tuple[str, ...]) -> str:
    return f'{_capital(args[0])} o quê? Falta o número, e a linha não conta. Escreva "- {args[0]} :: #41 · …".'


def _missing(finding: Finding, args: tuple[str, ...]) -> str:
    number, last = (finding.args[0].removeprefix("#"), finding.args[1]) if len(finding.args) > 1 else ("", "")
    if not (args[0].startswith("#") and number.isdigit() and last.isdigit()):
        return f"{args[0]} não existe. O evento não fez nada."
    known = f"o último é #{last}" if int(last) else "ainda não há nenhuma linha numerada"
    doubt = ""
    if int(number) - int(last) > _FAR:
        doubt = " Confira o número: está muito acima do último, e os das próximas linhas viriam depois dele."
    return f"{args[0]} não existe ({known}). O evento não fez nada.{doubt}"


def _forward(finding: Finding, args: tuple[str, ...]) -> str:
    return f"{_own(finding)} aponta para a frente: {_target(finding)} tem um número maior. O evento não fez nada."


def _ambiguous(finding: Finding, args: tuple[str, ...]) -> str:
    places = tuple(place.rpartition("/")[2] for place in args)
    return (
        f"{_capital(_target(finding))} está em linhas diferentes ({_list(places)}), e o evento não fez nada. "
        f"Escolha uma: caderneta renumerar {places[-1]}"
    )


def _not_a_task(finding: Finding, args: tuple[str, ...]) -> str:
    target = _target(finding)
    aim = target if target[0] == "#" else "#n"
    return f'{_capital(target)} é {_named(args[0])}: não se faz, deixa de valer. Use "supersede :: {aim} · motivo". Nada mudou.'


def _same_id(finding: Finding, args: tuple[str, ...]) -> str:
    places = _places(finding, args)
    first = places[0].rpartition(":")[0]
    short = (places[0], *(f":{p.rpartition(':')[2]}" if p.rpartition(":")[0] == first else p for p in places[1:]))
    many = "duas" if len(places) == 2 else str(len(places))
    return f"{_own(finding)} está em {many} linhas diferentes ({_list(short)}). Escolha uma: caderneta renumerar {places[-1]}"


def _copy(finding: Finding, args: tuple[str, ...]) -> str:
    return f"{_own(finding)} é uma cópia: conta a mais antiga, em {args[0].rpartition('/')[2]}. Se esta sobra, apague-a."


def _struck(finding: Finding, args: tuple[str, ...]) -> str:
    event = f"supersede :: #{_number(finding)} · motivo"
    return f'{_own(finding)} está riscada, e falta o motivo: riscar não muda nada. Escreva "{event}".'


def _ticked(finding: Finding, args: tuple[str, ...]) -> str:
    return f'A caixa marcada fecha a tarefa. Para dizer quando e como, escreva "resolvido :: #{_number(finding)} · …".'


def _dead_premise(finding: Finding, args: tuple[str, ...]) -> str:
    cited = args[0] if args[0].startswith("#") else args[0].rpartition("/")[2]
    when = f" em {args[1]}" if args[1] else ""
    said = f': "{args[2]}"' if args[2] else ""
    command = f'caderneta superar {_number(finding)} "motivo"'
    return f"{_own(finding)} apoia-se em {cited}, que caiu{when}{said}. Ainda vale? Se não: {command}"


def _jump(finding: Finding, args: tuple[str, ...]) -> str:
    return f"A numeração salta de #{args[0]} para {_own(finding)}. Foi engano? caderneta renumerar {_places(finding, ())[0]}"


def _unsupported(finding: Finding, args: tuple[str, ...]) -> str:
    return (
        f"{_capital(_target(finding))} não pode ser dada por verificada: não tem evidência que apoie, ou tem uma que contradiz. "
        'Escreva "- apoia :: …" recuada debaixo dela.'
    )


def _rivals(finding: Finding, args: tuple[str, ...]) -> str:
    key, mine, *rest = args
    values, places = rest[::2], tuple(p.rpartition("/")[2] for p in rest[1::2])
    numbered = len(finding.ids) == len(values) + 1
    names = tuple(f"#{n}" for n in finding.ids) if numbered else (_places(finding, ())[0], *places)
    said = _list(tuple(f"{value} ({name})" for value, name in zip((mine, *values), names, strict=True)))
    many = "Dois" if len(values) == 1 else str(len(values) + 1)
    lead = f'{many} valores vivos para "{key}": {said}.'
    if not numbered:
        return f"{lead} Dê número às linhas (caderneta numerar) e supere a que não vale."
    commands = [f'caderneta superar {n} "motivo"' for n in finding.ids]
    which = "o que não vale" if len(values) == 1 else "os que não valem"
    return f"{lead} Escolha {which}: {', '.join(commands[:-1])} ou {commands[-1]}"


def _self_edge(finding: Finding, args: tuple[str, ...]) -> str:
    return f'"{args[0]}" está ligado a si mesmo, o que não diz nada. Se foi engano: caderneta superar {_number(finding)} "erro"'


def _same_edge(finding: Finding, args: tuple[str, ...]) -> str:
    command = f'caderneta superar {_number(finding)} "repetida"'
    return f"Esta relação já vale em {args[0].rpartition('/')[2]}. Basta uma: {command}"


def _unstated(finding: Finding, args: tuple[str, ...]) -> str:
    target = _capital(_target(finding))
    return f'{target} foi verificada com evidência que não diz se apoia. Se apoia, escreva "- apoia :: …" debaixo dela.'


def _cannot_act(finding: Finding, args: tuple[str, ...]) -> str:
    if args[1] == "sintese" and fold_type(args[0]) not in EVENTS:
        return f'"sintese" só cobre o que já fechou ou morreu, e {_target(finding)} ainda vale. O evento não fez nada.'
    return f'"{args[1]}" não age sobre {_named(args[0])}, só sobre o que afirma algo. Para desfazer um evento, use supersede.'


def _header(finding: Finding, args: tuple[str, ...]) -> str:
    why = "não é uma lista de chaves e valores" if args[0] == "mapa" else "não se lê como YAML"
    return f"O cabeçalho {why}, e foi ignorado. O resto da nota conta. Confira a linha {finding.line}."


_COPY_TEXTS = 5


def _conflict(finding: Finding, args: tuple[str, ...]) -> str:
    base, texts = args[0], args[1:]
    of = f" de {base}" if base else ""
    if not texts:
        return f"Cópia de conflito{of}: nada nela conta, e nada existe só nela. Pode apagar."
    told = ", ".join(f'"{text}"' for text in texts[:_COPY_TEXTS])
    more = f" e mais {len(texts) - _COPY_TEXTS}" if len(texts) > _COPY_TEXTS else ""
    return f"Cópia de conflito{of}: nada nela conta. Só há nela: {told}{more}. Leve para lá o que valer e apague a cópia."


def _same_name(finding: Finding, args: tuple[str, ...]) -> str:
    notes = f'{len(args) - 1} notas se chamam "{args[0]}"'
    return f"{notes} ({_list(args[1:])}), e o link sem pasta é ambíguo. Escreva a pasta no link."


def _same_alias(finding: Finding, args: tuple[str, ...]) -> str:
    return f'{len(args) - 1} notas querem o apelido "{args[0]}" ({_list(args[1:])}), e ele não leva a nenhuma. Deixe-o numa só.'


_BUILT: dict[str, Callable[[Finding, tuple[str, ...]], str]] = {
    "CAD106": _unknown_type,
    "CAD108": _almost,
    "CAD116": _hidden,
    "CAD120": _odd,
    "CAD123": _box,
    "CAD125": _unclosed,
    "CAD131": _done_what,
    "CAD202": _bad_aim,
    "CAD203": _missing,
    "CAD205": _forward,
    "CAD206": _ambiguous,
    "CAD208": _not_a_task,
    "CAD209": _same_id,
    "CAD210": _copy,
    "CAD212": _struck,
    "CAD213": _ticked,
    "CAD214": _dead_premise,
    "CAD216": _jump,
    "CAD217": _unsupported,
    "CAD218": _rivals,
    "CAD219": _self_edge,
    "CAD220": _same_edge,
    "CAD223": _unstated,
    "CAD224": _cannot_act,
    "CAD302": _header,
    "CAD304": _conflict,
    "CAD307": _same_name,
    "CAD308": _same_alias,
}
