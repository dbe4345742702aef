"""Places where two threads surely run at the same time."""

import pytest

from ptx_ls.document.document import Document
from ptx_ls.semantics.symbols.module import module_of
from ptx_ls.semantics.symbols.module_facts import interface
from ptx_ls.threads.happens_before.access_overlaps import AccessOverlaps
from ptx_ls.threads.happens_before.meetings import MeetingFinder
from ptx_ls.threads.happens_before.shared_accesses import shared_accesses
from ptx_ls.threads.launch_example.launch import launch_examples
from ptx_ls.values.function_values import function_values

HEAD = """\
.version 8.0
.target sm_90
.address_size 64
.visible .entry k(.param .u32 n)
.reqntid 64
{
.reg .pred %p<9>;
.reg .b32 %r<20>;
.reg .b64 %rd<4>;
.shared .align 8 .b64 full[4];
.shared .align 4 .b8 data[1024];
mov.u32 %r1, %tid.x;
ld.param.u32 %r2, [n];
setp.lt.u32 %p1, %r1, 32;
"""


def check_meetings(body: str) -> None:
    """The meetings of a kernel are between the statements with the comments `first` and `second`.

    A body without such comments has none.
    """
    document = Document.read(f"{HEAD}{body}ret;\n}}\n")
    module = module_of([interface(each.function) for each in document.functions])
    kernel = [*document.functions][-1]
    values = function_values(kernel.function, module)
    (launch, *_) = launch_examples(values.given.bounds, 1)
    sites, _ = shared_accesses(values)
    finder = MeetingFinder(values, AccessOverlaps(values, launch))
    found = {
        (each.first.found.start[0], each.second.found.start[0]) for each in finder.meetings(sites)
    }
    lines = document.text.splitlines()[kernel.start.line :]
    first = [row for row, line in enumerate(lines) if line.endswith("// first")]
    second = [row for row, line in enumerate(lines) if line.endswith("// second")]
    assert found == {(one, other) for one in first for other in second}


TWO_ARMS = """\
@%p1 bra A;
st.shared.u32 [data], %r1;
SECOND
bra B;
A:
FIRST
ld.shared.u32 %r3, [data];
B:
"""


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("bar.sync 1, 64; // first", "bar.sync 1, 64; // second"),
        ("bar.arrive 1, 64; // first", "bar.sync 1, 64; // second"),
        ("bar.arrive 1, 64;", "bar.arrive 1, 64;"),
        ("bar.sync 1, 64;", "bar.sync 2, 64;"),
        ("bar.sync %r2, 64;", "bar.sync 1, 64;"),
    ],
    ids=["both wait", "one arrives", "none waits", "other numbers", "unknown number"],
)
def test_two_arms(one: str, other: str) -> None:
    # The arm that comes first in the text is the first of a pair.
    body = TWO_ARMS.replace("SECOND", one).replace("FIRST", other)
    check_meetings(body)


def test_three_uses_of_a_barrier() -> None:
    check_meetings(
        TWO_ARMS.replace("SECOND", "bar.sync 1, 64;").replace("FIRST", "bar.sync 1, 64;")
        + "bar.sync 1, 64;\n"
    )


def test_barriers_on_one_path() -> None:
    check_meetings("bar.sync 1, 64;\nst.shared.u32 [data], %r1;\nbar.sync 1, 64;\n")


LOOPS = """\
@%p1 bra A;
PRODUCE:
BEFORE
bar.sync 1, 64; // first
AFTER
add.u32 %r4, %r4, 1;
setp.lt.u32 %p2, %r4, 8;
@%p2 bra PRODUCE;
bra B;
A:
CONSUME:
bar.sync 1, 64; // second
add.u32 %r5, %r5, 1;
setp.lt.u32 %p3, %r5, 8;
@%p3 bra CONSUME;
B:
"""


def test_a_barrier_in_each_iteration() -> None:
    check_meetings(
        "mov.u32 %r4, 0;\nmov.u32 %r5, 0;\n" + LOOPS.replace("BEFORE\n", "").replace("AFTER\n", "")
    )


def test_a_barrier_in_some_iterations() -> None:
    skipping = LOOPS.replace("BEFORE", "setp.eq.u32 %p4, %r4, 3;\n@%p4 bra SKIP;").replace(
        "AFTER", "SKIP:"
    )
    check_meetings(skipping.replace(" // first", "").replace(" // second", ""))


OBJECTS = """\
mov.u32 %r6, full;
mov.u32 %r4, 0;
LOOP:
ARRIVAL
add.u32 %r4, %r4, 1;
and.b32 %r7, %r4, 1;
WAIT:
mbarrier.try_wait.parity.shared.b64 %p2, [%r6], %r7; // second
@!%p2 bra WAIT;
setp.lt.u32 %p3, %r4, 8;
@%p3 bra LOOP;
"""


def test_an_arrival_and_the_wait_of_a_later_iteration() -> None:
    check_meetings(OBJECTS.replace("ARRIVAL", "mbarrier.arrive.shared.b64 %rd1, [%r6]; // first"))


@pytest.mark.parametrize(
    "arrival",
    [
        "mbarrier.arrive.shared.b64 %rd1, [full+8];",
        "mbarrier.arrive.expect_tx.shared.b64 %rd1, [%r6], 64;",
    ],
    ids=["another object", "an object that counts bytes"],
)
def test_an_arrival_that_does_not_end_the_wait(arrival: str) -> None:
    check_meetings(OBJECTS.replace("ARRIVAL", arrival).replace(" // second", ""))
