"""Conflicts of accesses to shared memory are compared with what happens when all threads run."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ptx_ls.document.document import Document
from ptx_ls.semantics.symbols.module import module_of
from ptx_ls.semantics.symbols.module_facts import interface
from ptx_ls.threads.happens_before.conflict_finder import AccessConflict
from ptx_ls.threads.happens_before.conflicts import access_conflicts
from tests.threads.happens_before.kernels import THREADS, KernelWriter
from tests.threads.happens_before.racing import races


def check_conflicts(text: str, *expected: tuple[str, str]) -> list[AccessConflict]:
    """The conflicts in a text; with `expected`, exactly these pairs of statements."""
    document = Document.read(text)
    module = module_of([interface(each.function) for each in document.functions])
    found = [
        conflict
        for each in document.functions
        for conflict in access_conflicts(each.function, module)
    ]
    if expected:
        pairs = [(each.first.site.found.text, each.second.site.found.text) for each in found]
        assert pairs == list(expected)
    return found


def check_random_kernel(seed: int) -> int:
    """Compares the conflicts of a random kernel with its races; returns how many were found."""
    writer = KernelWriter(random.Random(seed))  # noqa: S311  # a sample, no secret
    writer.items(8, 2, is_whole=True)
    lines = writer.finish()
    happened = [*races(lines, THREADS)]
    pairs = {
        frozenset({(one.thread, one.row), (other.thread, other.row)}) for one, other in happened
    }
    document = Document.read("\n".join(lines) + "\n")
    found = check_conflicts(document.text)
    for conflict in found:
        sides = zip(conflict.threads, (conflict.first, conflict.second), strict=True)
        places = frozenset((thread, each.site.found.start[0]) for thread, each in sides)
        assert places in pairs, (conflict.threads, "\n".join(lines))
    if not writer.has_loop:
        rows = {one.row for one, other in happened if one.row != other.row}
        assert bool(found) == bool(rows), "\n".join(lines)
    return len(found)


@pytest.mark.parametrize("seed", range(6))
def test_conflicts_of_random_kernels_happen(seed: int) -> None:
    check_random_kernel(seed)


@pytest.mark.slow
def test_conflicts_of_many_random_kernels_happen() -> None:
    found = [check_random_kernel(seed) for seed in range(100, 250)]
    assert sum(map(bool, found)) > 30
    assert found.count(0) > 20


HEAD = """\
.version 8.0
.target sm_90
.address_size 64
.visible .entry k(.param .u32 n) SIZE
{
.reg .pred %p<9>;
.reg .b32 %r<20>;
.shared .align 4 .b8 sm[1024];
mov.u32 %r1, %tid.x;
shl.b32 %r2, %r1, 2;
mov.u32 %r3, sm;
add.s32 %r4, %r3, %r2;
ld.param.u32 %r9, [n];
BODY
ret;
}
"""
STORE = "st.shared.u32 [%r4], %r1;"
LOAD = "ld.shared.u32 %r5, [sm+8];"
FIRST = "setp.eq.u32 %p1, %r1, 0;"
WAIT = "setp.eq.u32 %p1, %r6, 0;\n@%p1 bra L;"
SHUFFLE = "shfl.sync.idx.b32 %r6, %r6, 0, 31, -1;"
WARP = f"bar.warp.sync -1;\nL:\nld.shared.u32 %r6, [%r4+512];\n{WAIT}"


@pytest.mark.parametrize(
    ("between", "is_found"),
    [
        ("", True),
        ("bar.sync 0;", False),
        ("barrier.sync.aligned 1, 64;", False),
        ("bar.red.or.pred %p1, 0, %p2;", False),
        ("barrier.cluster.arrive; barrier.cluster.wait;", False),
        ("fence.acq_rel.cta;", True),
        ("membar.gl;", True),
        ("bar.warp.sync -1;", True),
        ("shfl.sync.idx.b32 %r6, %r1, 0, 31, -1;", True),
        ("setp.eq.u32 %p1, %r9, 0;\n@%p1 bra L;\nbar.sync 0;\nL:", True),
        ("setp.eq.u32 %p1, %r9, 0;\n@%p1 bra L;\nbar.sync 0;\nbra M;\nL:\nbar.sync 1;\nM:", False),
        ("L:\nbar.sync 0;\nadd.s32 %r6, %r6, 1;\nsetp.lt.u32 %p1, %r6, %r9;\n@%p1 bra L;", False),
        ("call f;", False),
        ("ld.volatile.shared.u32 %r6, [sm+900];", True),  # nothing depends on the result
        ("atom.shared.add.u32 %r6, [sm+900], 1;", True),
        (f"L:\nld.volatile.shared.u32 %r6, [sm+900];\n{WAIT}", False),
        (f"L:\nld.relaxed.gpu.global.u32 %r6, [%r9];\nadd.u32 %r6, %r6, %r1;\n{WAIT}", False),
        ("atom.global.add.u32 %r6, [%r9], 1;\nsetp.eq.u32 %p1, %r6, 0;\n@%p1 bar.sync 0;", False),
        ("atom.global.add.u32 %r6, [%r9], 1;\nst.shared.u32 [sm+904], %r6;", True),
        (f"atom.global.add.u32 %r6, [%r9], 1;\nst.shared.u32 [%r4+512], %r6;\n{WARP}", False),
        (f"atom.global.add.u32 %r6, [%r9], 1;\n{SHUFFLE}\nL:\n{WAIT}", False),
    ],
)  # fmt: skip
def test_what_orders_accesses(between: str, *, is_found: bool) -> None:
    text = HEAD.replace("SIZE", ".reqntid 64").replace("BODY", f"{STORE}\n{between}\n{LOAD}")
    assert bool(check_conflicts(text)) == is_found


@pytest.mark.parametrize(
    ("size", "body", "threads"),
    [
        (".reqntid 64", f"{STORE}\n{LOAD}", (2, 32)),
        (".reqntid 32", f"{STORE}\n{LOAD}", (2, 0)),
        (".reqntid 2", f"{STORE}\n{LOAD}", None),
        (".reqntid 1", f"{STORE}\n{LOAD}", None),
        ("", f"{STORE}\n{LOAD}", (2, 32)),
        (".maxntid 2", f"{STORE}\n{LOAD}", None),
        (".reqntid 64", f"setp.eq.u32 %p1, %r1, 1;\n@%p1 {STORE}\n{LOAD}", None),
        (".reqntid 64", f"setp.eq.u32 %p1, %r1, 2;\n@%p1 {STORE}\n@%p1 {LOAD}", None),
        (".reqntid 64", f"setp.eq.u32 %p1, %r9, 2;\n@%p1 {STORE}\n@!%p1 {LOAD}", None),
        (".reqntid 64", f"setp.eq.u32 %p1, %r9, 2;\n@%p1 {STORE}\n@%p1 {LOAD}", (2, 32)),
        (".reqntid 64", f"setp.ge.u32 %p1, %r1, %r9;\n@%p1 ret;\n{STORE}\n{LOAD}", (2, 32)),
        (".reqntid 64", f"{STORE}\nld.shared.u32 %r5, [%r4];", None),
        (".reqntid 64", f"{STORE}\nld.shared.v2.u32 {{%r5, %r6}}, [%r3+128];", (32, 0)),
        (".reqntid 8, 8", f"{STORE}\nld.shared.u32 %r5, [sm+32];", None),
        (".reqntid 64", f"st.shared.u32 [sm+8], 7;\n{LOAD}", None),
        (".reqntid 64", f"st.shared.u32 [sm+8], %r9;\n{LOAD}", None),
        (".reqntid 64", f"st.shared.u32 [sm+8], %r1;\n{LOAD}", (32, 0)),
        (".reqntid 64", f"{FIRST}\n@%p1 st.shared.u32 [sm+8], 7;\n{LOAD}", (0, 32)),
        (".reqntid 1024, 1024, 64", f"{STORE}\n{LOAD}", None),
        ("", f"mov.u32 %r7, %tid.y;\n{STORE}\n{LOAD}", (34, 0)),
    ],
)
def test_threads_in_conflict(size: str, body: str, threads: tuple[int, int] | None) -> None:
    found = check_conflicts(HEAD.replace("SIZE", size).replace("BODY", body))
    assert [each.threads for each in found] == ([threads] if threads else [])


@pytest.mark.parametrize(
    ("branch", "end", "is_found"),
    [
        ("setp.eq.u32 %p1, %r9, 0;\n@%p1 bra L;", "@!%p1 LOAD", False),
        ("setp.eq.u32 %p1, %r9, 0;\n@%p1 bra L;", "@%p1 LOAD", True),
        ("setp.lt.u32 %p1, %r9, 4;\n@%p1 bra L;", "setp.ge.u32 %p2, %r9, 4;\n@%p2 LOAD", False),
        ("mov.u32 %r8, %ntid.x;\nsetp.eq.u32 %p1, %r8, 1;\n@%p1 bra L;", "LOAD", False),
        ("mov.u32 %r8, %ntid.x;\nsetp.eq.u32 %p1, %r8, 64;\n@%p1 bra L;", "LOAD", True),
    ],
)
def test_paths_that_conditions_close(branch: str, end: str, *, is_found: bool) -> None:
    body = f"{STORE}\n{branch}\nbar.sync 0;\nL:\n{end.replace('LOAD', LOAD)}"
    text = HEAD.replace("SIZE", ".reqntid 64").replace("BODY", body)
    assert bool(check_conflicts(text)) == is_found


LOOP = """\
mov.u32 %r6, 0;
L:
setp.ge.u32 %p1, %r6, %r9;
@%p1 bra M;
MIDDLE
add.s32 %r6, %r6, 1;
bra L;
M:"""


@pytest.mark.parametrize(
    ("between", "is_always"),
    [
        ("", True),
        ("setp.eq.u32 %p1, %r9, 0;\n@%p1 bra L;\nadd.s32 %r6, %r1, 1;\nL:", True),
        ("setp.eq.u32 %p1, %r9, 0;\n@%p1 bra L;\nbar.sync 0;\nL:", False),
        (LOOP.replace("MIDDLE", "bar.sync 0;"), False),
        (LOOP.replace("MIDDLE", "add.s32 %r7, %r7, 1;"), True),
    ],
)
def test_barrier_on_some_path(between: str, *, is_always: bool) -> None:
    text = HEAD.replace("SIZE", ".reqntid 64").replace("BODY", f"{STORE}\n{between}\n{LOAD}")
    (found,) = check_conflicts(text)
    assert found.is_always == is_always


def test_block_is_as_large_as_its_variables_allow() -> None:
    row = "shl.b32 %r6, %r1, 7;\nadd.s32 %r6, %r3, %r6;\nst.shared.u32 [%r6], %r1;"
    text = HEAD.replace("SIZE", "").replace("BODY", f"{row}\n{STORE}\n{LOAD}")
    assert {max(each.threads) for each in check_conflicts(text)} <= set(range(8))


def test_each_second_access_once() -> None:
    body = f"{STORE}\nst.shared.u32 [%r4+256], %r1;\n{LOAD}\nld.shared.u32 %r6, [sm+300];"
    other = "ld.shared.u32 %r6, [sm+300];"
    text = HEAD.replace("SIZE", ".reqntid 128").replace("BODY", body)
    check_conflicts(text, (STORE, LOAD), (STORE, other))


@given(st.lists(st.sampled_from([*HEAD.splitlines(), STORE, LOAD, "L:", "bra L;", "}", "@%p1"])))
def test_no_text_raises(lines: list[str]) -> None:
    check_conflicts("\n".join(lines))


ROWS = """\
mov.u32 %r6, 0;
L:
shl.b32 %r7, %r6, 8;
add.s32 %r7, %r7, %r4;
st.shared.u32 [%r7], %r1;
INSIDE
add.s32 %r6, %r6, 1;
setp.lt.u32 %p1, %r6, COUNT;
@%p1 bra L;
AFTER"""


@pytest.mark.parametrize(
    ("count", "inside", "after", "is_found"),
    [
        ("4", "", "ld.shared.u32 %r5, [sm+8];", True),
        ("4", "", "ld.shared.u32 %r5, [sm+776];", True),
        ("4", "", "bar.sync 0;\nld.shared.u32 %r5, [sm+776];", False),
        ("3", "", "ld.shared.u32 %r5, [sm+776];", False),
        ("4", "bar.sync 0;", "ld.shared.u32 %r5, [sm+776];", False),
        ("%r9", "", "ld.shared.u32 %r5, [sm+520];", True),
        ("%r9", "bar.sync 0;", "ld.shared.u32 %r5, [sm+520];", False),
        ("4", "", "ld.shared.u32 %r5, [%r7];", False),
        ("4", "", "ld.shared.u32 %r5, [%r7+4];", True),
    ],
)
def test_rows_of_a_loop(count: str, inside: str, after: str, *, is_found: bool) -> None:
    body = ROWS.replace("COUNT", count).replace("INSIDE", inside).replace("AFTER", after)
    text = HEAD.replace("SIZE", ".reqntid 64").replace("BODY", body)
    assert bool(check_conflicts(text)) == is_found


@pytest.mark.parametrize(
    ("address", "is_found"),
    [
        ("mad.lo.u32 %r6, %r7, 32, %r1;", True),  # a row for each %tid.y
        ("mad.lo.u32 %r6, %r7, 64, %r1;", True),
        ("mad.lo.u32 %r6, %r1, 32, %r7;", True),  # transposed
    ],
)
def test_typical_shapes(address: str, *, is_found: bool) -> None:
    store = f"mov.u32 %r7, %tid.y;\nmad.lo.u32 %r8, %r7, 32, %r1;\n{address}"
    store += "\nshl.b32 %r8, %r8, 2;\nadd.u32 %r8, %r3, %r8;\nst.shared.u32 [%r8], %r1;"
    load = "\nshl.b32 %r6, %r6, 2;\nadd.u32 %r6, %r3, %r6;\nld.shared.u32 %r5, [%r6+4];"
    text = HEAD.replace("SIZE", "").replace("BODY", store + load).replace("1024", "4096")
    assert bool(check_conflicts(text)) == is_found
    own = HEAD.replace("SIZE", "").replace("BODY", store + "\nld.shared.u32 %r5, [%r8];")
    check_conflicts(own.replace("1024", "4096"))
    assert not check_conflicts(own.replace("1024", "4096"))


DATA = "ld.global.u32 %r6, [%r9];\n"
OWN = f"add.u32 %r9, %r9, %r2;\n{DATA}"


@pytest.mark.parametrize(
    ("body", "is_found"),
    [
        (f"{DATA}setp.gt.u32 %p1, %r6, 5;\n@%p1 {STORE}\n{LOAD}", True),
        (f"{DATA}setp.gt.u32 %p1, %r6, 5;\n@%p1 {STORE}\n@%p1 {LOAD}", True),
        (f"{OWN}setp.gt.u32 %p1, %r6, 5;\n@%p1 {STORE}\n@%p1 {LOAD}", False),
        (f"{DATA}setp.gt.u32 %p1, %r6, 5;\n@%p1 {STORE}\n@!%p1 {LOAD}", False),
        (f"{STORE}\n{DATA}mad.lo.u32 %r6, %r6, 4, %r3;\nred.shared.add.u32 [%r6], 1;", True),
        (f"{STORE}\n{DATA}add.u32 %r6, %r6, %r4;\nred.shared.add.u32 [%r6], 1;", False),
        (f"{STORE}\n{DATA}mad.lo.u32 %r6, %r6, 4, %r3;\nld.shared.u32 %r5, [%r6];", False),
        (f"vote.sync.any.pred %p1, %p2, -1;\n@%p1 {STORE}\n{LOAD}", False),
    ],
)
def test_data_decides(body: str, *, is_found: bool) -> None:
    found = check_conflicts(HEAD.replace("SIZE", ".reqntid 64").replace("BODY", body))
    assert bool(found) == is_found
    assert not any(each.is_always for each in found)
