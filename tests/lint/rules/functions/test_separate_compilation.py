from tests.support.lint import check_declarations


def test_unified_names() -> None:
    check_declarations("""
    .global .attribute(.unified(19, 95)) .u32 variable;
    //                 ^^^^^^^^ separate-compilation: `.unified` is allowed only in a module that is
    .func .attribute(.unified(19, 96)) function() { ret; }
    //               ^^^^^^^^ separate-compilation: `.unified` is allowed only in a module that is
    .global .attribute(.managed) .u32 managed;
    """)
