"""The small scanner and markdown-it agree on every line: kind, list item, and what never closes."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from markdown_it.rules_block import StateBlock

from caderneta.format import blocks
from caderneta.format.blocks import FENCE, HEADING, LOST, PARAGRAPH, QUOTE, TEXT, Blocks, read_blocks
from tests.strategies import PIECES


def whole_document(lines: list[str]) -> Blocks:
    """The structure as markdown-it alone reads it, the whole text at once."""
    out = Blocks([blocks.BLANK] * len(lines), [-1] * len(lines))
    parser = blocks._parser()
    state = StateBlock("\n".join(lines), parser, {"lines": lines}, [])
    parser.block.tokenize(state, 0, state.lineMax)
    blocks._note(state.tokens, lines, 0, len(lines), out)
    return out


def shape(found: Blocks) -> list[object]:
    def item(i: int) -> object:
        if i < 0:
            return None
        it = found.items[i]
        return it.first, it.content, item(it.parent)

    return [list(zip(found.kind, map(item, found.item), strict=True)), sorted(found.unclosed)]


@given(st.lists(st.sampled_from(PIECES), max_size=40))
def test_scanner_agrees_with_markdown_it(lines: list[str]) -> None:
    assert shape(read_blocks(lines)) == shape(whole_document(lines))


@given(st.lists(st.sampled_from(PIECES), min_size=2, max_size=5).flatmap(lambda few: st.lists(st.sampled_from(few), max_size=60)))
def test_scanner_agrees_with_markdown_it_on_few_pieces(lines: list[str]) -> None:
    assert shape(read_blocks(lines)) == shape(whole_document(lines))


@given(st.text(alphabet="-*+ \t#`~>%$<!1.)ab\n", max_size=80))
def test_scanner_agrees_with_markdown_it_on_noise(text: str) -> None:
    lines = text.split("\n")
    assert shape(read_blocks(lines)) == shape(whole_document(lines))


def test_a_half_typed_bullet_does_not_make_a_heading() -> None:
    assert read_blocks(["- [10:00] decisao :: x", "-"]).kind[0] == PARAGRAPH
    assert HEADING not in read_blocks(["texto", "---", "texto", "==="]).kind


def test_a_fence_inside_a_late_item_costs_only_that_item() -> None:
    lines = ["- a"] * 500 + ["- ```", "  x", "  ```", "- b"]
    found = read_blocks(lines)
    assert found.kind[500:504] == [FENCE, FENCE, FENCE, PARAGRAPH]
    assert found.kind[:500] == [PARAGRAPH] * 500


def test_lazy_lines_of_a_quote_are_quoted() -> None:
    assert read_blocks(["> a", "b", "", "c"]).kind == [QUOTE, QUOTE, blocks.BLANK, PARAGRAPH]


def test_beyond_the_nesting_limit_lines_are_lost_and_said() -> None:
    lines = ["  " * depth + "- x" for depth in range(60)]
    kinds = read_blocks(lines).kind
    assert kinds[:49] == [PARAGRAPH] * 49
    assert set(kinds[51:]) <= {LOST, TEXT} and LOST in kinds
