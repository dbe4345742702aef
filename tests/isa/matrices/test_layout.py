"""Matrix layouts: every fragment has one, covers its matrix, and agrees with known facts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import cache
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ptx_ls import isa
from ptx_ls.isa.checking.scalar_check import spec_count
from ptx_ls.isa.matrices.form_layouts import layouts_of, layouts_of_form
from ptx_ls.isa.matrices.layout import MatrixLayout
from ptx_ls.isa.matrices.swizzle import Swizzle, swizzles
from ptx_ls.isa.model import Form
from ptx_ls.isa.notation.expression import evaluate
from ptx_ls.isa.notation.expression_scope import ExpressionScope
from ptx_ls.isa.notation.formula import Formula, FormulaError
from ptx_ls.isa.notation.table import OperandRow, SpecRow

OPCODES = ("mma", "wgmma", "wmma", "ldmatrix", "stmatrix", "movmatrix", "tcgen05")
NO_FRAGMENTS = {"choice-a", "choice-b", "disable-output-lane"}
"""Vectors that are not parts of a matrix: selectors and masks."""
SINGLE_REGISTERS = {"e", "sp-meta", "scale-a", "scale-b"}
"""Registers that hold parts of a matrix."""
LARGE = 4096
"""The number of elements up to which a matrix is compared whole."""
MMA = "mma.sync.aligned"
SPARSE = "mma.sp.sync.aligned"
WGMMA = "wgmma.mma_async.sync.aligned"
MXF4 = ".kind::mxf4.block_scale.f32.e2m1.e2m1.f32.ue8m0"
FORMS = tuple(
    form
    for opcode in OPCODES
    if (instruction := isa.database().instruction(opcode)) is not None
    for form in instruction.forms
)


def check_layout(text: str, operand: str) -> MatrixLayout:
    """The layout of an operand of a statement's opcode and modifiers."""
    return layouts_of(*isa.split_modifiers(text))[operand]


def _vectors(operand: OperandRow) -> list[SpecRow]:
    return [spec for spec in operand.specs if spec.kind == "vec" and not spec.flags & {"lenient"}]


def _fragments(form: Form) -> list[str]:
    """Operands that hold parts of a matrix."""
    return [
        operand.name
        for operand in form.operands
        if _vectors(operand) and operand.name not in NO_FRAGMENTS
    ]


def _variants(form: Form) -> Iterator[dict[str, str]]:
    """Every combination of a form's modifiers that its rules allow."""
    choices = [
        (*slot.values, "") if slot.optional else slot.values
        for slot in form.row.slots
        if slot.name != "rnd"
    ]
    names = [slot.name for slot in form.row.slots if slot.name != "rnd"]
    for values in product(*choices):
        named = dict(zip(names, values, strict=True))
        scope = ExpressionScope(
            [named.get(slot.name, "") for slot in form.row.slots], form.types, form.row.tables
        )
        rules = (rule for rule in form.row.rules if not rule.needs_operands)
        if all(evaluate(rule.test, scope) for rule in rules):
            yield named


@cache
def _all_layouts() -> tuple[MatrixLayout, ...]:
    """The smallest and a large layout with each pair of formulas that any instruction has."""
    found: dict[tuple[str, ...], list[MatrixLayout]] = {}
    for form in FORMS:
        for values in _variants(form):
            for layout in layouts_of_form(form, values).values():
                formulas = (layout.row_formula, layout.column_formula, str(layout.copies))
                key = (*formulas, str(layout.supplier), str(layout.used))
                if layout.rows * layout.columns <= LARGE:
                    found.setdefault(key, []).append(layout)
    return tuple(
        choose(layouts, key=lambda layout: layout.rows * layout.columns)
        for layouts in found.values()
        for choose in (min, max)
    )


