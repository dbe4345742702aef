from ptx_ls.document.document import Document
from ptx_ls.lint import lint
from ptx_ls.source import Severity
from tests.support.lint import check_module


def test_instruction() -> None:
    check_module("""
    .version 7.0
    .target sm_70
    .address_size 64
    .entry k() {
    .reg .b32 r;
    redux.sync.add.s32 r, r, -1;
    ^^^^^^^^^^^^^^^^^^ unsupported-target: `redux.sync.add.s32` needs PTX ISA 7.0 and sm_80 or
    }
    """)


def test_special_register() -> None:
    check_module("""
    .version 7.8
    .target sm_80
    .address_size 64
    .entry k() {
    .reg .b32 r;
    mov.u32 r, %cluster_ctarank;
    //         ^^^^^^^^^^^^^^^^ unsupported-target: `%cluster_ctarank` needs PTX ISA 7.8 and sm_90
    }
    """)


def test_directive() -> None:
    check_module("""
    .version 7.8
    .target sm_80
    .address_size 64
    .entry k() .explicitcluster { ret; }
    //         ^^^^^^^^^^^^^^^^ unsupported-target: `.explicitcluster` needs PTX ISA 7.8 and sm_90
    """)


def test_arrays_of_a_type_that_the_target_lacks() -> None:
    check_module("""
    .version 8.3
    .target sm_60
    .address_size 64
    .global .b128 a;
    //      ^^^^^ unsupported-target: `.b128` needs PTX ISA 8.3 and sm_70 or newer, but `.target` is
    .global .b128 b[2], c;
    //      ^^^^^ unsupported-target: `.b128` needs PTX ISA 8.3 and sm_70 or newer, but `.target` is
    .global .b128 d[2] = {1, 2};
    //      ^^^^^ unsupported-target: `.b128` needs PTX ISA 8.3 and sm_70 or newer, but `.target` is
    """)
    text = ".version 8.3\n.target sm_60\n.visible .global .b128 d[2] = {1, 2};\n"
    assert [it.severity for it in lint(Document.read(text))] == [Severity.WARNING]


def test_halves_packed_for_a_target_without_them() -> None:
    check_module("""
    .version 4.1
    .target sm_50
    .address_size 64
    .entry k() { .reg .f16x2 a; ret; }
    //                ^^^^^^ unsupported-target: `.f16x2` needs PTX ISA 4.2 and sm_53 or newer,
    """)


def test_vectors_of_a_type_that_the_target_lacks() -> None:
    text = ".version 4.2\n.target sm_50\n.visible .global .v2 .f16x2 d;\n"
    assert [it.severity for it in lint(Document.read(text))] == [Severity.WARNING]
