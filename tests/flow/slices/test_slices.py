"""Which lines may use an address, and which registers hold data."""

from __future__ import annotations

from ptx_ls.document.document import Document
from ptx_ls.flow.function_flow import function_flow
from ptx_ls.flow.slices.pointer_rows import pointer_rows
from ptx_ls.flow.slices.sources import OperandOrigins
from ptx_ls.syntax.register_events import READS

HEAD = """.version 8.0
.target sm_90
.address_size 64
.global .b32 counter;
.visible .entry k(.param .b64 from, .param .b64 to)
{
    .reg .pred %p<3>;
    .reg .b32 %r<9>;
    .reg .f32 %f<9>;
    .reg .b64 %rd<9>;
"""


def check_slices(body: str, name: str) -> None:
    """Compares the lines that end with `// *` with those that may use an address at `name`.

    Compares those that end with `// data` with the stores through addresses that come from data.
    """
    document = Document.read(HEAD + body + "    ret;\n}\n")
    function = [*document.functions][-1].function
    flow = function_flow(function, frozenset())
    lines = [each.rstrip() for each in flow.text.lines]
    head = next(row for row, line in enumerate(lines) if ".entry" in line)
    rows = pointer_rows(flow, name) - {head}
    assert rows == {row for row, line in enumerate(lines) if line.endswith("// *")}
    sources = OperandOrigins(flow)
    stores = [row for row, line in enumerate(lines) if line.lstrip().startswith("st.")]
    found = {
        row
        for row in stores
        for use in range(len(flow.uses.codes))
        if flow.uses.rows[use] == row and flow.uses.ways[use] & READS and sources.are_data(use)
    }
    assert found == {row for row in stores if lines[row].endswith("// data")}


def test_an_address_passes_through_registers() -> None:
    check_slices(
        """
    ld.param.b64 %rd1, [from]; // *
    ld.param.b64 %rd2, [to];
    cvta.to.global.u64 %rd3, %rd1; // *
    mov.u32 %r1, %tid.x;
    mad.wide.u32 %rd4, %r1, 4, %rd3; // *
    selp.b64 %rd5, %rd4, %rd2, %p1; // *
    ld.global.u32 %r2, [%rd5]; // *
    add.u32 %r3, %r2, 1;
    st.global.u32 [%rd2], 1;
""",
        "from",
    )


def test_an_address_of_a_parameter_passes_through_its_load() -> None:
    check_slices(
        """
    mov.b64 %rd1, from; // *
    ld.param.b64 %rd2, [%rd1+0]; // *
    st.global.u32 [%rd2], 1; // *
""",
        "from",
    )


def test_a_variable_is_named_in_an_access() -> None:
    check_slices(
        """
    st.global.u32 [counter+0], 1; // *
    mov.b64 %rd1, to;
""",
        "counter",
    )


def test_a_loaded_index_is_data() -> None:
    check_slices(
        """
    ld.param.b64 %rd1, [from];
    ld.global.u32 %r1, [%rd1];
    mul.wide.u32 %rd2, %r1, 4;
    add.s64 %rd3, %rd1, %rd2;
    st.global.u32 [%rd3], 1; // data
    st.global.u32 [%rd1], 1;
""",
        "counter",
    )


def test_a_rounded_float_on_one_of_two_paths_is_data() -> None:
    check_slices(
        """
    ld.param.b64 %rd1, [from];
    mov.u32 %r1, 0;
    @%p1 bra L;
    cvt.rzi.u32.f32 %r1, %f1;
L:
    mad.wide.u32 %rd2, %r1, 4, %rd1;
    st.global.u32 [%rd2], 1; // data
""",
        "counter",
    )


def test_a_counter_of_a_loop_is_not_data() -> None:
    check_slices(
        """
    ld.param.b64 %rd1, [from];
    mov.u64 %rd2, 0;
L:
    add.s64 %rd2, %rd2, 4;
    add.s64 %rd3, %rd1, %rd2;
    st.global.u32 [%rd3], 1;
    setp.lt.u64 %p1, %rd2, 64;
    @%p1 bra L;
""",
        "counter",
    )
