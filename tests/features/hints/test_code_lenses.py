"""Lines above functions and labels."""

from __future__ import annotations

from textwrap import dedent

import pytest

from ptx_ls.document.document import Document
from ptx_ls.document.editing import edited
from ptx_ls.features.hints.code_lenses import (
    LensKind,
    lenses,
    name_text,
    references_text,
    requirements_text,
    resources_text,
)
from ptx_ls.features.hints.label_lenses import label_text
from ptx_ls.features.requirements.requirements import requirements
from ptx_ls.semantics.analysis import Analysis
from ptx_ls.source import Position

KERNEL = """
    .version 8.0
    .extern .func helper();
    .visible .entry _Z3addPi(
        .param .u64 p, // .maxntid 9
        .param .u8 q
    )
    .maxntid 0x20, 02, 1U
    .minnctapersm 2
    {
        .reg .pred %p<2>;
        .reg .v2 .b32 pair;
        .reg .b32 %r<1000>;
        .shared .align 4 .b8 tile[4][1024];
    loop:
        { .local .f64 spill; inner: bra loop; }
    }
    .func plain() { ret; }
    .func large() {
        ret;
    }
"""


def check_lenses(text: str, wanted: list[LensKind], *expected: str) -> list[str]:
    """Checks the names that have lenses, and returns the texts of those without references."""
    document = Document.read(dedent(text))
    found = lenses(document, wanted).found
    shown, texts = [], []
    for lens in found:
        (line, start), (_, end) = lens.range
        shown.append(f"{lens.kind.value} {document.lines[line][start:end]}")
        if lens.kind is LensKind.RESOURCES:
            texts.append(resources_text(Analysis(document), lens.range.start))
        elif lens.kind is LensKind.LABEL:
            texts.append(label_text(Analysis(document), lens.range.start))
        elif lens.kind is LensKind.NAME:
            texts.append(name_text(Analysis(document), lens.range.start))
    assert shown == list(expected)
    return texts


def test_references() -> None:
    check_lenses(
        KERNEL,
        [LensKind.REFERENCES],
        "references helper",
        "references plain",
        "references large",
    )


LABELS = """
    .visible .entry k()
    {
        .reg .pred %p<2>; .reg .b32 %r<3>;
        @%p0 bra done;
    head:
        @%p0 bra body;
        @%p1 bra done;
    skipped:
    body: @%p1 bra head;
        bra.uni head;
    $L__tmp1:
    done:
        ret;
        .section .debug_info { .b32 $L__tmp1 }
    }
"""


def test_labels_of_loops_and_where_paths_meet() -> None:
    expected = ["label head", "label done"]
    assert check_lenses(LABELS, [LensKind.LABEL], *expected) == [
        "loop, repeated from lines 10 and 11",
        "reached from lines 5 and 8",
    ]


def test_label_of_a_loop_that_is_entered_by_a_branch() -> None:
    jumps = "\n".join(["@p bra l;"] * 6)
    text = f".entry k()\n{{\n.reg .pred p;\n@p bra l;\nl:\n{jumps}\nret;\n}}\n"
    assert check_lenses(text, [LensKind.LABEL], "label l") == [
        "loop, repeated from lines 6, 7, 8, 9 and 2 more · entered from line 4"
    ]


def test_names() -> None:
    assert check_lenses(KERNEL, [LensKind.NAME], "name _Z3addPi") == ["add(int*)"]


def test_resources() -> None:
    kernel, large = check_lenses(
        KERNEL, [LensKind.RESOURCES], "resources _Z3addPi", "resources large"
    )
    assert kernel == (
        "4,096 B of shared memory · 8 B of local memory · 9 B of parameters "
        "· .maxntid 32, 2, 1 · .minnctapersm 2"
    )
    assert large == "no shared or local memory"


def test_the_widest_point() -> None:
    text = (
        ".entry k()\n{\n.reg .b32 a, b;\nmov.b32 a, 1;\nmov.b32 b, a;\nst.shared.b32 [a], b;\n}\n"
    )
    expected = ["at most 2 live registers, at line 5"]
    assert check_lenses(text, [LensKind.RESOURCES], "resources k") == expected


