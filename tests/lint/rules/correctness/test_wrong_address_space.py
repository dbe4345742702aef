from ptx_ls.document.document import Document
from ptx_ls.lint import lint
from ptx_ls.lint.rule_settings import DEFAULT_RULES
from ptx_ls.source import Severity
from tests.support.fixture import assert_diagnostics, parse_fixture

ONLY = "wrong-address-space"


def check_space(body: str, before: str = "") -> None:
    """Fails unless exactly the marked accesses of a kernel are reported by this rule.

    `before`: what is declared before the kernel.
    """
    fixture = parse_fixture(
        f".version 8.0\n.target sm_90\n.address_size 64\n.global .align 8 .b8 g[64];\n{before}\n"
        ".visible .entry k(.param .u64 p, .param .u32 .ptr .shared .align 8 dynamic)\n"
        "{\n.reg .pred %p<3>;\n.reg .b32 %r<9>;\n.reg .b64 %rd<9>;\n"
        ".shared .align 8 .b8 s[64];\n.local .align 8 .b8 l[64];\n"
        f"ld.param.u64 %rd1, [p];\nmov.u32 %r1, %tid.x;\n{body}\nret;\n}}\n"
    )
    found = lint(Document.read(fixture.text), DEFAULT_RULES)
    assert_diagnostics(fixture, [each for each in found if each.rule == ONLY])


def test_generic_address_in_an_access_to_a_state_space() -> None:
    check_space("""
    cvta.shared.u64 %rd2, s;
    st.shared.u32 [%rd2], %r1;
    //             ^^^^ wrong-address-space: `%rd2` is a generic address that points to `.shared`
    st.u32 [%rd2], %r1;
    st.global.u32 [%rd2], %r1;
    //             ^^^^ wrong-address-space: but this instruction expects an address in `.global`
    """)


def test_offset_in_a_generic_access() -> None:
    check_space("""
    mov.u64 %rd2, l;
    add.s64 %rd3, %rd2, 8;
    st.u32 [%rd3+4], %r1;
    //      ^^^^^^ wrong-address-space: `%rd3+4` is an address in `.local`
    st.local.u32 [%rd3+4], %r1;
    st.shared.u32 [%rd3+4], %r1;
    //             ^^^^^^ wrong-address-space: but this instruction expects an address in `.shared`
    """)


def test_global_addresses_are_generic_ones() -> None:
    check_space("""
    mov.u64 %rd2, g;
    st.u32 [%rd2], %r1;
    cvta.global.u64 %rd3, %rd2;
    cvta.global.u64 %rd3, %rd3;
    st.global.u32 [%rd3], %r1;
    cvta.to.global.u64 %rd4, %rd2;
    st.global.u32 [%rd4], %r1;
    st.shared.u32 [%rd4], %r1;
    //             ^^^^ wrong-address-space: `%rd4` is an address in `.global`
    """)


def test_conversions_of_converted_addresses() -> None:
    check_space("""
    cvta.local.u64 %rd2, l;
    cvta.local.u64 %rd3, %rd2;
    //                   ^^^^ wrong-address-space: `%rd2` is a generic address that points
    st.u32 [%rd3], %r1;
    cvta.to.local.u64 %rd4, %rd2;
    st.local.u32 [%rd4], %r1;
    cvta.to.local.u64 %rd5, %rd4;
    //                      ^^^^ wrong-address-space: but this instruction expects a generic address
    st.local.u32 [%rd5], %r1;
    cvta.to.shared.u64 %rd6, %rd2;
    st.shared.u32 [%rd6], %r1;
    //             ^^^^ wrong-address-space
    """)


def test_pointer_attribute() -> None:
    check_space("""
    ld.param.u32 %r2, [dynamic];
    st.shared.u32 [%r2+8], %r1;
    """)


def test_unknown_pointers() -> None:
    check_space("""
    ld.global.u64 %rd2, [%rd1];
    st.shared.u32 [%rd2], %r1;
    st.u32 [%rd2], %r1;
    cvta.to.shared.u64 %rd3, %rd2;
    st.shared.u32 [%rd3], %r1;
    st.global.u32 [%rd3], %r1;
    //             ^^^^ wrong-address-space: `%rd3` is an address in `.shared`
    """)


