"""The value of a constant expression."""

import pytest

from tests.features.hover.test_hover import check_hover, text_under

LINK = "[Constant expressions](https://ptx-ls.readthedocs.io/isa/constant-expressions)"


@pytest.mark.parametrize(
    ("marked", "expected"),
    [
        ("mov.u32 %r1, (1 <<<|> 4) | 3;", "`(1 << 4) | 3` = `19` = `0x13`"),
        (
            "mov.u32 %r1, (1 << <|>4) | 3;",
            f"`(1 << 4) | 3` = `19` = `0x13` · {LINK}\n\n`4` = `0x4`",
        ),
        ("mov.f32 %f1, 1.5 <|>* 3.0;", "`1.5 * 3.0` = `4.5`"),
        ("add.s32 %r1, %r2, WARP_SZ-<|>1;", "`WARP_SZ-1` = `31` = `0x1f`"),
        ("ld.global.u32 %r1, [%rd1+4*<|>8];", "`+4*8` = `32` = `0x20`"),
        (".global .u32 a[4*<|>2] = {1+2, 3};", "`4*2` = `8`"),
        (".global .u32 a[8] = {1<|>+2, 3};", "`1+2` = `3`"),
        ("shl.b32 %r1, %r2, 2 <|>> 1 ? 5 : 7;", "`2 > 1 ? 5 : 7` = `5`"),
    ],
)
def test_value(marked: str, expected: str) -> None:
    check_hover(marked, expected)


@pytest.mark.parametrize(
    "marked",
    [
        "ld.global.u32 %r1, [%rd1+<|>4];",
        "add.s32 %r1, %r2, -<|>4;",
        ".global .u32 a[2] = {<|>1, 2};",
        "mov.u32 %r1, 1 << <|>;",
        "add.s32 %r1, 5, <|>6;",
    ],
)
def test_a_literal_is_no_expression(marked: str) -> None:
    check_hover(marked, *([None] if "<< " in marked else []))
    if "<< " not in marked:
        assert " * " not in check_hover(marked)
        assert not any(sign in check_hover(marked).split(" = ")[0] for sign in ("+", ", "))


def test_the_whole_expression_is_marked() -> None:
    assert text_under("mov.u32 %r1, (1 <<<|> 4) | 3;") == "(1 << 4) | 3"
