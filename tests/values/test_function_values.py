"""The known values in kernels, as text."""

from __future__ import annotations

import gc
from weakref import ref

import pytest

from ptx_ls.document.document import Document
from ptx_ls.flow.function_flow import FunctionFlow
from ptx_ls.semantics.symbols.module_facts import module_facts
from ptx_ls.syntax.register_events import READS
from ptx_ls.values.function_values import FunctionValues, function_values
from ptx_ls.values.special_registers import Attained

HEAD = """.version 8.5
.target sm_90
.address_size 64
.extern .shared .align 16 .b8 dynamic[];
.shared .align 16 .b8 sm[1024];
.global .align 4 .b32 table[64];
.const .align 8 .f64 numbers[8];
.visible .entry k(
    .param .u64 .ptr .global .align 16 p,
    .param .u64 q,
    .param .u32 n
)
{directives}
{{
    .reg .pred %p<9>;
    .reg .b16 %h<9>;
    .reg .b32 %r<30>;
    .reg .b64 %rd<30>;
    .reg .f32 %f<9>;
    .local .align 4 .b8 frame[32];
{body}
    ret;
}}
"""


def values_of(body: str, directives: str = "") -> FunctionValues:
    """The values of a kernel."""
    document = Document.read(HEAD.format(body=body, directives=directives))
    module = module_facts(document)
    return next(
        function_values(each, module) for each in document.leaves() if ".entry" in each.text
    )


def check_addresses(body: str, *expected: str, directives: str = "") -> None:
    """Checks what is known of each address in brackets, except for those of parameters.

    That is its form, the state space that it points into and its view, the range of the form
    without its base, and the largest power of two that divides the address.
    """
    values = values_of(body, directives)
    found = []
    for statement in values.flow.text.statements():
        for number in range(4):
            address = values.address(statement, number)
            form = address.affine
            if form is None or ".param" in statement.text:
                continue
            assert values.address_form(statement, number) == form
            index = values.bounds(form.index, statement)
            ends = f"{index.signed_low}..{index.signed_high}"
            if index.is_impossible:
                found.append(f"{form} | {form.space} {form.view} | never")
                continue
            found.append(f"{form} | {form.space} {form.view} | {ends} | {address.alignment}")
    assert found == [*expected]


def check_values(body: str, *expected: str, directives: str = "") -> None:
    """Checks the value of each source register of the stores to `[q]`."""
    values = values_of(body, directives)
    found = []
    for statement in values.flow.text.statements():
        if statement.text.startswith("st."):
            value = values.operand(statement, 1)
            found.append(str(value) if value.affine is None else f"{value.affine} | {value}")
    assert found == [*expected]


def check_attained(body: str, *expected: tuple[int | None, int | None], directives: str) -> None:
    """Checks which indices of addresses are surely reached."""
    values = values_of(body, directives)
    found = []
    for statement in values.flow.text.statements():
        if statement.text.partition(" ")[0] in ("st.shared.b32", "@%p1"):
            number = 0
            form = values.address_form(statement, number)
            if form is not None:
                found.append(values.attained(form.index, statement))
    assert found == [Attained(*each) for each in expected]


def test_symbols_and_offsets() -> None:
    check_addresses(
        """
    ld.shared.b32 %r1, [sm];
    ld.shared.b32 %r1, [sm+12];
    mov.u32 %r2, sm;
    ld.shared.b32 %r1, [%r2+-4];
    mov.u64 %rd1, table;
    add.s64 %rd2, %rd1, 8;
    ld.global.b32 %r1, [%rd2+4];
    mov.u64 %rd3, frame;
    cvta.local.u64 %rd4, %rd3;
    ld.b32 %r1, [%rd4];
    mov.u64 %rd5, numbers;
    ld.const.f64 %rd6, [%rd5+16];
    """,
        "sm | .shared .shared | 0..0 | 16",
        "sm + 12 | .shared .shared | 12..12 | 4",
        "sm - 4 | .shared .shared | -4..-4 | 4",
        "table + 12 | .global .global | 12..12 | 4",
        "frame + generic(.local) | .local generic | 0..0 | 4",
        "numbers + 16 | .const .const | 16..16 | 8",
    )


