"""What hypothesis draws vaults from: lines that mean something, lines that nearly do, and Markdown that hides them."""

from __future__ import annotations

from hypothesis import strategies as st

PIECES = [
    "- a", "* b", "+ c", "  - d", "    - e", "\t- f", "\t\t- g", "   text", "text", "", "", "  ", "# H", "## [[X]]",
    "---", "***", "- - x", "1. one", "2) two", "```", "```py", "  ```", "~~~", "> q", ">> r", "<!-- c", "-->",
    "<div>", "</div>", "<b>x</b>", "%%", "%% a %%", "$$", "a %% b", "  %%", "- %%", "      deep", "\tz", "- ", "-",
    "-  two", "-\tt", "- [ ] x", "- [10:00] decisao :: x", "- ~~x~~", "- ~~~", "~~- a~~", "   - y", " - z", "- # h",
    "- > q", "- ```", "  ```  ", "    ```", "* * *", "- 10. x", "_ _ _", "=====", "| a |", "10. t", "12.  P",
    "\t- [10:30] o :: f", "- <b>", "   > q", "   # h", " ```", "````", "``` a`b", "- ---", "  ---", "+", "    c",
    "     - h", "- $$", "> - q", "- 14h x", "    > z", "\t> z", "   ```", "- \t x", "-\u00a0x", "\u00a0", "\f",
    "- a\f",
]  # fmt: skip

ids = st.sampled_from([1, 2, 3, 4, 5, 6, 7, 8, 9, 9, 10_500, 25_000])
tags = st.sampled_from(
    ["", "", "", " [ate:: 2026-07-08]", " [de:: 2026-07-09]", " [de:: 2026-07-05]", " [por:: Ana]", " ^b1", " ^b2", "."]
)
days = st.sampled_from(["", "", "", "[2026-07-06] ", "[2026-07-08 10:00] ", "[2026-07-10] ", "[2026-02-30] ", "[10:00] "])
subjects = st.sampled_from(["", "", "[[A]] ", "[[a]] ", "[[B]] ", "[[pasta/A]] ", "[[Bê]] "])
statements = st.sampled_from(["decisao", "pendencia", "bloqueio", "observacao", "mudanca"])
events = st.sampled_from(["supersede", "supersede", "resolvido", "verificado", "aposentado", "sintese", "caiu", "feito"])
texts = st.sampled_from(["um", "dois", "três #4", "usa #2", "banco = X", "cita [[2026-07-07#^b1]]"])
reasons = st.sampled_from(["", " · motivo", " · erro: nunca foi", " · cita #3", " — mudou"])


@st.composite
def statement(draw: st.DrawFn) -> str:
    kind = draw(statements)
    box = draw(st.sampled_from(["", "", "[x] ", "[ ] "])) if kind == "pendencia" else ""
    strike = draw(st.sampled_from(["", "", "", "~~"]))
    number = draw(st.one_of(st.none(), ids, ids))
    close = f" (#{number})" if number else ""
    return f"- {strike}{box}{draw(days)}{kind} :: {draw(subjects)}{draw(texts)}{close}{strike}{draw(tags)}"


@st.composite
def keyed(draw: st.DrawFn) -> str:
    number = draw(ids)
    value = draw(st.sampled_from(["X", "x", "Y", "?", "nenhum"]))
    scope = draw(st.sampled_from(["", " [escopo:: s]"]))
    return f"- {draw(days)}fato :: {draw(subjects)}banco = {value} (#{number}){scope}"


@st.composite
def event(draw: st.DrawFn) -> str:
    target = draw(st.sampled_from(["#{a}", "#{a}, #{b}", "[[2026-07-07#^b1]]", "[[#^b2]]", "sem alvo"]))
    target = target.replace("{a}", str(draw(ids))).replace("{b}", str(draw(ids)))
    number = draw(st.one_of(st.none(), ids, ids))
    close = f" (#{number})" if number else ""
    return f"- {draw(days)}{draw(events)} :: {target}{draw(reasons)}{close}{draw(tags)}"


nested = st.sampled_from(
    [
        "  - feito :: sim",
        "  - caiu :: não vale",
        "  - apoia :: [[Ata]] cita #4",
        "  - contradiz :: x",
        "  - supersede :: mudou (#7)",
    ]
)
edges = st.sampled_from(
    ["- relacao :: [[A]] -[usa]-> [[B]] (#5)", "- relacao :: [[a]] -[usa]-> [[B]] (#6)", "- relacao :: [[A]] -[usa]-> [[A]]"]
)
prose = st.sampled_from(["prosa", "", "# [[A]]", "- item [[B]]", "```", "    - recuada :: x", "## fim"])
line = st.one_of(statement(), statement(), statement(), event(), event(), event(), keyed(), nested, edges, prose)
texts_of_files = st.lists(line, max_size=7).map("\n".join)
headers = st.sampled_from(["", "", "---\naliases: [Bê]\n---\n", "---\nentidade: A\n---\n"])
PATHS = ["diario/2026-07-06.md", "diario/2026-07-07.md", "diario/2026-07-08.md", "A.md", "pasta/A.md", "B.md"]
