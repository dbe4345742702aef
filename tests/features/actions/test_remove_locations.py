"""Removing `.loc`."""

from __future__ import annotations

from tests.support.actions import check_action, check_not_offered

TEXT = """\
.version 8.0
.target sm_90
.address_size 64
.file 1 "a.cu"
.entry k()
{
\t.loc 1 2 3 // a.cu:2:3
\t.reg .b32 %r<9>; .loc 1 3 3
\t.loc\t1 4 3, function_name L,
\t inlined_at 1 2 3
\tmov.u32 %r1, 1;
// .loc 1 2 3
}
.entry other()
{
\t.loc 1 9 3
}
.section .debug_str
{
L:
.b8 97, 0
}
"""
IN_FUNCTION = """\
{
\t.reg .b32 %r<9>;
\tmov.u32 %r1, 1;
// .loc 1 2 3
}
.entry other()
"""


def after(*, is_file: bool) -> str:
    """`TEXT` without `.loc`."""
    head = TEXT[: TEXT.index("{")]
    tail = TEXT[TEXT.index("{\n\t.loc 1 9") :]
    return head + IN_FUNCTION + (tail.replace("\t.loc 1 9 3\n", "") if is_file else tail)


def test_of_a_function() -> None:
    marked = TEXT.replace("\t.loc 1 2", "\t.l<|>oc 1 2")
    check_action(marked, "Remove `.loc` from `k`", after(is_file=False))


def test_of_a_file_whose_debugging_data_stays() -> None:
    marked = TEXT.replace(".file", ".<|>file")
    check_action(marked, "Remove `.loc` and `.file`", after(is_file=True))


def test_with_the_files_where_nothing_names_them() -> None:
    head = ".version 8.0\n.target sm_90\n.address_size 64\n"
    text = f'{head}.file 1 "a.cu"\n.entry k()\n{{\n.<|>loc 1 2 3\nret;\n}}\n.file 2 "b.cu"\n'
    check_action(text, "Remove `.loc` and", f"{head}.entry k()\n{{\nret;\n}}\n")


def test_of_a_selection() -> None:
    marked = TEXT.replace("\t.loc 1 2", "<|>\t.loc 1 2").replace("\t.loc\t1 4", "<|>\t.loc\t1 4")
    removed = TEXT.replace("\t.loc 1 2 3 // a.cu:2:3\n", "").replace(" .loc 1 3 3\n", "\n")
    removed = removed.replace("\t.loc\t1 4 3, function_name L,\n\t inlined_at 1 2 3\n", "")
    check_action(marked, "Remove `.loc` from the selection", removed)


def test_of_a_selection_before_an_inlined_call() -> None:
    head = ".version 8.0\n.target sm_90\n.entry k()\n{\n"
    tail = ".loc 1 7 1, function_name L, inlined_at 1 0x2 3\nret;\n}\n"
    check_action(
        f"{head}<|>.loc 1 2 3\n.loc 1 4 3<|>\n{tail}",
        "Remove `.loc` from the selection",
        f"{head}.loc 1 2 3\n{tail}",
    )


def test_of_a_selection_before_nested_inlined_calls() -> None:
    head = ".version 8.0\n.target sm_90\n.entry k()\n{\n"
    outer = ".loc 1 2 3\n.loc 1 4 3, function_name L, inlined_at 1 2 3\n"
    tail = ".loc 1 7 1, function_name L, inlined_at 1 4 3\nret;\n}\n"
    check_action(
        f"{head}<|>.loc 1 9 9\n{outer}.loc 1 5 3, function_name L, inlined_at 1 4 3<|>\n{tail}",
        "Remove `.loc` from the selection",
        f"{head}{outer}{tail}",
    )


def test_elsewhere() -> None:
    check_not_offered(TEXT.replace("mov.u32", "m<|>ov.u32"), "Remove")
    check_not_offered(TEXT.replace("// .loc", "// .l<|>oc"), "Remove")
    for local in ("<|>\t.local .b32 s;", "<|>\t.local .b32 s;\n\tret;<|>"):
        check_not_offered(TEXT.replace("\tmov.u32 %r1, 1;", local), "Remove")


def test_with_places_in_other_representations() -> None:
    head = '.version 9.4\n.target sm_100\n.address_size 64\n.file 1 "a"\n.file 2 "b"\n'
    tail = (
        '.nv_intermediate_source_section {\n.code_block {\n.ir_name: "i"\n.sourceFileName: 2\n'
        ".source_begin\n.loc 1 2 3\n.source_end\n}\n}\n"
    )
    text = f"{head}.entry k()\n{{\n.l<|>oc 1 2 3\n.loc_intermediate 2 3 4\nret;\n}}\n{tail}"
    expected = f"{head}.entry k()\n{{\nret;\n}}\n{tail}"
    check_action(text, "Remove `.loc` and", expected)
    check_action(text, "Remove `.loc` from `k`", expected)
