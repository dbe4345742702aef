from tests.support.computation import check_quiet, check_rule

RULE = "fragment-order"


def test_a_permuted_accumulator() -> None:
    check_rule(
        RULE,
        """
        mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32
            {%f1, %f2, %f3, %f4}, {%r1, %r2, %r3, %r4}, {%r5, %r6},
            {%f1, %f3, %f2, %f4};
        //  ^^^^^^^^^^^^^^^^^^^^ fragment-order: out of order: `%f3` is in the wrong position
        """,
    )


def test_a_register_of_another_accumulator() -> None:
    check_rule(
        RULE,
        """
        mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%fd1, %fd2}, {%fd5}, {%fd6}, {%fd7, %fd8};
        mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%fd3, %fd4}, {%fd5}, {%fd6}, {%fd7, %fd8};
        mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64
            {%fd5, %fd6}, {%fd5}, {%fd6}, {%fd1, %fd4};
        //                                ^^^^^^^^^^^^ fragment-order: belong to several fragments
        """,
    )


def test_correct_statements() -> None:
    check_quiet(
        RULE,
        "mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 "
        "{%fd1, %fd2}, {%fd5}, {%fd6}, {%fd1, %fd2};",
    )


def test_registers_that_are_written_again() -> None:
    check_rule(
        RULE,
        """
        mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%fd1, %fd2}, {%fd5}, {%fd6}, {%fd7, %fd8};
        mov.f64 %fd1, %fd2;
        mov.f64 %fd2, 0d0000000000000000;
        mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%fd3, %fd4}, {%fd5}, {%fd6}, {%fd2, %fd1};
        """,
    )


def test_registers_of_other_fragments_of_the_instruction() -> None:
    check_rule(
        RULE,
        """
        mma.sync.aligned.m16n8k16.row.col.s32.s8.s8.s32
            {%r1, %r2, %r3, %r4}, {%r5, %r6}, {%r7}, {%r1, %r2, %r2, %r4};
        //                                           ^^^^^^^^^^^^^^^^^^^^ fragment-order
        mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32
            {%f1, %f2, %f3, %f4}, {%r1, %r2, %r3, %r4}, {%r5, %r4}, {%f5, %f5, %f5, %f5};
        //                                              ^^^^^^^^^^ fragment-order: two fragments
        mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32
            {%f1, %f2, %f3, %f4}, {%r1, %r2, %r3, %r4}, {%r5, %r6},
            {%f1, %f2, %f7, %f4};
        //  ^^^^^^^^^^^^^^^^^^^^ fragment-order: `%f7` is not in the result
        """,
    )


def test_a_product_of_a_matrix_with_itself() -> None:
    check_rule(
        RULE,
        """
        mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32
            {%f1, %f2, %f3, %f4}, {%r1, %r2, %r3, %r4}, {%r1, %r3}, {%f5, %f5, %f5, %f5};
        """,
    )
