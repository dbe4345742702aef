"""Names, parameters and results of plain heads."""

from __future__ import annotations

from ptx_ls.syntax.plain.heads import plain_head
from ptx_ls.syntax.plain.signatures import plain_parameters


def check_parameters(text: str, returns: list[str], parameters: list[str]) -> None:
    """Checks the names in both lists, each of which is in the text where it says."""
    head = plain_head(text)
    assert head is not None
    for span, expected in ((head.returns, returns), (head.parameters, parameters)):
        found = list(plain_parameters(text, span))
        assert [each.name for each in found] == expected
        assert [text[each.start : each.start + len(each.name)] for each in found] == expected


def test_lists() -> None:
    check_parameters(".entry k {", [], [])
    check_parameters(".func (.reg .b32 r) f(.param .b32 a, .reg .f32 %b) {", ["r"], ["a", "%b"])
    check_parameters(".visible .entry k(.param .u64 .ptr .global .align 4 p) {", [], ["p"])


def test_prototype() -> None:
    text = ".extern .func f(.param .align 8 .b8 a[16], .param .b8 b[]);"
    head = plain_head(text)
    assert head is not None
    assert (head.name, head.linkage) == ("f", ".extern")
    assert not head.is_kernel
    assert not head.is_definition
    sizes = [(each.sizes, each.alignment) for each in plain_parameters(text, head.parameters)]
    assert sizes == [((16,), 8), ((None,), None)]


def test_other_texts() -> None:
    assert plain_head(".func f(.param .b32 /* x */ a) {") is None
    assert plain_head("mov.u32 %r1, %r2;") is None
