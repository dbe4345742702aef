from tests.support.lint import check_declarations


def test_return_address() -> None:
    check_declarations("""
    .func f() { .pragma "retaddr_reg 4"; ret; }
    .func g() { .pragma "retaddr_reg 3"; ret; }
    //                  ^^^^^^^^^^^^^^^ register-pragma: `retaddr_reg` sets a reserved register
    .func h() { .pragma "retaddr_reg 0x5"; ret; }
    //                  ^^^^^^^^^^^^^^^^^ register-pragma: `retaddr_reg` sets an odd register
    .func i() { .pragma "retaddr_reg 252"; ret; }
    .func j() { .pragma "retaddr_reg 254"; ret; }
    //                  ^^^^^^^^^^^^^^^^^ register-pragma: `retaddr_reg` exceeds the maximum
    .func k() { .pragma "retaddr_reg 8", "retaddr_reg 8"; ret; }
    //                                   ^^^^^^^^^^^^^^^ register-pragma: `retaddr
    .entry l() { .pragma "retaddr_reg 8"; ret; }
    //                   ^^^^^^^^^^^^^^^ register-pragma: `retaddr_reg` is allowed only in device
    """)


def test_parameters() -> None:
    check_declarations("""
    .func f(.param .b32 a, .param .b64 b) { .pragma "abi_param_reg 3"; ret; }
    .func g(.param .b32 a, .param .b64 b) { .pragma "abi_param_reg 2"; ret; }
    //                                              ^^^^^^^^^^^^^^^^^ register-pragma: `abi
    .func h(.param .b8 a[17]) { .pragma "abi_param_reg 4, 8"; ret; }
    //                                  ^^^^^^^^^^^^^^^^^^^^ register-pragma: `abi_param
    .func i() { .pragma "abi_param_reg 8, 3"; ret; }
    //                  ^^^^^^^^^^^^^^^^^^^^ register-pragma: `abi_param_reg` sets a reserved
    .func j() { .pragma "abi_param_reg"; ret; }
    //                  ^^^^^^^^^^^^^^^ register-pragma: `abi_param_reg` takes a register count
    .func k() { .pragma "abi_param_reg 8, 248"; ret; }
    //                  ^^^^^^^^^^^^^^^^^^^^^^ register-pragma: `abi_param_reg` exceeds the maximum
    .func l() { .pragma "abi_param_reg 8", "retaddr_reg 10"; ret; }
    //                                     ^^^^^^^^^^^^^^^^ register-pragma: the return
    .func m() { .pragma "retaddr_reg 12", "abi_param_reg 8"; ret; }
    .func n() { .pragma "retaddr_reg 12", "abi_param_reg 9"; ret; }
    //                                    ^^^^^^^^^^^^^^^^^ register-pragma: the return
    """)


def test_local_registers() -> None:
    check_declarations("""
    .entry f() { .pragma "local_maxnreg 32"; .pragma "local_maxnreg 32"; ret; }
    //                                               ^^^^^^^^^^^^^^^^^^ register-pragma: `local
    .func g() { .pragma "local_maxnreg 300"; ret; }
    //                  ^^^^^^^^^^^^^^^^^^^ register-pragma: `local_maxnreg` exceeds the maximum
    .func h() { .pragma "local_maxnreg 3x"; ret; }
    //                  ^^^^^^^^^^^^^^^^^^ directive-value: `.pragma "local_maxnreg"` takes a number
    .pragma "local_maxnreg x";
    //      ^^^^^^^^^^^^^^^^^ uncompilable: the unknown pragma `local_maxnreg x`
    .pragma "retaddr_reg";
    //      ^^^^^^^^^^^^^ directive-value: `.pragma "retaddr_reg"` takes a number
    .pragma "abi_param_reg x";
    """)


def test_call() -> None:
    check_declarations("""
    .func f() { .pragma "retaddr_reg 20"; ret; }
    .func g() { .pragma "local_maxnreg 32"; ret; }
    .func h() { call g; ret; }
    .entry k() {
    call f;
    //   ^ register-pragma: a pragma sets the registers of `f`
    ret; }
    """)


def test_more_than_the_kernel_has() -> None:
    check_declarations("""
    .entry f() .maxnreg 32 { .pragma "local_maxnreg 32"; ret; }
    .entry g() .maxnreg 32 { .pragma "local_maxnreg 33"; ret; }
    //                               ^^^^^^^^^^^^^^^^^^ register-pragma: `local_maxnreg` has
    """)
