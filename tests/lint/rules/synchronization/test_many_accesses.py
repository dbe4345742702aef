"""Barriers that are missing in kernels with many accesses to shared memory, or many addresses."""

from __future__ import annotations

import pytest

from ptx_ls.document.document import Document
from ptx_ls.lint import lint

RULE = "missing-barrier"


def check_unrolled(stores: list[str], between: str, loads: list[str], *, is_found: bool) -> None:
    """Fails unless the barrier after the stores of a kernel is missing or not."""
    text = "\n".join([
        ".version 8.0\n.target sm_80\n.address_size 64",
        ".visible .entry k(.param .u64 to) .reqntid 64\n{",
        f".reg .b32 %r<9>, %a<{len(stores) + 1}>;\n.reg .b64 %rd;",
        ".shared .align 4 .b8 sm[32768];",
        "mov.u32 %r1, %tid.x;\nshl.b32 %r2, %r1, 2;\nmov.u32 %r3, sm;\nadd.s32 %r4, %r3, %r2;",
        "xor.b32 %r5, %r2, 128;\nadd.s32 %r5, %r3, %r5;\nmov.u32 %r6, 0;",
        *stores,
        between,
        *loads,
        "ld.param.u64 %rd, [to];\nst.global.u32 [%rd], %r6;\nret;\n}\n",
    ])  # fmt: skip
    found = [each for each in lint(Document.read(text)) if each.rule == RULE]
    assert bool(found) == is_found


def _loads(count: int) -> list[str]:
    places = range(0, 256 * count, 256)
    return [f"ld.shared.u32 %r7, [%r5+{each}];\nadd.u32 %r6, %r6, %r7;" for each in places]


@pytest.mark.parametrize("between", ["", "bar.sync 0;"])
@pytest.mark.parametrize("count", [8, 64, 100])
def test_unrolled(count: int, between: str) -> None:
    stores = [f"st.shared.u32 [%r4+{each}], %r1;" for each in range(0, 256 * count, 256)]
    check_unrolled(stores, between, _loads(count), is_found=not between)


@pytest.mark.parametrize("between", ["", "bar.sync 0;"])
@pytest.mark.parametrize("count", [8, 24, 60])
def test_address_for_each_store(count: int, between: str) -> None:
    stores = [
        f"add.s32 %a{each}, %r4, {256 * each};\nst.shared.u32 [%a{each}], %r1;"
        for each in range(count)
    ]
    check_unrolled(stores, between, _loads(1), is_found=not between)
