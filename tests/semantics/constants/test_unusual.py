"""The constants with unusual values, which are the only ones that rules look at."""

from __future__ import annotations

from itertools import product

import pytest

from ptx_ls.document.document import Document
from ptx_ls.lint import lint
from ptx_ls.lint.rule_settings import DEFAULT_RULES
from ptx_ls.semantics.constants import unusual
from tests.support.computation import BODY, HEADER

NUMBERS = (
    *("0", "1", "2", "3", "4", "8", "15", "16", "17", "31", "32", "33", "63", "64", "65", "255"),
    *("256", "32767", "32768", "65535", "65536", "8388608", "8388609", "16777215", "16777216"),
    *("1000000", "1048575", "1048576", "2147483647", "2147483648", "2147483649", "4294967294"),
    *("4294967295", "4294967296", "9223372036854775807", "9223372036854775808", "0x181f", "0x101f"),
    *("18446744073709551615", "0x1f1f", "0x3210", "0x7fffffff", "0xffffffff", "0xffff"),
)
INSTRUCTIONS = (
    "shl.b16 %h1, %h2, {};",
    "shr.s32 %r1, %r2, {};",
    "shr.u64 %rd1, %rd2, {};",
    "shf.l.wrap.b32 %r1, %r2, %r3, {};",
    "shf.r.clamp.b32 %r1, %r2, %r3, {};",
    "bfe.u32 %r1, %r2, {}, %r3;",
    "bfe.u32 %r1, %r2, 24, {};",
    "bfi.b64 %rd1, %rd2, %rd3, {}, 4;",
    "bmsk.clamp.b32 %r1, {}, 3;",
    "szext.clamp.u32 %r1, %r2, {};",
    "div.u32 %r1, %r2, {};",
    "rem.s16 %h1, %h2, {};",
    "setp.lt.u32 %p1, %r1, {};",
    "setp.ge.s32 %p1, %r1, {};",
    "setp.hi.u16 %p1, %h1, {};",
    "setp.le.s64 %p1, {}, %rd1;",
    "setp.eq.s32 %p1, %r1, {};",
    "min.u32 %r1, %r2, {};",
    "max.s16 %h1, {}, %h2;",
    "mul.lo.s32 %r1, %r2, {};",
    "mul.wide.s16 %r1, %h1, {};",
    "mad.lo.u32 %r1, %r2, {}, %r3;",
    "mul24.lo.s32 %r1, %r2, {};",
    "and.b32 %r1, %r2, {};",
    "add.s16 %h1, %h2, {};",
    "mov.b32 %r1, {};",
    "mov.b32 %r1, {{{}, %h1}};",
    "st.global.u8 [%rd1], {};",
    "atom.global.max.s32 %r1, [%rd1], {};",
    "prmt.b32 %r1, %r2, %r3, {};",
    "prmt.b32.f4e %r1, %r2, %r3, {};",
    "shfl.sync.idx.b32 %r1, %r2, {}, 31, -1;",
    "shfl.sync.up.b32 %r1, %r2, 1, {}, -1;",
    "shfl.sync.down.b32 %r1, %r2, %r3, {}, -1;",
    "shfl.sync.bfly.b32 %r1, %r2, 1, {}, -1;",
    "vote.sync.any.pred %p1, %p2, {};",
    "nanosleep.u32 {};",
    "fns.b32 %r1, %r2, {}, 1;",
    "mbarrier.expect_tx.relaxed.cta.shared.b64 [%r1], {};",
)


@pytest.mark.parametrize("instruction", INSTRUCTIONS)
def test_limits_hide_nothing(instruction: str, monkeypatch: pytest.MonkeyPatch) -> None:
    lines = [instruction.format(f"{sign}{each}") for sign, each in product(("", "-"), NUMBERS)]
    text = f"{HEADER}{BODY}" + "\n".join(lines) + "\nret;\n}\n"
    found = lint(Document.read(text), DEFAULT_RULES)
    assert found
    monkeypatch.setattr(unusual, "_limits_of", lambda _: True)
    unusual.unusual_constants.cache_clear()
    assert lint(Document.read(text), DEFAULT_RULES) == found


def test_a_constant_in_a_block_on_one_line() -> None:
    text = (
        f"{HEADER}{BODY}{{ .reg .b32 t<3>; shl.b32 t1, %r1, 3; shl.b32 %r2, t1, 40; }}\nret;\n}}\n"
    )
    uses = unusual.unusual_constants(Document.read(text).leaf(1))
    assert [[each.value for each in use.constants] for use in uses] == [[3], [40]]
