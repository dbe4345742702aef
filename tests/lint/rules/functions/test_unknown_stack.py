from tests.support.lint import check_declarations, check_module


def test_function_that_calls_itself() -> None:
    check_declarations("""
    .func f() { call f; ret; }
    .entry k() { call f; ret; }
    //                ^ unknown-stack: `f` may call itself, so the stack size of `k` is
    .entry l() { ret; }
    """)


def test_functions_that_call_each_other() -> None:
    check_declarations("""
    .func g();
    .func f() { call g; ret; }
    .func g() { call f; ret; }
    .func h() { call g; ret; }
    .entry k() {
        call
            h;
    //      ^ unknown-stack: `h` may call itself
        ret; }
    """)


def test_calls_without_a_cycle() -> None:
    check_declarations("""
    .func f() { ret; }
    .func g() { call f; call f; ret; }
    .func h() { call f; call g; ret; }
    .entry k() { call h; call f; ret; }
    """)


def test_alias_and_list_of_targets() -> None:
    check_declarations("""
    .func g();
    .func f() { call g; ret; }
    .alias g, f;
    .entry k() { call f; ret; }
    //                ^ unknown-stack
    """)
    check_declarations("""
    .func f() { .reg .b64 %rd<2>; mov.u64 %rd1, f; T: .calltargets f; call %rd1, T; ret; }
    .entry k() { call f; ret; }
    //                ^ unknown-stack
    """)


def test_stack_taken_at_run_time() -> None:
    check_module("""
    .version 8.0
    .target sm_90
    .address_size 64
    .func f() { .reg .b64 %rd<2>; alloca.u64 %rd1, 8; ret; }
    .entry k() { call f; ret; }
    //                ^ unknown-stack: `f` allocates stack at run time
    .entry l() {
    .reg .b64 %rd<2>;
    stacksave.u64 %rd1;
    stackrestore.u64 %rd1;
    ^^^^^^^^^^^^ unknown-stack: `stackrestore` allocates stack at run time
    ret; }
    .entry m() { .reg .b64 %rd<2>; stacksave.u64 %rd1; ret; }
    """)
