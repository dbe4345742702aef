from tests.support.computation import HEADER, check_quiet, check_rule, check_rule_in_module

RULE = "operand-limit"


def test_limits() -> None:
    check_rule(
        RULE,
        """
        nanosleep.u32 1000001;
        //            ^^^^^^^ operand-limit: must be at most 1,000,000
        fns.b32 %r1, %r2, 32, %r3;
        //                ^^ operand-limit: this operand of `fns.b32` must be at most 31
        mbarrier.expect_tx.relaxed.cta.shared.b64 [%r1], 1048576;
        //                                               ^^^^^^^ operand-limit: at most 1,048,575
        """,
    )


def test_correct_statements() -> None:
    check_quiet(
        RULE,
        "nanosleep.u32 1000000;",
        "nanosleep.u32 %r1;",
        "fns.b32 %r1, %r2, 31, -1;",
        "mbarrier.complete_tx.relaxed.cta.shared.b64 [%r1], 1048575;",
    )


def check_kernel(directives: str, marked: str) -> None:
    body = f"{{\n.reg .b32 %r<3>;\n.reg .b64 %rd<3>;\n{marked}\nret;\n}}\n"
    check_rule_in_module(RULE, f"{HEADER}.visible .entry kernel() {directives}\n{body}")


def test_barriers_of_more_threads_than_the_block() -> None:
    check_kernel(
        ".reqntid 128",
        "bar.sync 1, 160;\n//          ^^^ operand-limit: a block has at most 128 threads",
    )
    check_kernel(
        ".maxntid 8, 4",
        "barrier.sync.aligned 1, 64;\n//                      ^^ operand-limit: must be at most 32",
    )
    check_kernel(".maxntid 100", "bar.sync 1, 128;")
    check_kernel("", "bar.sync 1, 1024;")


def test_ranks_of_other_clusters() -> None:
    check_kernel(
        ".reqnctapercluster 2, 2",
        "mapa.u64 %rd1, %rd2, 4;\n//                   ^ operand-limit: the cluster has 4 blocks",
    )
    check_kernel(".reqnctapercluster 2, 2", "mapa.u64 %rd1, %rd2, 3;")


def test_sizes_of_bulk_copies_in_registers() -> None:
    check_rule(
        RULE,
        """
        mov.b32 %r1, 520;
        cp.async.bulk.global.shared::cta.bulk_group [%rd1], [%rd2], %r1;
        //                                                          ^^^ operand-limit: the size of
        shl.b32 %r3, %r2, 4;
        or.b32 %r4, %r3, 8;
        cp.async.bulk.prefetch.L2.global [%rd1], %r4;
        //                                       ^^^ operand-limit: the size of a bulk copy must
        cp.async.bulk.commit_group;
        """,
    )
    check_quiet(
        RULE,
        "shl.b32 %r1, %r2, 4; cp.async.bulk.global.shared::cta.bulk_group [%rd1], [%rd2], %r1;",
        "shl.b32 %r1, %r2, 2; cp.async.bulk.global.shared::cta.bulk_group [%rd1], [%rd2], %r1;",
        "mov.b32 %r1, 4; cp.async.ca.shared.global [%r2], [%rd2], 4, %r1;",
    )
