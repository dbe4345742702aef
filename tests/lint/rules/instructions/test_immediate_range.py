from tests.support.lint import check_lint


def test_barrier() -> None:
    check_lint("""
    bar.sync 16;
    //       ^^ immediate-range: `16` is out of range for the barrier number, expected a constant
    bar.sync 15;
    """)


def test_multiple() -> None:
    check_lint("""
    bar.sync 0, 33;
    //          ^^ immediate-range: the number of participating threads must be a multiple of 32,
    """)


def test_computed_values() -> None:
    check_lint("""
    bar.sync 15 + 0, ~31;
    bar.sync 15 + 1;
    //       ^^^^^^ immediate-range: `15 + 1` is out of range
    bar.sync WARP_SZ;
    //       ^^^^^^^ immediate-range: `WARP_SZ` is out of range
    bar.arrive 3, -32;
    bar.arrive 3, !96;
    //            ^^^ immediate-range: at least one warp must arrive
    bar.arrive 3, 32 - 32;
    //            ^^^^^^^ immediate-range: at least one warp must arrive
    bar.arrive 3, (WARP_SZ) + 1;
    //            ^^^^^^^^^^^^^ immediate-range: must be a multiple of 32
    shl.b32 %r1, %r2, (WARP_SZ);
    """)


def test_many_powers_of_two_are_not_listed() -> None:
    check_lint("""
    alloca.u64 %rd1, 64, 3;
//  ^^^^^^ unknown-stack
    //                   ^ immediate-range: expected a power of two from 1 to 8,388,608
    cp.async.ca.shared.global [%rd1], [%rd2], 5;
    //                                        ^ immediate-range: expected 4, 8 or 16
    """)


def test_the_size_of_a_copy_past_l1() -> None:
    check_lint("""
    cp.async.cg.shared.global [%r1], [%rd1], 4;
    //                                       ^ immediate-range: `cp.async.cg` copies exactly 16 bytes; use `.ca` for 4
    """)  # noqa: E501
