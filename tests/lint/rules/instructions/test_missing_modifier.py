from tests.support.lint import check_fix, check_lint


def test_type() -> None:
    check_lint("""
    add %r1, %r2, %r3;
    ^^^ missing-modifier: `add` needs `.u32`, `.s32`, `.f32`, `.u16x2`, `.s16x2`, `.f16x2` …
    """)


def test_mode() -> None:
    check_lint("""
    mul.s32 %r1, %r2, %r3;
    ^^^^^^^ missing-modifier: `mul.s32` needs `.lo` or `.hi`
    """)


def test_several_modifiers() -> None:
    """All modifiers without a choice are named, and how many more there are."""
    check_lint("""
    ldmatrix.x4.b16 {%r1, %r2, %r3, %r4}, [%rd1];
    ^^^^^^^^^^^^^^^ missing-modifier: `ldmatrix.x4.b16` needs `.sync`, `.aligned` and `.m8n8`
    cp.async [%rd1], [%rd2], 16;
    ^^^^^^^^ missing-modifier: `cp.async` needs `.ca`, `.global` and 1 more modifier
    shfl %r1, %r2, 1, 31, -1;
    ^^^^ missing-modifier: `shfl` needs `.sync`, `.b32` and 1 more modifier
    """)
    before = "ldmatrix.x4.b16 {%r1, %r2, %r3, %r4}, [%rd1];\n"
    check_fix(before, before.replace("ldmatrix", "ldmatrix.sync.aligned.m8n8"))


def test_two_modifiers_with_few_choices() -> None:
    check_lint("""
    wmma.mma.sync.aligned.row.col.m8n8k128.s32.b1.b1.s32 {%r1, %r2}, {%r3}, {%r4}, {%r5, %r6};
    ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ missing-modifier: needs `.popc`, and `.xor`
    vote.sync %r1, %p1, -1;
    ^^^^^^^^^ missing-modifier: `vote.sync` needs `.pred`, and `.all`, `.any` or `.uni`
    """)


def test_a_missing_modifier_has_a_cause() -> None:
    """No modifier is demanded that would leave the instruction illegal, with no reason."""
    check_lint("""
    st.u32 %r1, %r2, 4294967296;
    ^^^^^^ missing-modifier: `st.u32` needs `.L2::cache_hint`: the cache policy operand and
    """)


def test_the_operation_that_is_written_is_meant() -> None:
    """A form that only lacks modifiers is nearer than one without the written operation."""
    check_lint("""
    vote %r1, %p1, -1;
    ^^^^ missing-modifier: `vote` needs `.sync`, `.pred` and 1 more modifier
    cp.async.bulk [%r1], [%rd1], 16, [%rd2];
    ^^^^^^^^^^^^^ missing-modifier: `cp.async.bulk` needs `.shared::cta`, `.global` and
    """)