def test_parameters_are_pointers() -> None:
    check_addresses(
        """
    ld.param.u64 %rd1, [p];
    cvta.to.global.u64 %rd2, %rd1;
    ld.global.b32 %r1, [%rd2+8];
    ld.param.u64 %rd3, [q];
    ld.b32 %r1, [%rd3];
    cvta.to.shared.u64 %rd4, %rd3;
    ld.shared.b32 %r1, [%rd4];
    """,
        "p - generic(.global) + 8 | .global .global | 8..8 | 8",
        "q |   | 0..0 | 1",
        "q - generic(.shared) | .shared .shared | 0..0 | 1",
    )


def test_thread_indices() -> None:
    check_addresses(
        """
    mov.u32 %r1, %tid.x;
    shl.b32 %r2, %r1, 2;
    mov.u32 %r3, sm;
    add.s32 %r4, %r3, %r2;
    st.shared.b32 [%r4+16], %r1;
    mul.wide.u32 %rd1, %r1, 8;
    mov.u64 %rd2, table;
    add.s64 %rd3, %rd2, %rd1;
    st.global.b32 [%rd3], %r1;
    and.b32 %r5, %r1, 7;
    mad.lo.s32 %r6, %r5, 4, %r3;
    st.shared.b32 [%r6], %r1;
    """,
        "sm + 4*%tid.x + 16 | .shared .shared | 16..1036 | 4",
        "table + 8*%tid.x | .global .global | 0..2040 | 4",
        "sm + 4*%r5 | .shared .shared | 0..28 | 4",
        directives=".reqntid 256",
    )


def test_global_indices() -> None:
    check_addresses(
        """
    ld.param.u64 %rd1, [p];
    mov.u32 %r1, %ctaid.x;
    mov.u32 %r2, %ntid.x;
    mov.u32 %r3, %tid.x;
    mad.lo.s32 %r4, %r1, %r2, %r3;
    mul.wide.s32 %rd2, %r4, 4;
    add.s64 %rd3, %rd1, %rd2;
    st.global.b32 [%rd3], %r1;
    ld.param.u32 %r5, [n];
    setp.lt.s32 %p1, %r4, %r5;
    setp.ge.s32 %p2, %r4, 0;
    and.pred %p3, %p1, %p2;
    @%p3 st.global.b32 [%rd3+4], %r1;
    """,
        "p + 4*%r4 | .global  | -8589934592..8589934588 | 4",
        "p + 4*%r4 + 4 | .global  | 4..8589934588 | 4",
    )


def test_conditions_restrict_ranges() -> None:
    check_addresses(
        """
    mov.u32 %r1, %tid.x;
    mov.u32 %r3, sm;
    mad.lo.s32 %r4, %r1, 4, %r3;
    setp.gt.u32 %p1, %r1, 31;
    @%p1 bra done;
    st.shared.b32 [%r4], %r1;
    setp.eq.s32 %p2, %r1, 5;
    @!%p2 bra done;
    st.shared.b32 [%r4], %r1;
    done:
    st.shared.b32 [%r4], %r1;
    setp.lt.u32 %p3, %r1, 8;
    @%p3 st.shared.b32 [%r4], %r1;
    @!%p3 st.shared.b32 [%r4], %r1;
    """,
        "sm + 4*%tid.x | .shared .shared | 0..124 | 4",
        "sm + 4*%tid.x | .shared .shared | 20..20 | 4",
        "sm + 4*%tid.x | .shared .shared | 0..1020 | 4",
        "sm + 4*%tid.x | .shared .shared | 0..28 | 4",
        "sm + 4*%tid.x | .shared .shared | 32..1020 | 4",
        directives=".reqntid 256",
    )