def test_code_that_asks_for_the_space() -> None:
    check_space("""
    cvta.shared.u64 %rd2, s;
    isspacep.global %p1, %rd2;
    @%p1 st.global.u32 [%rd2], %r1;
    """)


def test_address_in_another_block() -> None:
    check_space("""
    mov.u32 %r2, s;
    mapa.shared::cluster.u32 %r3, %r2, 1;
    st.shared::cluster.u32 [%r3], %r1;
    st.shared.u32 [%r3], %r1;
    //             ^^^ wrong-address-space: `%r3` is an address in `.shared::cluster`
    """)


def test_pointer_for_a_function_of_another_module() -> None:
    check_space(
        """
    mov.u64 %rd2, s;
    cvta.shared.u64 %rd3, %rd2;
    {
    .param .b64 wrong;
    .param .b64 right;
    .param .b64 length;
    st.param.b64 [wrong], %rd2;
    //                    ^^^^ wrong-address-space: but `_Z4fillPim` expects a generic address
    st.param.b64 [right], %rd3;
    st.param.b64 [length], %rd2;
    call.uni _Z4fillPim, (wrong, length);
    call.uni _Z4fillPim, (right, length);
    }
    """,
        ".extern .func _Z4fillPim(.param .b64 values, .param .b64 length);",
    )


def test_pointer_into_a_state_space_for_a_function_of_another_module() -> None:
    check_space(
        """
    mov.u64 %rd2, s;
    {
    .param .b64 place, places;
    st.param.b64 [place], %rd2;
    st.param.b64 [places], %rd2;
    //                     ^^^^ wrong-address-space: but `_Z4foldPU3AS3VKfPPU3AS3f` expects
    call.uni _Z4foldPU3AS3VKfPPU3AS3f, (place, places);
    call.uni _Z4foldRU3AS3f, (place);
    }
    """,
        ".extern .func _Z4foldPU3AS3VKfPPU3AS3f(.param .b64 place, .param .b64 places);\n"
        ".extern .func _Z4foldRU3AS3f(.param .b64 place);",
    )


def test_object_of_a_member_function() -> None:
    check_space(
        """
    mov.u64 %rd2, l;
    {
    .param .b64 object;
    st.param.b64 [object], %rd2;
    //                     ^^^^ wrong-address-space: `%rd2` is an address in `.local`
    call.uni _ZN4List4growEv, (object);
    }
    """,
        ".extern .func _ZN4List4growEv(.param .b64 object);",
    )


def test_address_for_a_function_with_a_plain_name() -> None:
    check_space(
        """
    mov.u64 %rd2, s;
    cvt.u32.u64 %r2, %rd2;
    {
    .param .b64 place;
    .param .b32 narrow;
    st.param.b64 [place], %rd2;
    //                    ^^^^ wrong-address-space: `fill`, which is in another module
    st.param.b32 [narrow], %r2;
    call.uni fill, (place);
    call.uni fill_narrow, (narrow);
    }
    """,
        ".extern .func fill(.param .b64 place);\n.extern .func fill_narrow(.param .b32 place);",
    )


def test_number_for_a_function_of_another_module() -> None:
    check_space(
        """
    mov.u64 %rd2, s;
    {
    .param .b64 place;
    st.param.b64 [place], %rd2;
    call.uni _Z4fillm, (place);
    }
    """,
        ".extern .func _Z4fillm(.param .b64 place);",
    )


def check_severity(accesses: str, severity: Severity) -> None:
    """Fails unless the only access reported is of a severity, in a kernel with shared memory."""
    text = (
        ".version 8.0\n.target sm_90\n.address_size 64\n"
        ".visible .entry k(.param .u64 p)\n{\n.reg .b32 %r<9>;\n.reg .b64 %rd<9>;\n"
        f".shared .align 8 .b8 s[64];\nld.param.u64 %rd1, [p];\n{accesses}\nret;\n}}\n"
    )
    found = [each for each in lint(Document.read(text), DEFAULT_RULES) if each.rule == ONLY]
    assert [each.severity for each in found] == [severity]


def test_parameter_that_may_be_an_offset_in_shared_memory() -> None:
    check_severity("ld.shared.u32 %r1, [%rd1];", Severity.INFORMATION)


def test_parameter_that_is_used_as_a_pointer() -> None:
    check_severity("ld.shared.u32 %r1, [%rd1];\nst.global.u32 [%rd1], %r1;", Severity.WARNING)
