"""Completion: what is offered at the cursor, the likeliest first."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ptx_ls.document.document import Document
from ptx_ls.features.completion.complete_item import Completions
from ptx_ls.features.completion.completion import completions
from ptx_ls.features.hover.describe_item import resolve
from ptx_ls.semantics.analysis import Analysis
from ptx_ls.source import Position
from tests.features.hover.test_hover import KERNEL
from tests.support.fixture import parse_fixture


class Offered:
    """The items that were offered: labels in the order in which an editor shows them."""

    def __init__(self, found: Completions) -> None:
        items = sorted(found.items, key=lambda item: item.sort or item.label)
        self.items = {item.label: item for item in items}
        self.labels = [item.label for item in items]
        self.legal = [item.label for item in items if item.is_available]
        self.is_incomplete = found.is_incomplete


def check_completion(
    marked: str,
    *first: str,
    has: tuple[str, ...] = (),
    lacks: tuple[str, ...] = (),
    whole: bool = False,
) -> Offered:
    """Completions at the cursor: those named are first, in order.

    `marked` is in the body of a kernel, or is the text itself if `whole`.
    """
    fixture = parse_fixture(marked if whole else KERNEL.replace("BODY", marked))
    found = completions(Analysis(Document.read(fixture.text)), fixture.cursor)
    offered = Offered(found)
    assert len(offered.labels) == len(found.items), "a label is offered twice"
    assert offered.labels[: len(first)] == list(first)
    assert set(has) <= set(offered.labels), offered.labels
    assert not set(lacks) & set(offered.labels)
    for item in found.items:
        assert item.range.end == fixture.cursor
        assert item.range.start.line == fixture.cursor.line
        assert 0 <= item.range.start.column <= fixture.cursor.column
    return offered


def check_replaced(marked: str, label: str) -> str:
    """The text that an item replaces."""
    fixture = parse_fixture(KERNEL.replace("BODY", marked))
    document = Document.read(fixture.text)
    found = completions(Analysis(document), fixture.cursor)
    item = next(item for item in found.items if item.label == label)
    return document.lines[item.range.start.line][item.range.start.column : item.range.end.column]


NOTHING = [
    "// <|>",
    "add.u32 %r1, %r2; // ad<|>",
    "/* add.<|> */",
    "/* two\nlines <|> */ ret;",
    '"<|>',
    '"add<|>',
    "frobnicate.<|>",
    "%r<|>",
    ".loc <|>",
    ".reg .b32 <|>",
]


@pytest.mark.parametrize("marked", NOTHING)
def test_nothing_to_offer(marked: str) -> None:
    assert check_completion(marked).labels == []


PIECES = (
    *('"', "\\", "\n", " ", ".", "%r", "add", ";", "{", "}", ",", "@", "/*", "*/", "//", "é"),
    *('.pragma "a b"', ".entry k()", '.language "tile ir"', ".reg .b32 %r<9>;", "ld.global.", "["),
)


@given(st.lists(st.sampled_from(PIECES)), st.lists(st.sampled_from(PIECES)))
def test_items_replace_what_is_before_the_cursor(before: list[str], after: list[str]) -> None:
    check_completion("".join([*before, "<|>", *after]), whole=True)


STARTS = [
    "<|>",
    "ad<|>",
    "L1: ad<|>",
    "ret; ad<|>",
    "{ ad<|>",
    "/* x */ ad<|>",
    "add.u32 %r1, %r2\nad<|>",
]


@pytest.mark.parametrize("marked", STARTS)
def test_statement_begins_with_an_opcode_or_a_directive(marked: str) -> None:
    check_completion(
        marked, has=("add", "setp", "mma", ".reg", ".pragma"), lacks=(".entry", ".maxntid")
    )


def test_what_follows_the_cursor_does_not_matter() -> None:
    check_completion("ad<|> %r1, %r2, 3;", has=("add",))
    check_completion("add.<|> %r1, %r2, 3;", has=(".s32",))
    check_completion("add.u32 %r1, <|>, 3;\nret", "%r0", "%r1")


def test_module_scope_has_no_opcodes() -> None:
    check_completion(
        ".version 8.5\n.target sm_90\n<|>",
        has=(".entry", ".func", ".visible", ".global", ".file"),
        lacks=("add", ".maxntid", ".reg", ".loc", ".maxnctapersm"),
        whole=True,
    )
    check_completion(KERNEL + "<|>", has=(".entry",), lacks=("add",), whole=True)
    for head in (
        "<|>.visible .entry k()",
        ".<|>visible .entry k()",
        ".e<|>ntry k()",
        ".<|>func f()",
    ):
        module = f".version 8.5\n.target sm_90\n{head}\n{{\nret;\n}}\n"
        check_completion(module, has=(".entry",), lacks=("add", ".reg"), whole=True)


def test_a_text_that_is_no_module_may_hold_instructions() -> None:
    check_completion("ad<|>", has=("add", ".version"), whole=True)


def test_guard_takes_predicates() -> None:
    plain = ["%p0", "%p1", "%p2", "%p3"]
    assert check_completion("@<|>").labels == [*plain, *(f"!{name}" for name in plain)]
    assert check_completion("@!%p<|>").labels == ["%p0", "%p1", "%p2", "%p3"]
    assert check_replaced("@!%p<|>", "%p1") == "%p"
    check_completion("@%p1 br<|>", has=("bra", "ret"), lacks=(".reg",))


def test_only_modifiers_that_may_follow() -> None:
    check_completion(
        "add.sat.<|>", ".s32", has=(".f32", ".f16"), lacks=(".s16", ".cc", ".sat", ".f64")
    )
    check_completion("setp.lt.<|>", has=(".and", ".f32", ".ftz"), lacks=(".b32", ".eq"))
    check_completion(
        "mma.sync.aligned.m8n8k4.<|>", has=(".row", ".col"), lacks=(".m16n8k8", ".shape")
    )
    assert check_completion("ret.uni.<|>").labels == []


def test_modifiers_that_the_module_lacks_come_last() -> None:
    offered = check_completion("add.<|>", ".s32", has=(".f32x2",))
    assert ".f32x2" not in offered.legal
    assert "sm_100" in offered.items[".f32x2"].detail
    assert offered.labels.index(".f32x2") > offered.labels.index(".u32")


def test_what_an_instruction_cannot_do_without_comes_before_what_it_may_have() -> None:
    for marked, first, second in (
        ("add.<|>", ".f32", ".sat"),
        ("add.rn.<|>", ".f32", ".ftz"),
        ("cvt.<|>", ".s32", ".rzi"),
        ("mul.<|>", ".lo", ".rn"),
        ("fma.<|>", ".rn", ".f32"),  # the rounding is next, and needed
        ("ld.<|>", ".global", ".u32"),  # a space may be left out, but is more frequent
        ("ld.<|>", ".u32", ".weak"),
        ("ld.global.<|>", ".u32", ".ca"),
        ("setp.<|>", ".ge", ".lo"),
        ("mbarrier.try_wait.<|>", ".parity", ".shared"),
        ("mma.sync.aligned.m16n8k16.row.col.<|>", ".f16", ".s32"),
    ):
        labels = check_completion(marked).labels
        assert second not in labels or labels.index(first) < labels.index(second), marked


def test_modifier_replaces_only_itself() -> None:
    assert check_replaced("ld.global.u<|>", ".u32") == ".u"
    assert check_replaced("ld.global.<|>", ".v2") == "."
    assert check_replaced("ld.global.L1::no<|>", ".L1::no_allocate") == ".L1::no"


def test_registers_of_the_fitting_type_come_first() -> None:
    offered = check_completion("add.f32 %f1, <|>", "%f0", "%f1", "%f2")
    assert offered.labels.index("%f4") < offered.labels.index("%r0")
    check_completion("cvt.u64.u32 <|>", "%rd0")
    check_completion("setp.eq.s32 %p1|<|>", "%p2", "%p0")
    check_completion("cvt.rn.f32.s32 %f1, <|>", "%r0", has=("%rd0",))


def test_registers_that_do_not_fit_are_offered_once_typing_leaves_no_others() -> None:
    for typed in ("", "%", "%p"):
        offered = check_completion(f"selp.b32 %r1, %r2, 3, {typed}<|>", "%p0", lacks=("%r1",))
        assert offered.is_incomplete  # else an editor would not ask again for `%r`
    offered = check_completion("selp.b32 %r1, %r2, 3, %r<|>", has=("%p0", "%r1"))
    assert offered.items["%r1"].detail.endswith("not allowed here")
    assert "%r1" not in offered.legal
    assert not check_completion("add.s32 %r1, %r2, %<|>", lacks=("%p1",)).items["%r9"].is_deprecated
    assert check_completion("add.s32 %r1, %r2, %r<|>").legal


def test_registers_used_nearby_come_first() -> None:
    check_completion("mov.u32 %r7, 1;\nmov.u32 %r5, 2;\nadd.u32 %r1, <|>", "%r7", "%r5", "%r0")


def test_values_that_wait_to_be_read_come_first() -> None:
    before = "mov.u32 %r7, 1;\nmov.u32 %r8, 1;\nadd.u32 %r3, %r8, %r2;\n"
    check_completion(before + "add.s32 %r1, <|>", "%r7", "%r3", "%r2", "%r8")
    check_completion(before + "add.u32 <|>", "%r4", "%r9", "%r1", "%r5", "%r2", "%r8", "%r3")
    check_completion("st.global.u32 [%rd1], %r4;\nadd.u32 %r1, <|>", "%r4")


def test_a_result_goes_into_the_next_register_that_is_not_used() -> None:
    before = "mov.u32 %r3, 1;\nadd.u32 %r4, %r3, 2;\n"
    check_completion(before + "mul.lo.u32 <|>", "%r5", "%r1", "%r6", "%r3", "%r4")
    check_completion(before + "mul.lo.u32 <|>\nmov.u32 %r5, 1;\nmov.u32 %r7, %r6;", "%r6", "%r8")
    check_completion(before + "mul.lo.u32 %r<|>, %r4, 3;\nmov.u32 %r5, 1;", "%r6")
    check_completion(before + "mov.b32 %r9, 1;\nnot.b32 <|>", "%r1", "%r3", "%r9", lacks=("%r10",))
    check_completion(before + "cvt.rn.f32.s32 <|>", "%f0")
    check_completion(before + "mul.lo.u32 %r5, <|>", "%r4", "%r3")


@pytest.mark.parametrize(
    ("marked", "opcode", "expected"),
    [
        ("ld<|>", "ld", "ld.«global».«b32» «d», [«a»];"),
        ("ldm<|>", "ldmatrix", "ldmatrix.sync.aligned.m8n8.«x4».«shared».b16 "),
        ("mma<|>", "mma", "mma.sync.aligned.«m16n8k16».row.col.«f32».f16.f16.«f32» "),
        ("setp.ge.u32 %p1, %r1, %r2;\nset<|>", "setp", "setp.«ge».«u32» «p», «a», «b»;"),
        ("ld.param.u64 %rd1, [p];\nld<|>", "ld", "ld.«global».«b32» "),
        ("bra.uni done;\nb<|>", "bra", "bra «tgt»;"),  # not `.uni`: a guard may be before it
    ],
)
def test_an_opcode_comes_with_what_the_module_or_real_code_uses(
    marked: str, opcode: str, expected: str
) -> None:
    assert check_completion(marked).items[opcode].template.startswith(expected)


def test_more_is_offered_until_names_of_cuda_are() -> None:
    for marked in ("<|>", "s<|>", "sy<|>", "mov.u32 %r1, t<|>", "mov.u32 %r1, th<|>"):
        assert check_completion(marked).is_incomplete, marked
    assert "__syncthreads" in check_completion("syn<|>").labels
    assert "threadIdx.x" in check_completion("mov.u32 %r1, thr<|>").labels


def test_what_is_common_comes_first() -> None:
    for marked, common, rare in (
        ("m<|>", "mov", "mad24"),
        ("s<|>", "st", "sad"),
        ("mov.u32 %r1, %<|>", "%tid.x", "%clock"),
        (".<|>", ".reg", ".branchtargets"),
        ("st.global.<|>", ".u32", ".b128"),
        ("wgmma.mma_async.sync.<|>", ".aligned", ".m64n8k8"),
    ):
        labels = check_completion(marked).labels
        assert rare not in labels or labels.index(common) < labels.index(rare), marked


def test_modifiers_follow_as_in_the_lines_above() -> None:
    near = "ld.global.nc.v2.f64 {%fd1, %fd2}, [%rd1];\nld.global.b8 %r1, [%rd1];\n"
    check_completion(near + "ld.global.<|>", ".b8", ".nc", ".s32")
    check_completion(near + "ld.global.nc.<|>", ".v2")
    check_completion("cvta.to.global.<|>", ".u64", ".u32")
    check_completion("add.bad.u32 %r1, %r2, %r3;\nadd.<|>", lacks=(".bad",))


def test_registers_of_the_very_type_come_before_those_that_pass() -> None:
    first = "%s0", "%s1", "%r0"
    check_completion(".reg .s32 %s<2>;\nadd.s32 %r1, <|>", *first, lacks=("%f1",))


def test_elements_of_a_vector_are_alike() -> None:
    check_completion("mov.b64 {%r1, <|>", "%r2", "%r0", "%r1", lacks=("table", "pair"))
    check_completion("mov.b64 {<|>", "%r0", "%r1", lacks=("%tid.x",))
    check_completion("mov.b64 %rd1, {%r4, <|>", "%r5", "%r0", "%r1")
    check_completion("ld.global.v2.f32 {<|>", "%f0", "%f1", lacks=("table",))
    check_completion("st.global.v2.u64 [%rd1], {<|>", "%rd0", lacks=("table",))
    mma = "mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32"
    check_completion(f"{mma} {{%f0, %f1, %f2, %f3}}, {{<|>", "%r0")
    check_completion("tex.1d.v4.f32.s32 {%f1,%f2,%f3,%f4}, [%rd1, {<|>", "%r0", lacks=("data",))


@pytest.mark.parametrize("behind", ["\n$L1:\n", "\nret;", "", "}", "\n}"])
def test_a_brace_behind_an_instruction_opens_a_vector(behind: str) -> None:
    check_completion(f"ld.global.v2.f32 {{<|>{behind}", "%f0", lacks=("add",))
    check_completion(f"@%p1 mov.b64 %rd1, {{<|>{behind}", "%r0", lacks=("add",))
    check_completion(f"ret; {{<|>{behind}", has=("add",))


def test_operands_that_begin_with_a_bracket() -> None:
    check_completion("ld.global.f32 %f1, <|>", "[table]", "[%rd0]", lacks=("%rd0", "%r0"))
    check_completion("mov.u64 %rd3, table;\nld.global.f32 %f1, <|>", "[%rd3]")
    check_completion("ld.param.u32 %r1, <|>", "[count]", "[data]", "[out]")
    check_completion("st.shared.b32 <|>", "[tile]", "[%r0]", "[%r1]", has=("[%rd0]",))
    check_completion(
        "ldmatrix.sync.aligned.m8n8.x4.shared.b16 <|>", "{%r0, %r1, %r2, %r3}", has=("{",)
    )
    assert check_replaced("ld.global.f32 %f1, <|>", "[%rd0]") == ""
    assert check_replaced("ld.global.f32 %f1, %r<|>", "[%rd0]") == "%r"
    assert check_completion("ld.global.f32 %f1, %r<|>").items["[%rd0]"].filter == "%rd0"


@pytest.mark.parametrize(
    ("marked", "label", "template"),
    [
        ("ld.global.v4.f32 <|>", "{%f0, %f1, %f2, %f3}", "{%f0, «%f1», «%f2», «%f3»}"),
        ("st.global.v4.b32 [%rd1], <|>", "{%r0, %r1, %r2, %r3}", "{%r0, «%r1», «%r2», «%r3»}"),
        ("tex.2d.v4.f32.f32 <|>", "{%f0, %f1, %f2, %f3}", "{%f0, «%f1», «%f2», «%f3»}"),
        ("ldmatrix.sync.aligned.m8n8.x1.shared.b16 <|>", "{%r0}", "{%r0}"),
        # There are too few registers after it: none may be written twice.
        ("ld.global.v4.f32 <|>", "{%f3", ""),
    ],
)
def test_a_vector_has_as_many_elements_as_the_instruction_needs(
    marked: str, label: str, template: str
) -> None:
    offered = check_completion(marked, has=(label, "{"))
    assert offered.items[label].template == template
    assert offered.items["{"].template == "{«»}"
    assert not check_completion(f"{marked}, %r1;").items["{"].template


def test_a_long_vector() -> None:
    item = check_completion(
        ".reg .f32 %acc<32>;\nwgmma.mma_async.sync.aligned.m64n64k16.f32.f16.f16 <|>",
        has=("{%acc0, …, %acc31}",),
    ).items["{%acc0, …, %acc31}"]
    assert item.template == f"{{{', '.join(f'%acc{number}' for number in range(32))}}}"


def test_the_header_comes_before_opcodes_in_an_empty_file() -> None:
    first = (".version 9.5", "module with a kernel", ".version")
    for text in ("<|>", "// a comment\n\n<|>"):
        labels = check_completion(text, *first, whole=True).labels
        assert labels.index(".visible") < labels.index("mov")
    assert check_completion("add.s32 %r1, %r2, %r3;\n<|>", whole=True).labels[0] != first[0]


def test_what_instructions_above_suggest() -> None:
    step = "ld.global.f32 %f1, [%rd1];\nld.global.f32 %f2, [%rd2];\n"
    check_completion(step + "ld.global.f32 %f3, [<|>", "%rd3", "%rd2")
    check_completion(step + "ld.global.f32 <|>", "%f3", "%f4", "%f2")
    same = "add.s32 %r1, %r9, 4;\nadd.s32 %r2, %r9, 8;\n"
    check_completion(same + "add.s32 %r3, <|>", "%r9", "%r2")
    fma = "fma.rn.f32 %f1, %f2, %f3, %f1;\n"
    check_completion(fma + "fma.rn.f32 %f4, %f2, %f0, <|>", "%f4")
    vector = "ld.global.v4.f32 {%f1, %f2, %f3, %f4}, [%rd1];\n"
    check_completion(vector + "st.global.v4.f32 [%rd2], {%f1, <|>", "%f2")
    check_completion("mov.b64 {%r2, %r4}, %rd1;\nmov.b64 {%r6, <|>", "%r8")


def test_empty_file_begins_with_a_header() -> None:
    offered = check_completion("<|>", ".version 9.5", "module with a kernel", whole=True)
    text = offered.items["module with a kernel"].text
    check_completion(text.replace("ret;", "<|>ret;"), has=("mov",), whole=True)
    check_completion("// A comment.\n\n<|>", ".version 9.5", whole=True)
    check_completion(".version 8.0\n<|>", lacks=(".version 9.5",), whole=True)
    check_completion("mov.u32 %r1, %r2;\n<|>", lacks=(".version 9.5",), whole=True)


def test_names_of_cuda() -> None:
    found = check_completion("syncthr<|>", has=("__syncthreads",)).items["__syncthreads"]
    assert (found.text, found.filter) == ("bar.sync", "syncthreads")
    assert check_completion("__syncthr<|>").items["__syncthreads"].filter == "__syncthreads"
    assert check_completion("atomicA<|>").items["atomicAdd"].text == "atom.add.u32"
    found = check_completion("mov.u32 %r1, thre<|>").items["threadIdx.x"]
    assert (found.text, found.filter) == ("%tid.x", "threadIdx.x")
    check_completion("mov.u32 %r1, th<|>", lacks=("threadIdx.x",))


def test_functions_of_cuda_have_operands() -> None:
    def template(text: str, name: str) -> str:
        return check_completion(text, has=(name,)).items[name].template

    assert template("syncthr<|>", "__syncthreads") == "bar.sync 0;"
    assert template("syncthr<|>", "__syncthreads_count") == "bar.red.popc.u32 «d», 0, «c»;"
    assert template("atomicA<|>", "atomicAdd") == "atom.add.u32 «d», [«a»], «b»;"
    assert template("__threadf<|>", "__threadfence") == "membar.gl;"
    assert template("syncthr<|> 0;", "__syncthreads") == ""
    check_completion("ld.global.u32 %r1, [thre<|>", lacks=("threadIdx.x",))
    check_completion("add.f32 %f1, %f2, thre<|>", lacks=("threadIdx.x",))


def test_opcodes_that_follow_each_other_come_first() -> None:
    check_completion("<|>", "ld", "mov")
    pair = "mul.f32 %f1, %f2, %f3;\nsin.approx.f32 %f2, %f1;\n"
    check_completion(pair + "mul.f32 %f3, %f1, %f2;\n<|>", "sin")
    check_completion("@%p1 bra done;\nret;\n<|>\n", "done:")
    check_completion("@%p1 <|>", "bra", "ld", "st")


def test_types_of_what_was_computed_last() -> None:
    check_completion("ld.global.f32 %f1, [%rd1];\nneg.<|>", ".f32")
    check_completion("cvt.u64.u32 %rd2, %r1;\nadd.<|>", ".u64", ".s64")
    check_completion("ld.param.<|>", ".u64")
    check_completion("ld.param.u64 %rd1, [data];\nld.param.<|>", ".u32")


def test_components() -> None:
    assert check_completion("mov.b32 %r1, pair.<|>").labels == ["pair.x", "pair.y"]
    assert check_completion("mov.u32 %r1, %tid.<|>").labels == ["%tid.x", "%tid.y", "%tid.z"]
    assert check_completion("mov.u32 %r1, %r2.<|>").labels == []


def test_special_registers() -> None:
    offered = check_completion("mov.u32 %r1, %<|>", has=("%tid.x", "%laneid", "%envreg31"))
    assert offered.labels.index("%r9") < offered.labels.index("%tid.x")
    check_completion("mov.u32 %r1, %<|>", lacks=("%clock64",))
    check_completion("mov.u64 %rd1, %<|>", has=("%clock64",))
    check_completion("add.f32 %f1, %<|>", lacks=("%tid.x",))
    check_completion("ld.global.u32 %r1, [%<|>", lacks=("%tid.x",))


def test_addresses() -> None:
    check_completion(
        "ld.param.u32 %r1, [<|>", "count", "data", "out", lacks=("%f1", "%p1", "scale")
    )
    check_completion("ld.param::entry.u32 %r1, [<|>", "count", "data", "out")
    check_completion("ld.param::func.u32 %r1, [<|>", lacks=("count", "out", "data"))
    text = ".version 8.3\n.target sm_90\n.entry k(.param .b32 given) { .param .b32 passed; "
    check_completion(f"{text}ld.param::func.b32 %r1, [<|>", "passed", lacks=("given",), whole=True)
    check_completion(f"{text}ld.param::entry.b32 %r1, [<|>", "given", lacks=("passed",), whole=True)
    check_completion("ld.global.u32 %r1, [<|>", "table", "%rd0")
    check_completion("st.shared.u32 [<|>", "tile", "%r0")
    text = ".version 8.0\n.target sm_90\n.global .texref t; .global .b32 x;\n"
    text += ".entry k() { .reg .b64 %rd1;\n"
    check_completion(f"{text}cp.async.ca.shared.global [%rd1], [<|>", "%rd1", "x", whole=True)
    check_completion(f"{text}tex.1d.v4.f32.s32 {{%r1,%r1,%r1,%r1}}, [<|>", "t", whole=True)


def test_addresses_are_of_the_operand_s_own_space() -> None:
    check_completion("cp.async.ca.shared.global [<|>", "tile", lacks=("table",))
    check_completion("cp.async.ca.shared.global [%r1], [<|>", "table", lacks=("tile",))
    bulk = "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes"
    check_completion(f"{bulk} [%r1], [%rd1], %r1, [<|>", "tile", lacks=("table",))
    check_completion("mbarrier.init.b64 [<|>", "tile", lacks=("table", "count"))
    check_completion("ld.u32 %r1, [<|>", "%rd0", has=("table", "tile"), lacks=("count",))
    check_completion("ld.param.u32 %r1, [<|>", lacks=("table",))
    check_completion("tex.1d.v4.f32.s32 {%f1,%f2,%f3,%f4}, [<|>", "%rd0", lacks=("table",))


def test_coordinates() -> None:
    texture = "tex.2d.v4.f32.f32 {%f1,%f2,%f3,%f4}, [%rd1, {"
    for tensor in (texture.replace(".f32 {", ".s32 {"), "sured.b.max.2d.u64.trap [%rd1, {"):
        check_completion(f"{tensor}<|>", "%r0", lacks=("%f0", "%rd0"))
    bulk = "cp.async.bulk.prefetch.tensor.2d.L2.global.tile [%rd1, {"
    check_completion(f"{bulk}%r1, <|>}}];", "%r0", lacks=("%f0", "%rd0", "%p0"))
    check_completion(f"{texture}%f1, <|>", "%f0", lacks=("%rd0",))


def test_instructions_that_the_module_lacks_take_what_they_take_elsewhere() -> None:
    for head in (".version 8.5\n.target sm_90\n", ".version 6.0\n.target sm_50\n"):
        text = f"{head}.entry k() {{ .reg .b16 %h<2>; .reg .b32 %r<9>; .reg .b64 %rd<2>;\n"
        mma = "mma.sp.sync.aligned.m16n8k16.row.col.f16.f16.f16.f16 {"
        check_completion(f"{text}{mma}<|>", "%r0", lacks=("%h0", "%rd0"), whole=True)
        wait = check_completion(f"{text}tcgen05.wait::ld.sync.aligned <|>", whole=True)
        assert wait.labels == []
    assert check_completion("add.u32 %r1, %r2, %r3, <|>").labels == []


def test_instructions_without_a_modifier_that_they_need() -> None:
    check_completion("fma.f32 %f1, <|>", "%f0")
    check_completion("mul.s32 %r1, <|>", "%r0")


def test_operands_that_need_others_behind_them() -> None:
    check_completion("st.global.L2::cache_hint.u32 [table], <|>", "%r0", lacks=("%f0",))
    check_completion("st.global.L2::cache_hint.u32 [table], %r1, <|>", "%rd0", lacks=("%r0",))
    check_completion("atom.global.add.L2::cache_hint.u32 %r1, [<|>", "table", "%rd0")


def test_second_results() -> None:
    check_completion("elect.sync <|>", "%r0", lacks=("%p0", "%rd0"))
    check_completion("elect.sync %r1|<|>", "%p0", lacks=("%r0",))
    check_completion("shfl.sync.up.b32 %r1|<|>", "%p0", "%p1")
    check_completion("lop3.or.b32 %r1|<|>", "%p0", "%p1")


def test_parameters_of_the_width_come_before_those_used_nearby() -> None:
    near = "ld.param.u32 %r1, [count];\n"
    check_completion(near + "ld.param.u64 %rd1, [<|>", "data", "out", "count")
    check_completion(near + "ld.param.u32 %r1, [<|>", "count", "data", "out")
    text = ".version 8.0\n.target sm_90\n.entry k(.param .u32 a, .param .s32 b, .param .f32 c) {\n"
    for kind, name in ((".u32", "a"), (".s32", "b"), (".f32", "c"), (".b32", "a")):
        check_completion(f"{text}ld.param{kind} %r1, [<|>", name, whole=True)


def test_address_registers_have_the_width_of_addresses() -> None:
    text = KERNEL.replace(".address_size 64", ".address_size 32").replace(
        "BODY", "ld.u32 %r1, [<|>"
    )
    check_completion(text, "%r0", whole=True)


def test_branches_take_labels_the_nearest_first() -> None:
    offered = check_completion("FAR:\nret;\nret;\nret;\nbra <|>;\nNEAR: ret;")
    assert offered.labels == ["NEAR", "FAR"]
    assert check_completion("@%p1 bra.uni N<|>\nNEAR: ret;").labels == ["NEAR"]
    assert check_completion("{ IN: ret; }\nbra <|>;").labels == []


def test_a_branch_may_name_a_new_label() -> None:
    before = "L1: add.u32 %r1, %r2, 3;\nL2: add.u32 %r1, %r2, 3;\n@%p1 bra L7;\n"
    check_completion(before + "bra <|>", "L2", "L7", "L3", "L1", "L8")
    check_completion("again: add.u32 %r1, %r2, 3;\nbra <|>;", "again", lacks=("again1",))


def test_reads_follow_those_above() -> None:
    pointers = "".join(f"add.u64 %rd{n}, %rd9, {n};\n" for n in range(1, 6))
    load = pointers + "ld.global.f32 %f1, [%rd1];\nadd.f32 %f2, %f1, %f1;\n"
    check_completion(load + "st.global.f32 [<|>", "%rd2")
    products = "mul.lo.u32 %r1, %r9, 3;\nadd.u32 %r2, %r1, 1;\nmul.lo.u32 %r3, %r9, 5;\n"
    check_completion(products + "not.b32 %r4, %r9;\nadd.u32 %r5, <|>", has=("%r3", "%r4"))


def test_vectors_within_addresses() -> None:
    texture = "tex.2d.v4.f32.f32 {%f1, %f2, %f3, %f4}, [%rd2, <|>"
    check_completion(texture, "{%f0, %f1}", has=("{",), lacks=("%r0", "%f0"))
    check_completion("suld.b.a1d.b32.trap {%r8}, [%rd1, <|>", "{%r0, %r1}", lacks=("%r0",))
    with_sampler = "tex.2d.v4.f32.f32 {%f1, %f2, %f3, %f4}, [%rd2, %rd3, <|>"
    check_completion(with_sampler, "{%f0, %f1}", has=("{",))


def test_a_move_may_pack_or_unpack_a_vector() -> None:
    check_completion("mov.b64 %rd1, <|>", "%rd0", "%rd1", "{")
    check_completion("mov.b64 <|>", has=("{", "%rd0"))
    check_completion("mov.u64 %rd1, <|>", lacks=("{",))
    above = "mov.b64 {%r1, %r2}, %rd1;\n"
    check_completion(above + "mov.b64 <|>", "{%r3, %r4}", "%rd2", lacks=("[%rd0]",))


def test_parameters_with_the_type_of_the_result() -> None:
    function = ".version 8.3\n.target sm_90\n.func (.param .b32 r) f(.param .b32 a) {\n"
    check_completion(function + "ld.param.b32 %r1, [<|>", "a", "r", whole=True)


def test_labels_that_are_missing() -> None:
    before = "HERE: @%p1 bra DONE;\nbra.uni $L2; // bra X\nbra HERE;\n"
    check_completion(before + "D<|>", has=("DONE:", "$L2:"), lacks=("HERE:", "X:"))
    assert check_completion(before + "$<|>").labels == ["$L2:", "DONE:"]
    assert check_completion(before + "bra <|>;").labels == [
        *("HERE", "$L2", "$L3", "DONE", "$L1", "$L4")
    ]
    check_completion(before + "@%p1 D<|>", lacks=("DONE:",))


def test_calls_take_functions_and_no_kernels() -> None:
    check_completion("call (%r1), <|>", "power", lacks=("scale",))
    check_completion("mov.u64 %rd1, <|>", has=("power", "scale", "table"))


def test_arguments_fit_their_parameters() -> None:
    body = ".param .b32 first;\n.param .b64 other;\n"
    offered = check_completion(
        body + "call (%r1), power, (<|>", "first", has=("%r0", "%f0"), lacks=("power", "pair")
    )
    assert offered.labels.index("%r9") < offered.labels.index("other")
    assert "%rd0" not in offered.labels
    check_completion(body + "call (<|>), power, (%r1);", "first", lacks=("power", "%tid.x"))


def test_tables_of_branches() -> None:
    body = "A: ret;\nT: .branchtargets A;\n"
    assert check_completion(body + "brx.idx %r1, <|>").labels == ["T"]
    check_completion(body + "brx.idx <|>", "%r0", lacks=("T", "A"))


def test_nothing_is_named_in_place_of_a_constant() -> None:
    assert check_completion("ld.global.u32 %r1, [%rd1+<|>").labels == []
    assert check_completion("ld.global.u32 %r1, [%rd1 - <|>").labels == []
    assert check_completion("add.f32 %f1, %f2, 0f3<|>").labels == []
    assert check_completion("lop3.b32 %r1, %r2, %r3, %r4, <|>").labels == []


@pytest.mark.parametrize(
    ("marked", "values"),
    [
        ("discard.global.L2 [%rd1], <|>", ["128"]),
        ("cp.async.ca.shared.global [%r1], [%rd1], <|>", ["4", "8", "16"]),
        ("cp.async.ca.shared.global [%r1], [%rd1], 1<|>", ["4", "8", "16"]),
        ("pmevent <|>", [*map(str, range(16))]),
        ("pmevent.mask <|>", []),
        ("cp.async.wait_group <|>", []),
    ],
)
def test_the_few_constants_that_an_operand_may_be(marked: str, values: list[str]) -> None:
    assert check_completion(marked).labels == values


def test_a_kernel_does_not_write_its_parameters() -> None:
    check_completion(".param .b32 p;\nst.param.u32 [<|>", "p", lacks=("count", "data"))
    text = ".version 8.0\n.target sm_90\n.func (.param .b32 r) f() {\nst.param.b32 [<|>"
    check_completion(text, "r", whole=True)


def test_arguments_of_the_very_type_come_first() -> None:
    offered = check_completion("call (%r1), power, (<|>", has=("%r0", "%f0"))
    assert offered.labels.index("%r0") < offered.labels.index("%f0")


def test_only_what_is_legal_as_it_stands_is_a_whole_instruction() -> None:
    items = check_completion("mad.<|>").items
    assert items[".f32"].template == ""  # needs a rounding, which comes before it
    assert items[".f64"].template == ""
    assert check_completion("mad.rn.<|>").items[".f32"].template != ""
    hint = check_completion("atom.global.add.L2::cache_hint.<|>").items[".u32"]
    assert "cache_policy" in hint.template
    assert "128" in check_completion("discard.global.<|>").items[".L2"].template


def test_what_a_module_lacks_comes_first() -> None:
    check_completion(".<|>", ".version", whole=True)
    check_completion(".version 8.5\n.<|>", ".target", whole=True)


def test_data_of_debug_sections() -> None:
    text = ".version 8.5\n.target sm_90\n.section .debug_info {\n<|>\n}\n"
    assert check_completion(text, whole=True).labels == [".b16", ".b32", ".b64", ".b8"]


def test_registers_of_inner_scopes() -> None:
    check_completion("{ .reg .b16 t; mov.b16 <|> }", "t")
    check_completion("{ .reg .b16 t; }\nmov.b16 <|>", lacks=("t",))


def test_statement_over_lines() -> None:
    check_completion("add.u32\n  %r1,\n  <|>", "%r1", "%r0")
    check_completion("fma.rn.f32 %f1,\n  %f2, // comment\n  <|>\n", "%f2", "%f1")


def test_several_statements_on_a_line() -> None:
    check_completion("{ mov.u32 %r1, 1; add.f32 %f1, <|>; ret; }", "%f0")
    check_completion("mov.u32 %r1, 1; add.<|>; ret;", has=(".u32",))


def test_long_lists_are_cut_and_typing_brings_the_rest() -> None:
    ranges = ".reg .b32 %x<100000>;\n"
    offered = check_completion(ranges + "add.u32 %r1, %x<|>")
    assert offered.is_incomplete
    assert len(offered.labels) < 200
    check_completion(ranges + "add.u32 %r1, %x7777<|>", has=("%x7777", "%x77770"))
    labels = "".join(f"L{number}: add.u32 %r1, %r2, 3;\n" for number in range(500))
    offered = check_completion(labels + "bra <|>;", "L499", "L500", "L498")
    assert offered.is_incomplete
    assert len(offered.labels) <= 204, "new labels are added"
    check_completion(labels + "bra L17<|>;", has=("L17", "L170"))


def test_many_functions() -> None:
    many = "".join(f".func f{number}() {{ ret; }}\n" for number in range(300))
    for body in (".entry k() { call <|>", ".entry k() { f<|>", ".alias <|>"):
        offered = check_completion(many + body, whole=True)
        assert offered.is_incomplete
    check_completion(many + ".entry k() { call f299<|>", "f299", whole=True)
    check_completion(many + ".entry k() { f299<|>", has=("call f299",), whole=True)
    check_completion(many + ".alias f29<|>", "f29", "f290", whole=True)


@pytest.mark.parametrize(
    ("marked", "has", "lacks"),
    [
        ("<|>", (".version", ".target"), (".maxntid",)),
        (".version <|>", ("9.5", "1.0"), ()),
        (".version 8.5\n.target <|>", ("sm_90a", "debug"), ("compute_90",)),
        (".version 8.5\n.target sm_90, <|>", ("texmode_unified",), ("sm_90",)),
        (".address_size <|>", ("32", "64"), ()),
        (".visible <|>", (".entry", ".func", ".global"), (".reg", ".maxntid")),
        (".visible .en<|>", (".entry", ".func", ".global"), (".version", ".extern")),
        (".extern .g<|>", (".func", ".global"), (".version", ".reg")),
        (".extern .shared <|>", (".b8", ".align"), (".maxntid", ".pred")),
        (".global .align 8 <|>", (".b8", ".texref", ".v4"), (".pred", ".align")),
        (".global .align <|>", (), (".b8",)),
        (".global .attribute(<|>", (".managed", ".unified"), (".b32",)),
        (".entry k(<|>", (".param",), (".b32", ".reg")),
        (".entry k(.param <|>", (".b64", ".align"), (".ptr", ".param")),
        (".entry k(.param .u64 <|>", (".ptr",), (".b32",)),
        (".entry k(.param .u64 .ptr <|>", (".global", ".align"), (".b32",)),
        (".entry k(.param .u64 a, <|>", (".param",), (".ptr",)),
        (".entry <|>", (), (".local_maxnreg", ".maxntid")),
        (".func (.param .b32 r) _<|>", (), (".abi_preserve",)),
        (".func (.param .b32 r) f <|>", (".noreturn",), ()),
        (".global .u32 v; .func f(); .global .u64 p = <|>", ("v", "f", "generic"), (".b32",)),
        (".global .u32 v; .func f(); .global .u64 p = generic(<|>", ("v",), ("f", ".unified")),
        (".global .u32 v; .shared .u32 s; .const .u64 p[2] = {v, <|>", ("v",), ("s",)),
        (".global .u32 v; .global .u64 p[2] = {<|>", ("v", "generic"), (".entry",)),
        (".global .u32 v; .global .f64 p[2] = {1.0, <|>", (), ("v", "generic")),
        (".entry k() .maxntid 1, <|>", (), (".minnctapersm",)),
        (".global .u32 v; .global .u64 p = 1<|>", (), ("v", "generic")),
        (".global .u32 v; .global .u16 p = <|>", (), ("v", "generic")),
        (".entry k() <|>", (".maxntid", ".pragma"), (".noreturn", ".maxnctapersm", ".entry")),
        (".entry k()\n.maxntid 32\n.<|>", (".minnctapersm",), (".maxntid", ".reqntid")),
        (".entry k()\n<|>\n{ ret; }", (".maxntid",), ("add",)),
        (".func f() <|>", (".noreturn",), (".maxntid",)),
        (".func (<|>", (".param", ".reg"), ()),
        ('.pragma "<|>', ("nounroll",), ("mma_throughput",)),
        (".section <|>", (".debug_info",), ()),
        (".entry k() { .reg <|>", (".pred", ".b32"), (".texref", ".align")),
        (".entry k() { .local <|>", (".b8", ".align"), (".pred",)),
        ('.entry k() { .pragma "<|>', ("nounroll", "mma_throughput"), ()),
        (".func f() { ret; } .func g();\n.alias <|>", ("f", "g"), ()),
        (".func f() { ret; } .entry k() { t: .calltargets <|>", ("f",), ()),
        (".entry k() { A: t: .branchtargets <|>", ("A",), ()),
    ],
)
def test_directives(marked: str, has: tuple[str, ...], lacks: tuple[str, ...]) -> None:
    check_completion(marked, has=has, lacks=lacks, whole=True)


def test_targets_of_the_module_s_version_come_first() -> None:
    check_completion(".version 7.8\n.target <|>", "sm_90", "sm_89", whole=True)
    offered = check_completion(".version 7.8\n.target <|>", has=("sm_100",), whole=True)
    assert "sm_100" not in offered.legal


def test_newest_version_first() -> None:
    check_completion(".version <|>", "9.5", "9.4", whole=True)


def test_directives_of_newer_versions_are_marked() -> None:
    offered = check_completion(".version 6.0\n.target sm_70\n.entry k() .<|>", whole=True)
    assert ".maxntid" in offered.legal
    assert ".reqnctapercluster" not in offered.legal


@pytest.mark.parametrize(
    ("marked", "label", "expected"),
    [
        ("ad<|>", "add", "**Adds"),
        (".re<|>", ".reg", "Registers: private to a thread"),
        (".reg .b<|>", ".b32", "32 untyped bits"),
        ("add.<|>", ".sat", "clamped"),
        ("add.s32 %r<|>", "%r3", "register, 32 untyped bits"),
        ("mov.u32 %r1, %ti<|>", "%tid.x", "threadIdx.x"),
        ("bra <|>;\nL: ret;", "L", "label on line"),
        ("war<|>", "warp sum", "shfl.sync.bfly.b32"),
        ('.pragma "<|>', "nounroll", "loop"),
    ],
)
def test_resolve(marked: str, label: str, expected: str) -> None:
    check_resolve(marked, label, expected)


def check_resolve(marked: str, label: str, expected: str) -> None:
    """The description of an item is computed when the user selects it."""
    item = check_completion(marked).items[label]
    assert not item.documentation
    fixture = parse_fixture(KERNEL.replace("BODY", marked))
    analysis = Analysis(Document.read(fixture.text))
    assert expected in str(resolve(item.data, analysis, fixture.cursor))


def test_resolve_of_anything_else() -> None:
    start = Position(0, 0)
    strange: tuple[object, ...] = (
        "",
        "opcode frob",
        "target sm_90x",
        "modifier",
        "version x",
        "symbol %r",
        None,
        7,
        {},
    )
    for data in strange:
        assert resolve(data, None, start) is None
        assert resolve(data, Analysis(Document.read("")), start) is None
    assert "Hopper" in str(resolve("target sm_90", None, start))
    assert "CUDA 12.5" in str(resolve("version 8.5", None, start))


def test_comments_for_ptx_ls() -> None:
    forms = ("ignore", "ignore-function", "ignore-file", "ignore-start", "ignore-end")
    for typed in ("// ptx-ls: <|>", "// ptx-ls: ignore-f<|>", "/* ptx-ls: i<|> */"):
        assert check_completion(f"ret; {typed}", *forms).labels == [*forms]
    for typed in ("[<|>", "[op<|>", "[op<|>] why", "[ret, op<|>]", "[operand-kind,  <|>", "[<|>]"):
        offered = check_completion(f"ret; // ptx-ls: ignore{typed}", has=("operand-width",))
        assert ("operand-kind" in offered.labels) is ("operand-kind" not in typed)
        assert not set(forms) & set(offered.labels)
    check_resolve("ret; // ptx-ls: ignore[op<|>", "operand-width", "Reports")
    for typed in ("// ptx-<|>", "// see ptx-ls: <|>", "// ptx-ls: ignore[x] op<|>", "// op<|>"):
        assert not check_completion(f"ret; {typed}").labels


def test_a_sampler_comes_before_the_coordinates_where_it_is_required() -> None:
    read = "tex.2d.v4.f32.f32 {%f1,%f2,%f3,%f4}, [t, <|>"
    for mode, first in (("", "{%f"), (", texmode_independent", "s")):
        found = check_completion(
            f".version 8.5\n.target sm_90{mode}\n.address_size 64\n.global .texref t;\n"
            f".global .samplerref s;\n.entry k() {{ .reg .f32 %f<9>; {read}",
            whole=True,
        )
        assert found.labels[0].startswith(first)


def test_details_of_modifiers_are_words() -> None:
    offered = check_completion("cvt.<|>")
    assert offered.items[".rn"].detail.startswith("Rounds to the nearest")


@pytest.mark.parametrize(
    ("marked", "first"),
    [
        ("mma.sync.aligned.<|>", (".m16n8k16", ".m16n8k8")),  # not `.m8n8k4` of sm_70
        ("ldmatrix.sync.aligned.m8n8.<|>", (".x4", ".x2", ".x1")),
        ("fence.<|>", (".acq_rel", ".proxy")),
        ("vote.sync.<|>", (".ballot",)),
        ("vote.<|>", (".sync",)),
        ("shfl.<|>", (".sync",)),
        ("red.<|>", (".global", ".shared", ".add")),
        ("mov.u32 %r1, %tid.x;\nst.<|>", (".global",)),
        ("mov.u32 %r1, %tid.x;\nmul.<|>", (".lo", ".wide")),
        ("mov.u32 %r1, %tid.x;\nadd.<|>", (".s32", ".u32")),
    ],
)
def test_what_real_code_uses_comes_first(marked: str, first: tuple[str, ...]) -> None:
    check_completion(marked, *first)


@pytest.mark.parametrize(
    ("marked", "label", "detail"),
    [
        ("cvt.<|>", ".s32", "Type of the result (32-bit signed integer)"),
        ("mma.sync.aligned.<|>", ".m16n8k16", "A is 16x16, B is 16x8, C and D are 16x8"),
    ],
)
def test_details_say_what_distinguishes_a_modifier(marked: str, label: str, detail: str) -> None:
    assert check_completion(marked).items[label].detail == detail
