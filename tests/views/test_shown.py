"""Words of a vault in a generated note: readable, and only words."""

from __future__ import annotations

import pytest

from caderneta.views.shown import link, ranges, words

SHOWN = [
    ("proposta fechada em 7.350/mês", "proposta fechada em 7.350/mês"),
    ("R$ 5.000, 50% de entrada & o resto depois", "R$ 5.000, 50% de entrada & o resto depois"),
    ("a < b, #41 e #obra, x | y", "a < b, #41 e #obra, x | y"),
    ("rode `git push`", "rode `git push`"),
    ("cerca ``` aberta", "cerca \\`\\`\\` aberta"),
    ("um ` só", "um \\` só"),
    ("`= dv.current()` e `$= app`", "\\`= dv.current()\\` e \\`$= app\\`"),
    ("fala com [[Ana]] e [[Sala B|a sala]]", "fala com [[Ana]] e [[Sala B|a sala]]"),
    ("tabela [[Nota\\|x]]", "tabela [[Nota|x]]"),
    ("aberto [[Ana", "aberto \\[\\[Ana"),
    ("[[[Ana]]", "\\[[[Ana]]"),
    ("![[Ana]]", "! [[Ana]]"),
    ("[[a]b]]", "\\[\\[a]b]]"),
    ("![x](http://y/z.png)", "!\\[x]\\(http://y/z.png)"),
    ("[x](y)", "[x]\\(y)"),
    ("nota[^1] e ^[outra]", "nota\\[^1] e \\^[outra]"),
    ("[urgente] ligar", "[urgente] ligar"),
    ("**não** assinar", "\\*\\*não\\*\\* assinar"),
    ("~~riscado~~ e ~5", "\\~\\~riscado\\~\\~ e ~5"),
    ("some %% aqui", "some % % aqui"),
    ("%%%", "% % %"),
    ("custa $$ muito", "custa $ $ muito"),
    ("decisao :: falsa (#9)", "decisao : : falsa (#9)"),
    ("<!-- aberto", "\\<!-- aberto"),
    ("<script>alert(1)</script>", "\\<script>alert(1)\\</script>"),
    ("&#8238;vira &amp; AT&T", "\\&#8238;vira \\&amp; AT&T"),
    ("C:\\temp e \\* e fim\\", "C:\\temp e \\\\\\* e fim\\\\"),
    ("texto ^bloco", "texto \\^bloco"),
    ("paga · com Ana", "paga • com Ana"),
    ("col·lecció", "col·lecció"),
    ("um\u2028- dois\x1b[2J\u202etrês", "um - dois\ufffd[2J\ufffdtrês"),
    ("muito    espaço", "muito espaço"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "expected"), SHOWN)
def test_a_text_is_shown_readable_and_harmless(text: str, expected: str) -> None:
    assert words(text) == expected


def test_a_text_is_cut_before_its_marks_are_made_harmless() -> None:
    assert words("*" * 300) == "\\*" * 239 + "…"
    assert words("`" + "a" * 300 + "`") == "\\`" + "a" * 238 + "…"


@pytest.mark.parametrize(
    ("name", "key", "expected"),
    [
        ("Cliente ACME", "cliente acme", "[[Cliente ACME]]"),
        ("Sala", "casa/sala", "[[casa/sala|Sala]]"),
        ("a]] - [10:00] decisao :: x", "", "«a]] - [10:00] decisao : : x»"),
        ("<b>", "", "«\\<b>»"),
        ("a\nb", "", "[[a b]]"),
    ],
)
def test_a_name_is_a_link_or_nothing_that_looks_like_one(name: str, key: str, expected: str) -> None:
    assert link(name, key) == expected


def test_ids_as_ranges() -> None:
    assert ranges([3, 1, 2, 7, 9, 8, 12, 13]) == "#1–#3, #7–#9, #12, #13"
    assert ranges(range(0, 200, 2)).endswith(", #78 +60")
    assert ranges([]) == ""