def test_conditions_reach_values_that_were_computed_before() -> None:
    check_addresses(
        """
    ld.param.u32 %r1, [n];
    shr.u32 %r2, %r1, 2;
    and.b32 %r3, %r2, 65535;
    mov.u32 %r4, sm;
    mad.lo.u32 %r5, %r3, 4, %r4;
    setp.ge.u32 %p1, %r1, 64;
    @%p1 bra done;
    st.shared.b32 [%r5], %r1;
    done:
    """,
        "sm + 4*%r3 | .shared .shared | 0..60 | 4",
    )


@pytest.mark.parametrize(
    ("test", "ends"),
    [
        ("setp.lt.s32 %p1, %r1, 16; @%p1 bra next;", "0..60"),
        ("setp.ne.s32 %p1, %r1, 16; @%p1 bra next;", "0..60"),
        ("setp.le.u32 %p1, %r1, 16; @%p1 bra next;", "0..64"),
        ("setp.ge.s32 %p1, %r1, 16; @!%p1 bra next;", "0..60"),
        ("setp.gt.s32 %p1, 16, %r1; @%p1 bra next;", "0..60"),
        ("setp.eq.s32 %p1, %r1, 16; @!%p1 bra next;", "0..60"),
        ("setp.lt.s32 %p1, %r1, %r9; @%p1 bra next;", "0..8589934584"),
    ],
)
def test_loops_count(test: str, ends: str) -> None:
    form = "sm + 4*iteration(next)"
    check_addresses(
        f"""
    ld.param.u32 %r9, [n];
    mov.u32 %r1, 0;
    mov.u64 %rd1, sm;
    next:
    mul.wide.s32 %rd2, %r1, 4;
    add.s64 %rd3, %rd1, %rd2;
    st.shared.b32 [%rd3], %r1;
    add.s32 %r1, %r1, 1;
    {test}
    """,
        f"{form} | .shared .shared | {ends} | 4",
    )


def test_a_loop_moves_a_pointer() -> None:
    check_addresses(
        """
    mov.u64 %rd1, table;
    add.s64 %rd2, %rd1, 64;
    next:
    st.global.b32 [%rd1], %r1;
    add.s64 %rd1, %rd1, 4;
    setp.ne.s64 %p1, %rd1, %rd2;
    @%p1 bra next;
    """,
        "table + 4*iteration(next) | .global .global | 0..60 | 4",
    )


def test_a_loop_with_a_stride() -> None:
    check_addresses(
        """
    mov.u32 %r1, %tid.x;
    mov.u32 %r2, sm;
    next:
    setp.gt.u32 %p1, %r1, 255;
    @%p1 bra done;
    shl.b32 %r3, %r1, 2;
    add.s32 %r4, %r2, %r3;
    st.shared.b32 [%r4], %r1;
    add.s32 %r1, %r1, 64;
    bra next;
    done:
    """,
        "sm + 256*iteration(next) + 4*%tid.x | .shared .shared | 0..1020 | 4",
        directives=".reqntid 64",
    )


def test_nested_loops() -> None:
    check_addresses(
        """
    mov.u32 %r1, 0;
    mov.u32 %r9, sm;
    outer:
    mov.u32 %r2, 0;
    inner:
    mad.lo.s32 %r3, %r1, 64, %r9;
    mad.lo.s32 %r4, %r2, 4, %r3;
    st.shared.b32 [%r4], %r1;
    add.s32 %r2, %r2, 1;
    setp.lt.u32 %p1, %r2, 16;
    @%p1 bra inner;
    add.s32 %r1, %r1, 1;
    setp.lt.u32 %p1, %r1, 16;
    @%p1 bra outer;
    """,
        "sm + 4*iteration(inner) + 64*iteration(outer) | .shared .shared | 0..1020 | 4",
    )


def test_values_that_meet() -> None:
    check_values(
        """
    ld.param.u32 %r9, [n];
    setp.eq.u32 %p1, %r9, 0;
    mov.u32 %r1, 8;
    @%p1 mov.u32 %r1, 24;
    st.global.b32 [%rd1], %r1;
    selp.b32 %r2, 4, 5, %p1;
    st.global.b32 [%rd1], %r2;
    mov.u32 %r3, %laneid;
    @%p1 bra other;
    mov.u32 %r3, %laneid;
    other:
    st.global.b32 [%rd1], %r3;
    """,
        "%r1 | 8..24 (signed 8..24)",
        "%r2 | 4..5 (signed 4..5)",
        "%laneid | 0..31 (signed 0..31)",
    )


