from tests.support.lint import check_fix, check_lint


def test_unknown_rules() -> None:
    check_lint("""
    trap; // ptx-ls: ignore[opernd-width, xyzzy, operand-kind]
    //                      ^^^^^^^^^^^^ invalid-suppression: ; did you mean `operand-width`?
    //                                    ^^^^^ invalid-suppression: unknown rule `xyzzy`
    //    ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ unused-suppression
    ret; // ptx-ls: ignore-function[names]
    //                              ^^^^^ invalid-suppression: `names` is a group
    """)


def test_comments_that_cannot_be_read() -> None:
    check_lint("""
    ret; // ptx-ls: ignroe[operand-width]
    //              ^^^^^^ invalid-suppression: found `ignroe`; did you mean `ignore`?
    ret; // ptx-ls:
    //   ^^^^^^^^^^ invalid-suppression: found nothing
    ret; // ptx-ls: ignore[operand-width
    //   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ invalid-suppression: expected `]`
    ret; // ptx-ls: ignore-file[ , ]
    //   ^^^^^^^^^^^^^^^^^^^^^^^^^^^ invalid-suppression: expected rule names between `[` and `]`
    """)


def test_other_texts() -> None:
    check_lint("""
    ret; // see ptx-ls: it reports this
    ret; /* ptx-ls:
       ignored */
    """)


def test_the_nearest_name() -> None:
    check_fix(
        "add.u32 %r1, %r2, %r3; // ptx-ls: ignore[operand-with] why",
        "add.u32 %r1, %r2, %r3; // ptx-ls: ignore[operand-width] why",
    )
