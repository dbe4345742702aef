"""PTX with what an editor without a server must take each of its words for."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

TEXT: Final = """\
// call of add.u32 in a comment
.version 8.6
.target sm_100a
.address_size 64
.extern .func (.param .b32 result) callee (.param .b32 value);
.visible .entry kernel(.param .u64 data) .maxntid 128, 1, 1
{
    .reg .b32 %r<9>;
    .file 1 "add.cu"
    ld.global.L2::128B.v2.f32 {%f1, %f2}, [%rd1];
    @!%p1 bra $done;
    /* sub.u32
       mul.lo.u32 */
    mov.u32 %r2, %tid.x;
    atom.min.shared::cta.u32 %r1, [%r2], 0x1F;
    wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%f1}, %rd1, %rd2, 1, 1, 1, 0, 0;
    mov.u32 %r3, %envreg31; mov.b32 %r4, WARP_SZ;
add:
    add.ftz.f32 %f1, %f2, 0f3F800000;
$done:
    ret;
}
"""
KINDS: Final[Sequence[tuple[int, str, str]]] = (
    (1, "add", "comment"),
    (2, ".version", "directive"),
    (3, "sm_100a", "target"),
    (5, ".extern", "directive"),
    (5, ".b32", "type"),
    (5, "callee", "function"),
    (6, "kernel", "function"),
    (6, ".maxntid", "directive"),
    (8, ".reg", "directive"),
    (8, "%r", "register"),
    (9, "add.cu", "string"),
    (10, "ld", "opcode"),
    (10, "L2::128B", "modifier"),
    (10, ".f32", "type"),
    (10, "%f1", "register"),
    (11, "bra", "opcode"),
    (12, "sub", "comment"),
    (13, "mul", "comment"),
    (14, "%tid", "special register"),
    (15, "atom", "opcode"),
    (15, "min", "modifier"),
    (15, ".u32", "type"),
    (16, "wgmma", "opcode"),
    (16, "m64n8k16", "modifier"),
    (17, "%envreg31", "special register"),
    (17, "%r4", "register"),
    (17, "WARP_SZ", "predefined"),
    (18, "add", "label"),
    (19, "add", "opcode"),
    (19, "ftz", "modifier"),
    (20, "$done", "label"),
    (21, "ret", "opcode"),
)
"""Line, a word of it (its first place), and what it is."""


def check_colours(seen: Sequence[Sequence[str]], groups: Mapping[str, Sequence[str]]) -> None:
    """Every word has a colour of its kind.

    `seen`: what each character is shown as, by line. `groups`: the names that an editor has for
    each kind.
    """
    lines = TEXT.splitlines()
    wrong = []
    for number, word, kind in KINDS:
        begin = lines[number - 1].index(word)
        # The dot and the colons of a word may have a colour of their own.
        shown = {
            seen[number - 1][at]
            for at in range(begin, begin + len(word))
            if lines[number - 1][at] not in ".:"
        }
        if not shown <= set(groups[kind]):
            wrong.append((number, word, kind, sorted(shown)))
    assert wrong == []


INDENTED: Final = """\
.visible .entry kernel(
    .param .u64 data,
    .param .u32 count
)
.maxntid 128, 1, 1
{
    .reg .b32 %r<9>; // {
    {
        .param .b32 p0;
        call.uni (r0), f, (p0);
    }
    mov.v2.u32 {%r1, %r2}, %r3;
inner:
    add.u32 %r1, %r2, 3;
$done:
    ret;
}
.func callee()
{
    ret;
}
"""
"""PTX that an editor does not change when it indents."""
