"""Highlights: the places that mean the same, which of them write, and what belongs together."""

from __future__ import annotations

from textwrap import dedent

import pytest

from ptx_ls.document.document import Document
from ptx_ls.features.navigation.highlight import HighlightKind, highlights
from ptx_ls.semantics.analysis import Analysis
from ptx_ls.source import Position
from tests.support.fixture import parse_fixture

MARKS = {HighlightKind.READ: "r", HighlightKind.WRITE: "w", HighlightKind.TEXT: "t"}


def check_highlights(marked: str, *expected: str) -> None:
    """Lines that hold highlights, each of them marked by `r«»`, `w«»` or `t«»`."""
    fixture = parse_fixture(".entry k() {\n" + dedent(marked).strip("\n") + "\n}\n")
    document = Document.read(fixture.text)
    found = highlights(Analysis(document), fixture.cursor)
    lines = {place.start.line: document.lines[place.start.line] for place, _ in found}
    for place, kind in sorted(found, reverse=True):
        text, (start, end) = lines[place.start.line], place
        middle = f"{MARKS[kind]}«{text[start.column : end.column]}»"
        lines[start.line] = text[: start.column] + middle + text[end.column :]
    assert [lines[line].strip() for line in sorted(lines)] == list(expected)


def test_registers() -> None:
    check_highlights(
        """
        .reg .b32 a, b;
        @a mov.u32 <|>a, b; // a
        add.u32 b, a, a;
        st.global.v2.u32 [a+4], {a, b};
        mov.b64 {b, a}, /* a */ c;
        { .reg .b32 a; mov.u32 a, 1; }
        """,
        ".reg .b32 t«a», b;",
        "@r«a» mov.u32 w«a», b; // a",
        "add.u32 b, r«a», r«a»;",
        "st.global.v2.u32 [r«a»+4], {r«a», b};",
        "mov.b64 {b, w«a»}, /* a */ c;",
    )
    check_highlights(
        ".reg .b32 %r<9>;\nadd.u32 <|>%r1, %r2, %r1;\nadd.u32 %r2, %r11, %r1;",
        ".reg .b32 t«%r»<9>;",
        "add.u32 w«%r1», %r2, r«%r1»;",
        "add.u32 %r2, %r11, r«%r1»;",
    )


def test_in_an_unfinished_instruction() -> None:
    check_highlights(
        ".reg .b32 a;\n@%p add.u32 a, a, 1\n@!%p add.u32 <|>a, b,\nret;",
        ".reg .b32 t«a»;",
        "@%p add.u32 w«a», r«a», 1",
        "@!%p add.u32 w«a», b,",
    )


def test_labels() -> None:
    check_highlights("L: @%p bra L;\nbra <|>L;", "w«L»: @%p bra r«L»;", "bra r«L»;")


def test_memory() -> None:
    check_highlights(
        """
        .shared .b32 s[4];
        ld.shared.u32 %r1, [<|>s+4];
        st.shared.u32 [s], %r1;
        atom.shared.add.u32 %r1, [s], %r2;
        mov.u32 %r1, s;
        cp.async.ca.shared.global [s], [s], 4;
        """,
        ".shared .b32 t«s»[4];",
        "ld.shared.u32 %r1, [r«s»+4];",
        "st.shared.u32 [w«s»], %r1;",
        "atom.shared.add.u32 %r1, [w«s»], %r2;",
        "mov.u32 %r1, r«s»;",
        "cp.async.ca.shared.global [w«s»], [r«s»], 4;",
    )


def test_ways_out() -> None:
    check_highlights("@%p ex<|>it;\nret;\nbra L;", "@%p w«exit»;", "w«ret»;")


def test_commits_and_waits() -> None:
    text = """
        cp.async.commit_group;
        cp.async.wait_group 0;
        cp.async.commit_group;
        @%p bra L;
        cp.async.commit_group;
        L: cp.async.wait_group 1;
        cp.async.bulk.commit_group;
        cp.async.wait_all;
        wgmma.commit_group.sync.aligned;
    """
    check_highlights(
        text.replace("wait_group 1", "wait<|>_group 1"),
        "w«cp.async.commit_group»;",
        "w«cp.async.commit_group»;",
        "L: r«cp.async.wait_group» 1;",
    )
    check_highlights(
        text.replace("L;\n        cp.async.", "L;\n        cp.async.<|>"),
        "w«cp.async.commit_group»;",
        "L: r«cp.async.wait_group» 1;",
        "r«cp.async.wait_all»;",
    )
    check_highlights(
        "tcgen05.st.x; tcgen05.ld.x; tc<|>gen05.wait::ld.sync.aligned;",
        "tcgen05.st.x; w«tcgen05.ld.x»; r«tcgen05.wait::ld.sync.aligned»;",
    )


