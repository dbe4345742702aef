from tests.support.lint import check_module


def test_instruction() -> None:
    check_module("""
    .version 7.0
    .target sm_70
    .address_size 64
    .entry k() {
    .reg .b32 r;
    redux.sync.add.s32 r, r, -1;
    ^^^^^^^^^^^^^^^^^^ unsupported-target: `redux.sync.add.s32` needs PTX ISA 7.0 and sm_80,
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
    //         ^^^^^^^^^^^^^^^^ unsupported-target: `%cluster_ctarank` needs PTX ISA 7.8 and sm_90,
    }
    """)


def test_directive() -> None:
    check_module("""
    .version 7.8
    .target sm_80
    .address_size 64
    .entry k() .explicitcluster { ret; }
    //         ^^^^^^^^^^^^^^^^ unsupported-target: `.explicitcluster` needs PTX ISA 7.8 and sm_90,
    """)
