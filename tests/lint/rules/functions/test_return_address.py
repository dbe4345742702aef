from tests.support.lint import check_module


def test_same_registers() -> None:
    check_module("""
    .version 9.0
    .target sm_90
    .address_size 64
    .func other() { ret; }
    .func inner() .abi_preserve 9 { ret; }
    .func outer() .abi_preserve 8
    {
        .reg .b64 %rd<2>;
        call inner;
    //       ^^^^^ return-address: because `.abi_preserve 8` and `.abi_preserve 9` have the same
        call other;
        prototype: .callprototype _ () .abi_preserve 8;
        call %rd1, (), prototype;
        ret;
    }
    .func plain()
    {
        call inner;
        ret;
    }
    """)


def test_too_few() -> None:
    check_module("""
    .version 9.0
    .target sm_90
    .address_size 64
    .func none() .abi_preserve 0 { ret; }
    //                         ^ return-address: `.abi_preserve 0` does not preserve the return
    .func one() .abi_preserve 1 { ret; }
    //                        ^ return-address: `.abi_preserve 1` does not preserve the return
    .func two() .abi_preserve 2 { ret; }
    """)