@pytest.mark.parametrize("form", FORMS, ids=lambda form: f"{form.opcode}-{form.id}")
def test_every_fragment_has_a_layout_of_as_many_registers(form: Form) -> None:
    fragments = _fragments(form)
    for values in _variants(form) if fragments else ():
        layouts = layouts_of_form(form, values)
        scope = ExpressionScope(
            [values.get(slot.name, "") for slot in form.row.slots], form.types, form.row.tables
        )
        for operand in form.operands:
            if operand.name in fragments:
                counts = {spec_count(spec, scope) for spec in _vectors(operand)}
                assert {layouts[operand.name].registers} == counts, (form.id, values, operand.name)
            elif operand.name in SINGLE_REGISTERS:
                assert layouts[operand.name].registers == 1


@pytest.mark.slow
def test_every_matrix_is_covered() -> None:
    for layout in _all_layouts():
        if layout.unspecified:
            continue
        selectors = (0, 1) if layout.supplier is not None else (0,)
        for selector in selectors:
            held = Counter({place: len(who) for place, who in layout.places(selector).items()})
            every = {
                (row, column): layout.copies
                for row in range(layout.rows)
                for column in range(layout.columns)
            }
            assert held == every, layout


def test_formulas_use_known_names_only() -> None:
    for layout in _all_layouts():
        for lane, index in ((0, 0), (layout.lanes - 1, layout.elements_per_lane - 1)):
            if not layout.unspecified and (layout.used is None or lane == 0):
                row, column = layout.element(lane, index)
                assert 0 <= row < layout.rows
                assert 0 <= column < layout.columns


@pytest.mark.parametrize(
    ("text", "operand", "lane", "elements"),
    [
        (f"{MMA}.m16n8k16.row.col.f32.f16.f16.f32", "a", 5, "1,2 1,3 9,2 9,3 1,10 1,11 9,10 9,11"),
        (f"{MMA}.m16n8k16.row.col.f32.f16.f16.f32", "b", 5, "2,1 3,1 10,1 11,1"),
        (f"{MMA}.m16n8k16.row.col.f32.f16.f16.f32", "d", 31, "7,6 7,7 15,6 15,7"),
        (f"{MMA}.m16n8k8.row.col.f32.tf32.tf32.f32", "a", 6, "1,2 9,2 1,6 9,6"),
        (f"{MMA}.m8n8k4.row.col.f64.f64.f64.f64", "b", 7, "3,1"),
        (f"{MMA}.m16n8k16.row.col.f64.f64.f64.f64", "b", 0, "0,0 4,0 8,0 12,0"),
        (f"{MMA}.m8n8k4.row.col.f32.f16.f16.f32", "c", 17, "5,0 5,1 7,0 7,1 5,4 5,5 7,4 7,5"),
        (f"{MMA}.m8n8k4.col.row.f32.f16.f16.f32", "a", 18, "4,2 5,2 6,2 7,2"),
        (f"{MMA}.m8n8k16.row.col.s32.u8.s8.s32", "a", 4, "1,0 1,1 1,2 1,3"),
        (f"{SPARSE}.m16n8k16.row.col.f16.f16.f16.f16", "a", 1, "0,2 0,3 8,2 8,3"),
        (f"{SPARSE}.m16n8k32.row.col.f32.bf16.bf16.f32", "e", 1, "0,4 0,5 0,6 0,7 8,4 8,5 8,6 8,7"),
        (f"{MMA}.m16n8k64.row.col{MXF4}", "scale-a", 5, "9,0 9,1"),
        (f"{MMA}.m16n8k64.row.col{MXF4}", "scale-b", 5, "0,1 1,1"),
        (f"{WGMMA}.m64n8k16.f32.f16.f16", "d", 33, "16,2 16,3 24,2 24,3"),
        ("ldmatrix.sync.aligned.m8n8.x2.shared.b16", "r", 6, "1,4 1,5 9,4 9,5"),
        ("ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16", "r", 6, "4,1 5,1 12,1 13,1"),
        ("movmatrix.sync.aligned.m8n8.trans.b16", "d", 9, "2,2 3,2"),
        ("tcgen05.ld.sync.aligned.32x32b.x2.b32", "r", 9, "9,0 9,1"),
        ("tcgen05.ld.sync.aligned.16x64b.x2.b32", "r", 3, "8,1 8,3"),
        ("tcgen05.ld.sync.aligned.16x64b.x1.pack::16b.b32", "r", 3, "8,2 8,3"),
        ("tcgen05.ld.sync.aligned.16x128b.x1.b32", "r", 9, "2,1 10,1"),
        ("tcgen05.st.sync.aligned.16x256b.x1.b32", "r", 9, "2,2 2,3 10,2 10,3"),
    ],
)
def test_known_places(text: str, operand: str, lane: int, elements: str) -> None:
    layout = check_layout(text, operand)
    found = [layout.element(lane, index) for index in range(layout.elements_per_lane)]
    assert " ".join(f"{row},{column}" for row, column in found) == elements


