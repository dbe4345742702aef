"""The outline of the synchronisation of a function, as text and as data."""

from __future__ import annotations

from textwrap import dedent

import pytest

from ptx_ls.document.document import Document
from ptx_ls.features.synchronization.outline import outlines
from ptx_ls.features.synchronization.outline_data import as_data
from ptx_ls.features.synchronization.outline_text import as_text
from tests.features.synchronization.kernels import HEAD, SPECIALISED


def check_outline(body: str, expected: str) -> None:
    """Checks the text about a kernel; lines count from that after the head."""
    document = Document.read(f"{HEAD}{dedent(body).strip()}\nret;\n}}\n")
    (found,) = outlines(document)
    first = HEAD.count("\n")
    text = as_text(found, "f.ptx")
    shown = [line.rstrip() for line in text.splitlines()]
    wanted = dedent(expected).strip().splitlines()
    for number in range(60, 0, -1):
        wanted = [line.replace(f"<{number}>", f"{number + first:>3}") for line in wanted]
    assert [" ".join(line.split()) for line in shown] == [" ".join(line.split()) for line in wanted]


def test_a_loop() -> None:
    check_outline(
        """
        cp.async.ca.shared.global [tile], [%rd1], 16;
        cp.async.ca.shared.global [tile+16], [%rd1], 16;
        cp.async.commit_group;
        L: cp.async.wait_group 0;
        bar.sync 1, 64;
        cp.async.ca.shared.global [tile], [%rd1], 16;
        cp.async.commit_group;
        @%p1 bra L;
        cp.async.wait_group 0;
        """,
        """
        k (f.ptx:4): 128 threads in a block
        line statement executed by effect
        <1> cp.async.ca.shared.global ×2 all threads complete at line <4>
        <3> cp.async.commit_group all threads commits lines <1>, <2>; 1 group in flight
        ┌ loop, lines <4> to <8>
        <4> │ cp.async.wait_group all threads completes lines <1>, <2>, <6>
        <5> │ bar.sync all threads barrier 1, 64 threads
        <6> │ cp.async.ca.shared.global all threads complete at lines <4>, <9>
        <7> │ cp.async.commit_group all threads commits line <6>; 1 group in flight
        └
        <9> cp.async.wait_group all threads completes line <6>
        """,
    )


def test_specialised_warps() -> None:
    check_outline(
        SPECIALISED,
        """
        k (f.ptx:4): 128 threads in a block
        line statement executed by effect
        <1> mbarrier.init.shared::cta.b64 all threads full, 1 arrival per phase
        <2> mbarrier.init.shared::cta.b64 all threads empty, 96 arrivals per phase
        <3> bar.sync all threads barrier 0, the whole block
        ┌ loop, lines <6> to <11>
        <7> │ mbarrier.try_wait.parity.shared::cta.b64 warp 0 empty, parity 0: waits for line <17>
        <9> │ mbarrier.arrive.expect_tx.shared::cta.b64 warp 0 full, 64 bytes, 1 arrival: awaited at line <14>
        <10> │ cp.async.bulk.shared::cluster.global.mbar... warp 0 full, 64 bytes: awaited at line <14>
        └
        ┌ loop, lines <13> to <18>
        <14> │ mbarrier.try_wait.parity.shared::cta.b64 warps 1 to 3 full, parity 0: waits for lines <9>, <10>
        <17> │ mbarrier.arrive.shared::cta.b64 warps 1 to 3 empty, 1 arrival: awaited at line <7>
        └

        mbarrier objects
        full, 1 arrival per phase: initialised at line <1>; bytes announced at line <9>; arrivals at line <9>; bytes reported at line <10>; waits at line <14>
        empty, 96 arrivals per phase: initialised at line <2>; arrivals at line <17>; waits at line <7>
        """,  # noqa: E501  the lines of the output
    )


def test_a_collective_of_a_part_of_a_warp() -> None:
    check_outline(
        """
        mov.u32 %r2, %laneid;
        setp.lt.u32 %p2, %r2, 4;
        @!%p2 bra L;
        shfl.sync.idx.b32 %r3, %r1, 0, 31, -1;
        L: st.shared.u32 [tile], %r3;
        """,
        """
        k (f.ptx:4): 128 threads in a block
        line statement executed by effect
        <4> shfl.sync.idx.b32 some threads of warps 0 to 3 only part of a warp executes it
        """,
    )


def test_nothing_synchronises() -> None:
    nothing = "k (f.ptx:4): no synchronisation and no asynchronous operations"
    check_outline("add.u32 %r2, %r1, 1;", nothing)
    check_outline("st.shared.u32 [tile], %r1;", nothing)
    check_outline(
        "bar.sync 0;\nthis is not PTX;",
        "k (f.ptx:4): not analysed, because it is too large or cannot be parsed completely",
    )


@pytest.mark.parametrize("text", ["", "ret;", f"{HEAD}", ".func f();", ".reg .b32 %r1;"])
def test_no_function(text: str) -> None:
    assert all(not each.rows for each in outlines(Document.read(text)))


def test_data() -> None:
    (found,) = outlines(Document.read(f"{HEAD}{SPECIALISED}ret;\n}}\n"))
    data = as_data(found, "f.ptx")
    assert (data["function"], data["line"], data["known"], data["threads"]) == ("k", 4, True, 128)
    assert data["roles"] == ["warp 0", "warps 1 to 3"]
    assert [row["opcode"].split(".")[0] for row in data["rows"]].count("mbarrier") == 6
    copy = data["rows"][5]
    assert (copy["kind"], copy["agent"], copy["loops"]) == ("operation", "TMA", [0])
    assert {"relation": "wait", "row": 6, "certain": True} in copy["partners"]
    assert data["objects"][0]["uses"]["waits"] == [data["rows"][6]["lines"][0]]
    assert [each["depth"] for each in data["loops"]] == [0, 0]
