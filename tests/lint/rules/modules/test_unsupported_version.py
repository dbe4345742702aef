from tests.support.lint import check_declarations, check_module


def test_instruction() -> None:
    check_module("""
    .version 6.4
    .target sm_75
    .address_size 64
    .entry k() {
    .reg .b32 %r<3>;
    mov.b32 %r1, %r2;
    activemask.b32 %r1;
    ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%r1}, [%r2];
    ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ unsupported-version:
    }
    """)


def test_target() -> None:
    check_module("""
    .version 6.0
    .target sm_80
    //      ^^^^^ unsupported-version: `sm_80` needs PTX ISA 7.0, but `.version` is 6.0
    .address_size 64
    .global .b32 g;
    """)


def test_target_of_a_module_that_is_only_a_header() -> None:
    check_module("""
    .version 6.0
    .target sm_80 // accepted until a statement follows
    .address_size 64
    """)
    check_module("""
    .version 6.0
    .target sm_80
    //      ^^^^^ unsupported-version: `sm_80` needs PTX ISA 7.0, but `.version` is 6.0
    .file 1 "a.cu"
    """)
    check_module("""
    .version 2.0
    .target sm_20
    .address_size 64
    ^^^^^^^^^^^^^ unsupported-version: `.address_size` needs PTX ISA 2.3, but `.version` is 2.0
    """)


def test_special_register() -> None:
    check_module("""
    .version 7.0
    .target sm_80
    .address_size 64
    .entry k() {
    .reg .b32 r;
    .reg .b64 d;
    mov.u64 d, %current_graph_exec;
    //         ^^^^^^^^^^^^^^^^^^^ unsupported-version: `%current_graph_exec` needs PTX ISA 8.0 and
    mov.u32 r, %tid.x;
    }
    """)


def test_type_of_a_declaration() -> None:
    check_declarations("""
    .entry k() { .reg .b128 q; ret; }
    //                ^^^^^ unsupported-version: `.b128` needs PTX ISA 8.3 and sm_70 or newer, but
    """)


def test_directive() -> None:
    check_module("""
    .version 2.0
    .target sm_20
    .address_size 64
    ^^^^^^^^^^^^^ unsupported-version: `.address_size` needs PTX ISA 2.3, but `.version` is 2.0
    """)


def test_what_sections_hold() -> None:
    check_module("""
    .version 3.1
    .target sm_30
    .entry k() { L: ret; M: ret; }
    .section .debug_info
    {
    a:
    ^ unsupported-version: `a` needs PTX ISA 7.0, but `.version` is 3.1: earlier versions have no
    .b32 .debug_info+4
    //              ^^ unsupported-version: `+4` needs PTX ISA 3.2
    .b64 M - L
    //   ^^^^^ unsupported-version: `M-L` needs PTX ISA 7.5
    .b8 1, -1
    //     ^^ unsupported-version: `-1` needs PTX ISA 7.5
    .b64 L
    }
    """)
    check_module("""
    .version 7.5
    .target sm_60
    .section .debug_info
    {
    a: .b64 a+4
    b: .b64 b-a
    .b8 -1
    }
    """)


def test_time_stamp_of_a_source() -> None:
    check_module("""
    .version 3.1
    .target sm_20
    .file 1 "a.cu", 1364, 25
    //              ^^^^ unsupported-version: `1364` needs PTX ISA 3.2, but `.version` is 3.1:
    .file 2 "b.cu"
    """)


def test_parameter_without_a_size() -> None:
    check_module("""
    .version 5.0
    .target sm_30
    .func f(.param .b32 n, .param .b8 more[]) { ret; }
    //                                ^^^^ unsupported-version: `more` needs PTX ISA 6.0 and
    .func g()
    {
    a: .callprototype _ (.param .b32 n, .param .align 8 .b8 more[]);
    //                                                      ^^^^ unsupported-version: `more` needs
    b: .callprototype _ (.param .b8 _[]);
    //                              ^ unsupported-version: `_` needs PTX ISA 6.0
    c: .callprototype _ (.param .b8 some[4]);
    ret;
    }
    """)
