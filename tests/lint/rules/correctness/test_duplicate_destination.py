from tests.support.computation import check_quiet, check_rule

RULE = "duplicate-destination"


def test_vectors() -> None:
    check_rule(
        RULE,
        """
        ld.global.v4.b32 {%r1, %r2, %r3, %r1}, [%rd1];
        //                               ^^^ duplicate-destination: writes `%r1` twice
        mov.b64 {%r1, %r1}, %rd1;
        //            ^^^ duplicate-destination
        tex.2d.v4.f32.f32 {%f1, %f2, %f2, %f3}, [%rd1, {%f4, %f5}];
        //                           ^^^ duplicate-destination
        """,
    )


def test_pairs() -> None:
    check_rule(
        RULE,
        """
        setp.lt.s32 %p1|%p1, %r1, %r2;
        //              ^^^ duplicate-destination: `setp.lt.s32` writes `%p1` twice
        """,
    )


def test_a_block() -> None:
    check_rule(
        RULE,
        """
        { .reg .b32 t; ld.global.v2.b32 {t, t}, [%rd1]; mov.b32 %r1, t; }
        //                                  ^ duplicate-destination
        """,
    )


def test_correct_statements() -> None:
    check_quiet(
        RULE,
        "ld.global.v2.b64 {%rd1, %rd2}, [%rd1];",
        "st.global.v2.b32 [%rd1], {%r1, %r1};",
        "mov.b64 {_, %r1}, %rd1;",
        "mov.b64 %rd1, {%r1, %r1};",
        "setp.lt.s32 %p1|%p2, %r1, %r1;",
        "{ add.s32 %r1, %r2, 1; add.s32 %r1, %r1, 1; }",
    )