def test_four_quarters_loaded_make_a_fragment_of_a() -> None:
    """The well-known use of `ldmatrix.x4`: matrices 0 to 3 are the quarters of A, by columns."""
    loaded = check_layout("ldmatrix.sync.aligned.m8n8.x4.shared.b16", "r")
    fragment = check_layout("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32", "a")
    for lane, index in product(range(32), range(8)):
        row, column = loaded.element(lane, index)
        quarter = row // 8
        moved = (row % 8 + 8 * (quarter % 2), column + 8 * (quarter // 2))
        assert fragment.element(lane, index) == moved


def test_rows_of_b_loaded_transposed_make_a_fragment_of_b() -> None:
    loaded = check_layout("ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16", "r")
    fragment = check_layout("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32", "b")
    for lane, index in product(range(32), range(4)):
        assert fragment.element(lane, index) == loaded.element(lane, index)


def test_bytes_loaded_transposed_make_a_fragment_of_b() -> None:
    """Sixteen rows of k and sixteen columns of n: two fragments of B of `.m16n8k16` for bytes."""
    loaded = check_layout("ldmatrix.sync.aligned.m16n16.x1.trans.shared.b8", "r")
    fragment = check_layout("mma.sync.aligned.m16n8k16.row.col.s32.s8.s8.s32", "b")
    for lane, index in product(range(32), range(8)):
        row, column = fragment.element(lane, index % 4)
        assert loaded.element(lane, index) == (row, column + 8 * (index // 4))


def test_sums_of_two_products_are_a_fragment_of_a() -> None:
    """Chains of products rely on this: two neighbouring D are the next A."""
    sums = check_layout("mma.sync.aligned.m16n8k16.row.col.f16.f16.f16.f16", "d")
    fragment = check_layout("mma.sync.aligned.m16n8k16.row.col.f16.f16.f16.f16", "a")
    for lane, index in product(range(32), range(8)):
        row, column = sums.element(lane, index % 4)
        assert fragment.element(lane, index) == (row, column + 8 * (index // 4))


def test_bytes_stored_transposed_are_sums() -> None:
    stored = check_layout("stmatrix.sync.aligned.m16n8.x1.trans.b8", "r")
    sums = check_layout("mma.sync.aligned.m16n8k16.row.col.f16.f16.f16.f16", "d")
    for lane, index in product(range(32), range(4)):
        assert stored.element(lane, index) == sums.element(lane, index)[::-1]


def test_a_warpgroup_is_four_warps() -> None:
    whole = check_layout("wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16", "a")
    part = check_layout("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32", "a")
    for lane, index in product(range(128), range(8)):
        row, column = part.element(lane % 32, index)
        assert whole.element(lane, index) == (row + lane // 32 * 16, column)


def test_metadata_of_long_products_is_that_of_two_short_ones() -> None:
    short = check_layout("mma.sp.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32", "e")
    long = check_layout("mma.sp.sync.aligned.m16n8k64.row.col.s32.s8.s8.s32", "e")
    whole = long.places()
    for half in (0, 1):
        for (row, column), places in short.places(half).items():
            assert whole[row, column + 8 * half] == places


def test_the_manual_names_no_layout_for_wmma() -> None:
    layout = check_layout("wmma.mma.sync.aligned.row.col.m16n16k16.f32.f32", "a")
    assert layout.unspecified
    assert layout.registers == 8
    assert layout.row_formula == ""
    assert layout.table(1, 1) == [[""]]
    with pytest.raises(LookupError):
        layout.element(0, 0)


def test_formulas_read_as_in_the_manual() -> None:
    layout = check_layout("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32", "a")
    assert layout.row_formula == "lane / 4 + 8 * (i / 2 % 2)"
    assert layout.column_formula == "2 * (lane % 4) + i % 2 + 8 * (i / 4)"
    assert layout.table(2, 3) == [
        ["T0 r0.0", "T0 r0.1", "T1 r0.0"],
        ["T4 r0.0", "T4 r0.1", "T5 r0.0"],
    ]


def test_stored_elements_stand_for_a_chunk() -> None:
    layout = check_layout("mma.sp.sync.aligned.m16n8k16.row.col.f16.f16.f16.f16", "a")
    assert [layout.span(column) for column in range(3)] == [range(4), range(4), range(4, 8)]
    metadata = check_layout("mma.sp.sync.aligned.m16n8k16.row.col.f16.f16.f16.f16", "e")
    assert [lane for lane in range(8) if metadata.supplies(lane, 3)] == [3, 7]


def test_no_matrix_no_layout() -> None:
    assert layouts_of("add", (".u32",)) == {}
    assert layouts_of("nosuch", ()) == {}
    assert layouts_of("mma", (".sync",)) == {}


def test_what_no_modifier_decides_has_a_layout_each() -> None:
    found = layouts_of("tcgen05", (".mma", ".cta_group::1", ".kind::f16"))
    assert list(found) == ["d-tmem (M = 128)", "d-tmem (M = 64)"]
    half = found["d-tmem (M = 64)"]
    assert half.element(32, 5) == (16, 5)
    with pytest.raises(LookupError):
        half.element(16, 0)


@pytest.mark.parametrize("swizzle", swizzles(), ids=lambda swizzle: swizzle.name)
def test_swizzling_moves_chunks_within_its_pattern(swizzle: Swizzle) -> None:
    moved = [swizzle.apply(offset) for offset in range(swizzle.repeat)]
    assert sorted(moved) == list(range(swizzle.repeat))
    assert all(there // 128 == here // 128 for here, there in enumerate(moved))
    assert [swizzle.apply(there) for there in moved] == list(range(swizzle.repeat))


@pytest.mark.parametrize(
    ("text", "names", "value"),
    [("7 / 2 * 2 % 4", {}, 2), ("a - b - 1", {"a": 5, "b": 2}, 2), ("(a == 3) * 4", {"a": 3}, 4)],
)
def test_formula_values(text: str, names: dict[str, int], value: int) -> None:
    assert Formula.parse(text).value(names) == value


@pytest.mark.parametrize("text", ["", "1 +", "(1", "1 2", "a ? b", "* 2", "nosuch", "1 / 0"])
def test_formula_mistakes(text: str) -> None:
    with pytest.raises(FormulaError):
        Formula.parse(text).value({})


def _formulas() -> st.SearchStrategy[str]:
    atoms = st.one_of(st.integers(0, 20).map(str), st.sampled_from(["lane", "i", "e"]))
    return st.recursive(
        atoms,
        lambda inner: st.one_of(
            st.tuples(inner, st.sampled_from("+*"), inner),
            st.tuples(inner, st.sampled_from("/%"), st.integers(1, 40)),
        ).map(lambda parts: "({} {} {})".format(*parts)),
        max_leaves=8,
    )


@given(_formulas(), st.integers(0, 31), st.integers(0, 7), st.sampled_from([1, 2, 4, 8, 32]))
def test_simpler_formulas_have_the_same_value(text: str, lane: int, i: int, e: int) -> None:
    names = {"lane": lane, "i": i, "e": e}
    simpler = Formula.parse(text).given({"e": e}, {"lane": (0, 31), "i": (0, 7)})
    assert Formula.parse(str(simpler)).value(names) == Formula.parse(text).value(names)
