from tests.support.lint import check_module

HEADER = """\
.version 8.0
.target sm_90a
.address_size 64
.entry k(.param .b64 a) {
.reg .f32 %f<9>;
.reg .b64 %rd<9>;
.reg .pred %p<3>;
"""
COMPUTE = """\
wgmma.fence.sync.aligned;
wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%f1, %f2, %f3, %f4}, %rd1, %rd2, 0, 1, 1, 0, 0;
"""
COMMIT = "wgmma.commit_group.sync.aligned;\n"
WAIT = "wgmma.wait_group.sync.aligned 0;\n"


def check_body(*marked: str) -> None:
    """Fails unless exactly the marked diagnostics are reported of statements in a kernel."""
    check_module(f"{HEADER}{''.join(marked)}ret;\n}}\n")


def test_reads_before_the_wait() -> None:
    for read, mark in (
        ("st.global.f32 [%rd3], %f1;\n", "                      ^^^ missing-wait: `%f1` is read\n"),
        ("add.f32 %f7, %f5, %f4;\n", "                  ^^^ missing-wait: `%f4` is read while\n"),
        ("@%p1 mov.f32 %f6, %f2;\n", "                  ^^^ missing-wait\n"),
        ("st.v2.f32 [%rd3], {%f5, %f2};\n", "                        ^^^ missing-wait\n"),
    ):
        check_body(COMPUTE, read, mark, COMMIT, WAIT)
        check_body(COMPUTE, COMMIT, read, mark, WAIT)
        check_body(COMPUTE, COMMIT, WAIT, read)


def test_read_in_the_first_iteration_of_a_loop() -> None:
    read = "mov.f32 %f5, %f1;\n"
    mark = "             ^^^ missing-wait\n"
    check_body(COMPUTE, COMMIT, "LOOP:\n", read, mark, WAIT, "@%p1 bra LOOP;\n")


def test_function_that_never_waits() -> None:
    check_body(
        COMPUTE,
        "^^^^^^^^^^^^^^^ missing-wait: no `wgmma.wait_group` in this function\n",
        COMMIT,
    )


def test_writes_and_other_ways() -> None:
    check_body(COMPUTE, COMMIT, "mov.f32 %f1, %f5;\n", WAIT)
    check_body(COMPUTE, COMMIT, "@%p1 bra END;\n", WAIT, "END:\n", "mov.f32 %f5, %f1;\n")
    check_body(COMPUTE, COMMIT, COMPUTE, COMMIT, WAIT)
