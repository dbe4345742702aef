import pytest

from tests.support.lint import check_rule

HEAD = """
.version 8.6
.target sm_90
.address_size 64
.visible .entry k(.param .b64 from)
.reqntid 64
{
    .reg .pred p, ok;
    .reg .b32 t, i, n, v;
    .reg .b64 f;
    .shared .align 128 .b8 data[512];
    .shared .align 8 .b64 full;
    ld.param.b64 f, [from];
    mov.u32 t, %tid.x;
    setp.eq.u32 p, t, 0;
    @p mbarrier.init.shared::cta.b64 [full], 1;
    bar.sync 0;
    mov.u32 i, 0;
"""
FILL = """\
    @p mbarrier.arrive.expect_tx.shared::cta.b64 _, [full], 512;
    @p cp.async.bulk.shared::cta.global.mbarrier::complete_tx::bytes [data], [f], 512, [full];
"""
WAIT = """\
W:
    mbarrier.try_wait.parity.shared::cta.b64 ok, [full], PARITY;
MARK
    @!ok bra W;
    bar.sync 0;
"""
TAIL = """\
    ret;
}
"""
MARK = "//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ wrong-parity: MESSAGE"


def check_wait(body: str, message: str = "") -> None:
    """Checks the wait that is followed by the line `MARK` in a kernel with one mbarrier object."""
    mark = MARK.replace("MESSAGE", message) if message else "//"
    check_rule("wrong-parity", f"{HEAD}{body.replace('MARK', mark)}{TAIL}")


def test_first_phase() -> None:
    check_wait(FILL + WAIT.replace("PARITY", "1"), "but the only phase so far has")
    check_wait(FILL + WAIT.replace("PARITY", "0"))


@pytest.mark.parametrize("parity", ["0", "1"])
def test_second_phase(parity: str) -> None:
    first = FILL + WAIT.replace("PARITY", "0").replace("MARK", "//")
    second = FILL + WAIT.replace("PARITY", parity).replace("W:", "V:").replace("bra W", "bra V")
    check_wait(first + second, "but the latest of 2 phases" if parity == "0" else "")


def test_arrival_after_the_wait() -> None:
    check_wait(WAIT.replace("PARITY", "0") + FILL, "but nothing before it completes a phase")


def test_threads_that_do_not_wait_may_still_arrive() -> None:
    fill = FILL.replace("@p ", "@!p ")
    check_wait(
        f"    @!p bra X;\n{WAIT.replace('PARITY', '0').replace('    bar.sync 0;', '')}X:\n{fill}"
    )
