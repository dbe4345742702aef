import pytest

from tests.support.lint import check_module, diagnostics


def test_no_version() -> None:
    check_module("""
    .target sm_90
    | module-header: missing `.version`: every module must start with it
    .entry k() { ret; }
    """)


def test_no_target() -> None:
    check_module("""
    .version 8.0
    .entry k() { ret; }
    | module-header: missing `.target`: it must follow `.version`
    """)


def test_nothing() -> None:
    check_module("""
    .entry k() { ret; }
    | module-header: missing `.target`: it must follow `.version`
    | module-header: missing `.version`: every module must start with it
    """)


@pytest.mark.parametrize("text", ["", "\n", "// only a comment\n", '# 1 "a.cu"\n'])
def test_empty_text(text: str) -> None:
    messages = [found.message for found in diagnostics(text)]
    assert messages == ["missing `.version`: every module must start with it"]


def test_debugging_data() -> None:
    check_module("""
    .version 8.0
    .target sm_90, debug
    //             ^^^^^ module-header: `debug` requires debugging data
    .entry k() { ret; }
    """)
    check_module("""
    .version 8.0
    .target sm_90, debug
    .entry k() { ret; }
    .section .debug_info { .b8 1 }
    """)


def test_wrong_order() -> None:
    check_module("""
    .version 8.0
    .address_size 64
    .target sm_90
    ^^^^^^^ module-header: `.target` is allowed only at the start of the module
    """)


def test_again() -> None:
    check_module("""
    .version 8.0
    .target sm_90
    .address_size 64
    .entry k() { ret; }
    .version 8.0
    ^^^^^^^^ module-header: `.version` is allowed only at the start of the module
    """)


def test_two_targets_are_taken() -> None:
    check_module("""
    .version 8.0
    .target sm_90
    .target sm_80
    .address_size 64
    """)


def test_line_of_the_preprocessor() -> None:
    check_module("""
    # 1 "x.cu"
    .version 8.0
    .target sm_90
    """)


def test_values() -> None:
    check_module("""
    .version 8
    //       ^ module-header: a version must be two numbers, as in `.version 8.0`
    .target debug
    //      ^^^^^ module-header: the first name of `.target` must be an architecture, such as
    .address_size 16
    //            ^^ module-header: `16` is not an address size, expected 32 or 64
    """)


def test_last_architecture_counts() -> None:
    check_module("""
    .version 8.0
    .target sm_80, texmode_independent,
            sm_90
    .address_size 64
    .global .samplerref s;
    .entry k() { griddepcontrol.wait; ret; }
    """)
    check_module("""
    .version 8.0
    .target sm_90
    .target texmode_independent, sm_80
    .address_size 64
    .global .samplerref s;
    .entry k() {
    griddepcontrol.wait;
    ^^^^^^^^^^^^^^^^^^^ unsupported-target: `griddepcontrol.wait` needs PTX ISA 7.8 and sm_90 or
    ret; }
    """)


def test_options_over_several_targets() -> None:
    check_module("""
    .version 8.0
    .target sm_90, texmode_unified
    .target texmode_independent
    //      ^^^^^^^^^^^^^^^^^^^ module-header: conflicts with the architecture
    .address_size 64
    """)


def test_target_in_a_body() -> None:
    check_module("""
    .version 8.0
    .target sm_90
    .entry k() { .target sm_90 ret; }
    """)


def test_options() -> None:
    check_module("""
    .version 8.0
    .target sm_90, texmode_unified, texmode_unified, texmode_independent
    //                                               ^^^^^^^^^^^^^^^^^^^ module-header: conflicts
    .address_size 0x40
    """)


def test_double_precision_is_not_mapped_where_it_exists() -> None:
    check_module("""
    .version 8.0
    .target sm_90, map_f64_to_f32
    //             ^^^^^^^^^^^^^^ module-header: conflicts with the architecture
    """)


def test_narrow_addresses() -> None:
    check_module("""
    .version 8.0
    .target sm_75
    .address_size 32
    //            ^^ module-header: ptxas 13 generates no code for 32-bit addresses
    """)
    check_module("""
    .version 8.0
    .target sm_70
    .address_size 32
    """)


def test_version_on_its_line() -> None:
    check_module("""
    .version
    ^^^^^^^^ module-header: the number must follow `.version` on the same line, with only white
    8.0
    .target sm_90
    """)
    check_module("""
    .version
    //      | syntax-error: incomplete statement, expected a number
    .target sm_90
    """)
    check_module("""
    \x1a.version 8.0
    .target sm_90
    """)
    check_module("""
    .version 8.5.1
    //          ^^ syntax-error: a version must be two numbers, as in `.version 8.0`
    .target sm_90
    """)