def test_a_function_in_which_no_value_is_live() -> None:
    text = ".entry k(.param .u32 n)\n{\n.reg .b32 a;\nmov.b32 a, 1;\nret;\n}\n"
    assert check_lenses(text, [LensKind.RESOURCES], "resources k") == ["4 B of parameters"]


def test_prototypes_have_names_and_no_resources() -> None:
    text = ".func (.param .b32 r) _Z3fibi\n(\n.param .b32 n\n)\n;\n.func f()\n{\nret;\n}\n"
    wanted = [LensKind.NAME, LensKind.RESOURCES]
    assert check_lenses(text, wanted, "name _Z3fibi", "resources f") == [
        "fib(int)",
        "no shared or local memory",
    ]


def test_shared_memory_of_a_size_that_a_launch_tells() -> None:
    (text,) = check_lenses(
        ".entry k()\n{\n.extern .shared .b8 tail[];\n.shared .b32 one;\n}",
        [LensKind.RESOURCES],
        "resources k",
    )
    assert text == "4 B of shared memory · dynamic shared memory"


def test_shared_memory_of_the_module_counts_for_the_kernels_that_name_it() -> None:
    text = """
.extern .shared .align 16 .b8 tail[];
.shared .align 4 .b8 tile[1024];
.entry both()
{
    .reg .b32 %r<3>;
    mov.b32 %r1, tail;
    mov.b32 %r2, tile;
    ret;
}
.entry one()
{
    st.shared.b32 [tail], 0;
    ret;
}
.entry none()
{
    // tail, tile
    ret;
}
.entry hides()
{
    .local .b8 tail[8];
    st.local.b32 [tail], 0;
    ret;
}
"""
    names = "both", "one", "none", "hides"
    found = check_lenses(text, [LensKind.RESOURCES], *(f"resources {name}" for name in names))
    assert found == [
        "1,024 B of shared memory · dynamic shared memory",
        "dynamic shared memory",
        "no shared or local memory",
        "8 B of local memory",
    ]


def test_nothing_that_is_not_wanted() -> None:
    check_lenses(KERNEL, [])


@pytest.mark.parametrize(
    ("count", "expected"), [(0, "no references"), (1, "1 reference"), (2, "2 references")]
)
def test_wording(count: int, expected: str) -> None:
    assert references_text(count) == expected


@pytest.mark.parametrize(
    ("target", "body", "expected"),
    [
        (
            "sm_90",
            "cp.async.wait_all;",
            "needs PTX ISA 7.8 for sm_90 · could target sm_80 or newer",
        ),
        ("sm_80", "cp.async.wait_all;", "needs PTX ISA 7.0 for sm_80 · runs on sm_80 or newer"),
        ("sm_90a", "wgmma.fence.sync.aligned;", "needs PTX ISA 8.0 for sm_90a · runs on sm_90a"),
        ("sm_75", "cp.async.wait_all;", "needs sm_80 or newer"),
    ],
)
def test_requirements(target: str, body: str, expected: str) -> None:
    text = f".version 8.3\n.target {target}\n.entry k() {{ {body} }}\n"
    assert requirements_text(requirements(text)) == expected


def test_requirements_stand_above_the_header() -> None:
    check_lenses(KERNEL, [LensKind.REQUIREMENTS], "requirements 8.0")


def test_requirements_are_above_the_first_value_after_any_edit() -> None:
    """The version and the target change their order, but not their places."""
    text = ".target sm_80\n// x\n.version 8.0\n.target sm_90a\n.entry k()\n{\n\tret;\n}\n"
    before = Document.read(text)
    lenses(before, [LensKind.REQUIREMENTS])
    after = edited(before, Position(0, 0), Position(0, 1), "#")
    fresh = Document.read(after.text)
    assert lenses(after, [LensKind.REQUIREMENTS]) == lenses(fresh, [LensKind.REQUIREMENTS])