def test_a_part_of_a_register() -> None:
    check_values(
        """
    mov.u32 %r1, 305419896;
    mov.b32 {%h1, %h2}, %r1;
    cvt.u32.u16 %r2, %h2;
    st.global.b32 [%rd1], %r2;
    mov.b32 %r3, {%h2, %h1};
    st.global.b32 [%rd1], %r3;
    mov.u32 %r4, %tid.y;
    mov.b64 %rd2, {%r4, 0};
    st.global.b64 [%rd1], %rd2;
    """,
        "%h2 | 4660",
        "%r3 | 1450709556",
        "%tid.y | 0..1023 (signed 0..1023)",
    )


def test_an_unset_register_is_unknown() -> None:
    check_values(
        """
    and.b32 %r1, %r2, 12;
    st.global.b32 [%rd1], %r1;
    """,
        "%r1 | 0..12 (signed 0..12)",
    )


def test_unreadable_statements_may_do_anything() -> None:
    check_values(
        """
    mov.u32 %r1, 5;
    mov.u32 %r1 5;
    st.global.b32 [%rd1], %r1;
    """,
        "0..4294967295 (signed -2147483648..2147483647)",
    )


def test_contradicting_conditions() -> None:
    check_addresses(
        """
    mov.u32 %r1, %tid.x;
    mad.lo.s32 %r4, %r1, 4, sm;
    setp.gt.u32 %p1, %r1, 31;
    @%p1 bra done;
    setp.gt.u32 %p2, %r1, 40;
    @%p2 st.shared.b32 [%r4], %r1;
    done:
    """,
        "sm + 4*%tid.x | .shared .shared | never",
    )


def test_what_threads_surely_reach() -> None:
    check_attained(
        """
    ld.param.u32 %r9, [n];
    mov.u32 %r1, %tid.x;
    mad.lo.s32 %r4, %r1, 4, sm;
    st.shared.b32 [%r4+8], %r1;
    setp.lt.u32 %p1, %r1, 100;
    @%p1 st.shared.b32 [%r4], %r1;
    @!%p1 bra done;
    st.shared.b32 [%r4], %r1;
    setp.lt.u32 %p2, %r1, %r9;
    @!%p2 bra done;
    st.shared.b32 [%r4], %r1;
    done:
    st.shared.b32 [%r4], %r1;
    """,
        (8, 1028),
        (0, 396),
        (0, 396),
        (None, None),
        (0, 1020),
        directives=".reqntid 256",
    )


def test_a_maximum_is_not_surely_reached() -> None:
    check_attained(
        """
    mov.u32 %r1, %tid.x;
    mad.lo.s32 %r4, %r1, 4, sm;
    st.shared.b32 [%r4+8], %r1;
    """,
        (8, 8),
        directives=".maxntid 256",
    )


@pytest.mark.parametrize(("limit", "attained"), [(256, (0, 32)), (8, (0, 0))])
def test_only_a_needed_limit_is_reached(limit: int, attained: tuple[int, int]) -> None:
    check_attained(
        """
    mov.u32 %r1, %tid.x;
    setp.gt.u32 %p1, %r1, 8;
    @%p1 bra end;
    mad.lo.s32 %r4, %r1, 4, sm;
    st.shared.b32 [%r4], %r1;
end:
    """,
        attained,
        directives=f".maxntid {limit}",
    )


def test_the_number_of_a_warp_is_limited() -> None:
    check_attained(
        """
    mov.u32 %r1, %tid.x;
    shr.u32 %r2, %r1, 5;
    setp.gt.u32 %p1, %r2, 3;
    @%p1 bra end;
    mad.lo.s32 %r4, %r2, 4, sm;
    st.shared.b32 [%r4], %r1;
end:
    """,
        (0, 12),
        directives="",
    )


