from tests.support.lint import check_declarations


def test_counts() -> None:
    check_declarations("""
    .func (.param .b32 r) f(.param .b32 a) { ret; }
    .entry k() {
    .param .b32 p;
    .param .b64 q;
    call (p), f, (p);
    call f, (p);
    //   ^ call-arguments: `f` has 1 result, found 0
    call (p), f;
    //        ^ call-arguments: `f` has 1 argument, found 0
    call (p), f, (p, p);
    //        ^ call-arguments: `f` has 1 argument, found 2
    call (_), f, (5);
    }
    """)


def test_sizes() -> None:
    check_declarations("""
    .func f(.param .b32 a) { ret; }
    .entry k() {
    .param .b32 p;
    .param .b64 q;
    .param .f32 s;
    call f, (p);
    call f, (s);
    call f, (q);
    //       ^ call-arguments: `q` has 8 bytes, expected 4 for `a`
    }
    """)


def test_over_lines() -> None:
    check_declarations("""
    .func f(.param .b32 a) { ret; }
    .entry k() {
    .param .b64 q;
    call.uni
     f, (
     q
     ^ call-arguments: `q` has 8 bytes, expected 4 for `a`
     );
    }
    """)