def test_barriers_in_memory() -> None:
    check_highlights(
        """
        .reg .b32 %r<9>; .shared .b64 m, n;
        mbarrier.init.shared.b64 [m], 1;
        mov.u32 %r1, 1;
        mbarrier.init.shared.b64 [%r1], 1;
        mbarrier.arrive.shared.b64 _, [ %r1 ];
        mov.u32 %r1, 2;
        mbarrier.try_wait.shared.b64 %p1, [%r1], %rd1;
        mbarrier.test_wait.shared.b64 %p1, [m], %rd1;
        """.replace("mbarrier.arrive", "mbarrier.<|>arrive"),
        "w«mbarrier.init.shared.b64» [%r1], 1;",
        "w«mbarrier.arrive.shared.b64» _, [ %r1 ];",
    )
    check_highlights(
        ".shared .b64 m, n;\nmbarrier.init.shared.b64 [m], 1; mbarrier.init.shared.b64 [n], 1;\n"
        "tcgen05.commit.cta_group::1.mbarrier::arrive::one.b64 [m];\n"
        "mbarr<|>ier.try_wait.shared.b64 %p1, [m], %rd1;",
        "w«mbarrier.init.shared.b64» [m], 1; mbarrier.init.shared.b64 [n], 1;",
        "w«tcgen05.commit.cta_group::1.mbarrier::arrive::one.b64» [m];",
        "r«mbarrier.try_wait.shared.b64» %p1, [m], %rd1;",
    )


_KERNEL = """\
.version 8.6
.target sm_100a
.address_size 64
.visible .entry k(.param .u64 p)
{{
.reg .pred %p<9>; .reg .b32 %r<9>; .reg .b64 %rd<9>;
.shared .align 8 .b64 full; .shared .align 16 .b8 tile[64];
ld.param.u64 %rd1, [p];
{}
ret;
}}
"""


@pytest.mark.parametrize(
    "cursor", ["cp.async.ca", "cp.async.commit_group", "cp.async.wait_group 0"]
)
def test_a_chain_in_groups(cursor: str) -> None:
    text = """\
cp.async.ca.shared.global [tile], [%rd1], 16;
cp.async.commit_group;
cp.async.commit_group;
cp.async.wait_group 0;
ld.shared.u32 %r1, [tile];"""
    expected = [
        "w«cp.async.ca.shared.global» [tile], [%rd1], 16;",
        "w«cp.async.commit_group»;",
        "r«cp.async.wait_group» 0;",
        "r«ld.shared.u32» %r1, [tile];",
    ]
    check_highlights(
        _KERNEL.format(text.replace(cursor, f"{cursor[:4]}<|>{cursor[4:]}", 1)), *expected
    )


@pytest.mark.parametrize("cursor", ["mbarrier.init", "cp.async.bulk", "mbarrier.try_wait"])
def test_a_chain_through_an_object(cursor: str) -> None:
    copy = "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes"
    text = f"""\
mbarrier.init.shared::cta.b64 [full], 1;
mbarrier.arrive.expect_tx.shared::cta.b64 _, [full], 16;
{copy} [tile], [%rd1], 16, [full];
L: mbarrier.try_wait.parity.shared::cta.b64 %p1, [full], 0;
@!%p1 bra L;
ld.shared.u32 %r1, [tile];"""
    check_highlights(
        _KERNEL.format(text.replace(cursor, f"<|>{cursor}", 1)),
        "w«mbarrier.init.shared::cta.b64» [full], 1;",
        "w«mbarrier.arrive.expect_tx.shared::cta.b64» _, [full], 16;",
        f"w«{copy}» [tile], [%rd1], 16, [full];",
        "L: r«mbarrier.try_wait.parity.shared::cta.b64» %p1, [full], 0;",
        "r«ld.shared.u32» %r1, [tile];",
    )


def test_a_chain_of_operations_that_an_object_tracks() -> None:
    commit = "tcgen05.commit.cta_group::1.mbarrier::arrive::one.shared::cluster.b64"
    check_highlights(
        _KERNEL.format(f"""\
tcgen<|>05.cp.cta_group::1.128x256b [%r1], %rd1;
{commit} [full];
L: mbarrier.try_wait.parity.shared::cta.b64 %p1, [full], 0;
@!%p1 bra L;"""),
        "w«tcgen05.cp.cta_group::1.128x256b» [%r1], %rd1;",
        f"w«{commit}» [full];",
        "L: r«mbarrier.try_wait.parity.shared::cta.b64» %p1, [full], 0;",
    )


def test_nothing_to_highlight() -> None:
    check_highlights("ad<|>d.u32 %r1, %r2, %r3;")
    check_highlights("mov.u32 %r1, 1<|>2;")
    check_highlights("// a<|>b")
    check_highlights("mov.u32 %r<|>1, %r1;")


def test_no_farther_than_can_be_seen() -> None:
    text = ".global .u32 v;\n.entry k() {\n" + "ld.global.u32 %r1, [v];\n" * 9000 + "}\n"
    found = highlights(Analysis(Document.read(text)), Position(5000, 20))
    assert found[0].range.start == Position(0, 13)
    assert Position(5000, 20) in [place.start for place, _ in found]
    assert len(found) < 1000