def test_the_threads_of_a_block_share_a_loop() -> None:
    check_attained(
        """
    mov.u32 %r1, %tid.x;
    mov.u32 %r2, %ntid.x;
loop:
    setp.ge.u32 %p1, %r1, 100;
    @%p1 bra end;
    mad.lo.s32 %r4, %r1, 4, sm;
    st.shared.b32 [%r4], %r2;
    add.u32 %r1, %r1, %r2;
    bra loop;
end:
    """,
        (0, 396),
        directives="",
    )


def test_the_numbers_within_a_mask_are_reached() -> None:
    check_attained(
        """
    mov.u32 %r1, %tid.x;
    and.b32 %r2, %r1, 127;
    sub.s32 %r3, %r2, 127;
    mad.lo.s32 %r4, %r3, 4, sm;
    st.shared.b32 [%r4], %r1;
    """,
        (-508, 0),
        directives="",
    )


def test_thread_0_does_not_get_to_what_it_is_excluded_from() -> None:
    check_attained(
        """
    mov.u32 %r1, %tid.x;
    and.b32 %r2, %r1, 127;
    sub.s32 %r3, %r2, 127;
    mad.lo.s32 %r4, %r3, 4, sm;
    setp.lt.u32 %p1, %r1, 16;
    @%p1 bra done;
    st.shared.b32 [%r4], %r1;
    done:
    """,
        (-444, 0),
        directives=".reqntid 128",
    )


def test_a_whole_block_may_pass_the_bound_of_a_grid() -> None:
    values = values_of(
        """
    ld.param.u32 %r9, [n];
    mov.u32 %r1, %tid.x;
    mov.u32 %r2, %ctaid.x;
    mov.u32 %r3, %ntid.x;
    mad.lo.s32 %r4, %r2, %r3, %r1;
    setp.ge.s32 %p1, %r4, %r9;
    @%p1 bra done;
    shl.b32 %r5, %r1, 2;
    mov.u32 %r6, sm;
    add.s32 %r7, %r6, %r5;
    st.shared.b32 [%r7], %r1;
    done:
    """,
        ".reqntid 256",
    )
    (store,) = [it for it in values.flow.text.statements() if it.text.startswith("st.")]
    form = values.address_form(store, 0)
    assert form is not None
    assert values.attained(form.index, store) == Attained(None, None)
    assert values.attained(form.index, store, in_full_blocks=True) == Attained(0, 1020)


def test_what_a_loop_surely_reaches() -> None:
    check_attained(
        """
    mov.u32 %r1, 0;
    next:
    mad.lo.s32 %r4, %r1, 4, sm;
    st.shared.b32 [%r4], %r1;
    add.s32 %r1, %r1, 1;
    setp.le.u32 %p1, %r1, 256;
    @%p1 bra next;
    mov.u32 %r2, 0;
    while:
    setp.ge.s32 %p2, %r2, 256;
    @%p2 bra done;
    mad.lo.s32 %r5, %r2, 4, sm;
    st.shared.b32 [%r5], %r1;
    add.s32 %r2, %r2, 1;
    bra while;
    done:
    """,
        (0, 1024),
        (0, 1020),
        directives="",
    )


def test_values_are_freed_without_a_collection() -> None:
    body = """
    mov.u32 %r1, 0;
    loop:
    mul.wide.u32 %rd1, %r1, 4;
    st.global.u32 [%rd1], %r1;
    add.u32 %r1, %r1, 1;
    setp.lt.u32 %p1, %r1, 8;
    @%p1 bra loop;
    """
    document = Document.read(HEAD.format(body=body, directives=""))
    module = module_facts(document)
    flow = FunctionFlow(document.leaf(document.n_leaves - 1), module.never_returning)
    values = FunctionValues(flow, module)
    n_uses = len(flow.uses.codes)
    found = [values.read(use) for use in range(n_uses) if flow.uses.ways[use] & READS]
    assert any(each.affine is not None for each in found)
    freed = ref(values)
    gc.disable()
    try:
        del values
        assert freed() is None
    finally:
        gc.enable()
