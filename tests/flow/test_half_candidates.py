"""Which packs may exchange halves: all of those for which the flow graph shows that they do."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from ptx_ls.document.document import Document
from ptx_ls.flow.formats.half_candidates import HalfCandidates
from ptx_ls.flow.formats.halves import HIGH, LOW, HalfTrace, is_pack, packed
from ptx_ls.flow.function_flow import FunctionFlow
from ptx_ls.flow.graphs import never_returning
from ptx_ls.flow.statement_uses import uses_in
from ptx_ls.semantics.symbols.region_text import Found
from ptx_ls.syntax.register_events import READS

HEAD = ".version 8.5\n.target sm_90\n.address_size 64\n.entry k()\n{\n"
DECLARED = "    .reg .b32 %r<5>; .reg .b64 %rd<4>; .reg .pred %p<2>;\n"

NARROW = st.integers(0, 4).map("%r{}".format)
WIDE = st.integers(0, 3).map("%rd{}".format)
ELEMENT = st.one_of(NARROW, st.sampled_from(["0", "-1", "%tid.x"]))
PACK = st.builds("mov.b64 {}, {{{}, {}}};".format, WIDE, ELEMENT, ELEMENT)
OTHER = st.one_of(
    st.builds("mov.b64 {{{}, {}}}, {};".format, NARROW, NARROW, WIDE),
    st.builds("mov.b64 {{_, {}}}, {};".format, NARROW, WIDE),
    st.builds("mov.b32 {}, {};".format, NARROW, NARROW),
    st.builds("@%p1 mov.b32 {}, {};".format, NARROW, NARROW),
    st.builds("mov.b32 {}, 0;".format, NARROW),
    st.builds("shfl.sync.bfly.b32 {}, {}, 16, 31, -1;".format, NARROW, NARROW),
    st.builds("ld.global.v2.b32 {{{}, {}}}, [{}];".format, NARROW, NARROW, WIDE),
    st.builds("cvt.u32.u64 {}, {};".format, NARROW, WIDE),
    st.builds("shr.u64 {}, {}, 32;".format, WIDE, WIDE),
    st.builds("@%p1 bra L{};".format, st.integers(0, 2)),
)
LINES = st.lists(
    st.lists(st.one_of(PACK, OTHER), min_size=1, max_size=3).map(" ".join), min_size=1, max_size=12
)


def check_candidates(body: str) -> set[str]:
    """Returns the packs that may be wrong; those that the flow graph shows must be among them."""
    document = Document.read(f"{HEAD}{DECLARED}{body}    ret;\n}}\n")
    flow = FunctionFlow(document.leaf(document.n_leaves - 1), never_returning(document))
    shapes = {each for each in flow.text.shapes_of(("mov",)) if is_pack(each)}
    chosen = [*HalfCandidates(flow).packing(shapes)]
    trace = HalfTrace(flow)
    wrong = {found for found in flow.text.instructions(shapes) if _is_exchanged(flow, trace, found)}
    assert wrong.issubset(chosen)
    return {found.text for found in chosen}


def _is_exchanged(flow: FunctionFlow, trace: HalfTrace, found: Found) -> bool:
    """Whether all values of an element are the other half, or the high one is a constant."""
    elements = packed(found)
    assert elements is not None
    reads = uses_in(flow, found, READS)
    low, high = (reads.get(each.text) for each in elements)
    above = trace.halves(high) if high is not None else ()
    below = trace.halves(low) if low is not None and above else ()
    is_exchanged = any(
        own and all(half.part == part for half in own)
        for own, part in ((below, HIGH), (above, LOW))
    )
    return is_exchanged or (high is not None and trace.constant(high) is not None)


@given(LINES)
def test_no_exchange_is_missed(lines: list[str]) -> None:
    labelled = [f"L{number}: {line}" if number < 3 else line for number, line in enumerate(lines)]
    labels = [f"L{number}:" for number in range(len(lines), 3)]
    check_candidates("".join(f"    {line}\n" for line in [*labelled, *labels]))


def test_halves_in_order() -> None:
    assert not check_candidates("""
    mov.b64 {%r1, %r2}, %rd1;
    shfl.sync.bfly.b32 %r3, %r1, 16, 31, -1;
    shfl.sync.bfly.b32 %r4, %r2, 16, 31, -1;
    mov.b64 %rd2, {%r3, %r4};
""")


def test_halves_out_of_order() -> None:
    assert check_candidates("""
    mov.b64 {%r1, %r2}, %rd1;
    mov.b64 %rd2, {%r2, %r1};
    mov.b64 %rd3, {%r1, %r2};
""") == {"mov.b64 %rd2, {%r2, %r1};"}
