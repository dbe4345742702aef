import pytest

from tests.support.lint import check_rule

KERNEL = """
.version 8.6
.target sm_90
.address_size 64
.visible .entry k(.param .b64 from, .param .b32 count, .param .b32 other)
SIZE
{
    .reg .pred p, ok, lead;
    .reg .b32 t, i, n, ph, v;
    .reg .b64 f;
    .shared .align 128 .b8 data[128];
    .shared .align 8 .b64 full;
    .shared .align 8 .b64 empty;
    ld.param.b64 f, [from];
    ld.param.b32 n, [count];
    SCALE
    mov.u32 t, %tid.x;
    setp.eq.u32 lead, t, 0;
    @lead mbarrier.init.shared::cta.b64 [full], 1;
    @lead mbarrier.init.shared::cta.b64 [empty], 32;
    bar.sync 0;
    mov.u32 i, 0;
    setp.ge.u32 p, t, 32;
    @p bra CONSUMER;
    @!lead ret;
FILL:
    and.b32 ph, i, 1;
    FLIP
E:
    mbarrier.try_wait.parity.shared::cta.b64 ok, [empty], ph;
    @!ok bra E;
    mbarrier.arrive.expect_tx.shared::cta.b64 _, [full], 128;
    cp.async.bulk.shared::cta.global.mbarrier::complete_tx::bytes [data], [f], 128, [full];
    add.u32 i, i, 1;
    setp.lt.u32 p, i, n;
    @p bra FILL;
    ret;
CONSUMER:
    MORE
READ:
    and.b32 ph, i, 1;
F:
    mbarrier.try_wait.parity.shared::cta.b64 ok, [full], ph;
MARK
    @!ok bra F;
    ld.shared.b32 v, [data];
    fence.proxy.async.shared::cta;
    mbarrier.arrive.shared::cta.b64 _, [empty];
    add.u32 i, i, 1;
    setp.lt.u32 p, i, n;
    @p bra READ;
    ret;
}
"""
MARK = "//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ endless-wait: MESSAGE"
FOREVER = (
    "this instruction waits forever: phase 0 of the mbarrier object expects 1 arrival, "
    "but receives none"
)


def check_waits(
    *,
    message: str = "",
    size: str = ".reqntid 64",
    flip: str = "    xor.b32 ph, ph, 1;\n",
    more: str = "",
    scale: str = "",
) -> None:
    """Fails unless exactly the wait of the consumer is reported, if there is a message."""
    text = KERNEL.replace("SIZE", size).replace("    FLIP\n", flip).replace("    MORE\n", more)
    text = text.replace("    SCALE\n", scale)
    mark = MARK.replace("MESSAGE", message) if message else ""
    check_rule("endless-wait", text.replace("MARK", mark))


def test_roles_that_fit() -> None:
    check_waits()


def test_parity_of_the_producer() -> None:
    check_waits(flip="", message=FOREVER)


def test_size_of_the_block_is_limited() -> None:
    check_waits(
        flip="",
        size=".maxntid 64",
        message=f"{FOREVER}; this assumes blocks of 64 threads",
    )


def test_blocks_of_a_cluster() -> None:
    check_waits(flip="", size=".reqntid 64\n.reqnctapercluster 2", message=FOREVER)


@pytest.mark.parametrize(
    "size", ["", ".maxntid 1024", ".reqntid 64\n.maxclusterrank 2", ".reqnctapercluster 2"]
)
def test_unknown_launch(size: str) -> None:
    check_waits(flip="", size=size)


def test_numbers_of_iterations_that_need_not_agree() -> None:
    # In some launches the producer repeats more often, in others the consumer.
    check_waits(more="    mov.u32 n, 40;\n")


@pytest.mark.parametrize("data", ["ld.global.b32 n, [f];", "mov.u32 n, %clock;"])
def test_unknown_number_of_iterations(data: str) -> None:
    check_waits(more=f"    {data}\n")


@pytest.mark.parametrize("number", ["count", "other"])
def test_numbers_that_only_agree_in_some_launches(number: str) -> None:
    # The producer counts tiles of 16 elements, or the host passes both numbers.
    more = f"    ld.param.b32 n, [{number}];\n    add.u32 n, n, 15;\n    shr.u32 n, n, 4;\n"
    check_waits(scale="    shr.u32 n, n, 4;\n    max.u32 n, n, 1;\n", more=more)
    check_waits(
        scale="    shr.u32 n, n, 4;\n" if number == "other" else "",
        more=f"    ld.param.b32 n, [{number}];\n",
    )
