"""Conditions of rules and gates, reduced to what matters in a form, and worded."""

from pathlib import Path

import pytest

from ptx_ls.handbook.wording.expressions import Wording
from ptx_ls.handbook.wording.partial_evaluation import SlotValues
from ptx_ls.isa import Form, Instruction, database
from ptx_ls.isa.load import DATA_DIRECTORY
from ptx_ls.isa.model import Prose
from ptx_ls.isa.notation.build import read_shared
from ptx_ls.isa.notation.compiler import compile_instruction
from ptx_ls.isa.notation.expression import evaluate
from ptx_ls.isa.notation.expression_functions import FUNCTION_NAMES, INSPECTION_NAMES
from ptx_ls.isa.notation.expression_scope import ExpressionScope
from ptx_ls.source.english import listed

TYPES = ".u16 .u32 .s32 .f32 .f64"


def form_with(rule: str) -> Form:
    """The form of an instruction that has this rule."""
    data = {
        "name": "op",
        "sets": {"type": TYPES, "rnd": ".rn .rz"},
        "common": {"ops": {"d": "reg .type", "a": "val .type", "b": "val .type"}},
        "form": [
            {"id": "one", "syntax": "op{.sat}{.rnd}.type d, a{, b}", "rules": [rule]},
            {"id": "two", "syntax": "op.other.type d, a, c", "ops": {"c": "reg .type"}},
        ],
    }
    rows, _ = compile_instruction(data, read_shared(Path(DATA_DIRECTORY)))
    return Instruction("op", rows, frozenset(), lambda: Prose({}), database()).forms[0]


def check_words(rule: str, expected: object, given: dict[str, str] | None = None) -> None:
    form = form_with(rule)
    assert Wording(form, given).condition(form.row.rules[0].test) == expected


@pytest.mark.parametrize(
    ("rule", "expected"),
    [
        (".sat", "`.sat` is given"),
        (".rnd", "`.rnd` is given"),
        ("!.rnd", "`.rnd` is absent"),
        (".type in {.f32,.f64}", "`.type` is `.f32` or `.f64`"),
        (".type notin {.f32,.f64}", "`.type` is neither `.f32` nor `.f64`"),
        (".rnd in {none,.rn}", "`.rnd` is absent or `.rn`"),
        ("bits(.type) == 16", "`.type` is `.u16`"),
        ("isfloat(.type)", "`.type` is `.f32` or `.f64`"),
        (".sat => .type in {.f32}", "if `.sat` is given, then `.type` is `.f32`"),
        ("?b <=> .sat", "operand `b` is given if and only if `.sat` is given"),
        (".sat & .rnd", "`.sat` and `.rnd` are given"),
        (".sat | .rnd", "`.sat` or `.rnd` is given"),
        ("!.sat & !.rnd", "`.sat` and `.rnd` are absent"),
        ("!(.sat & .rnd)", "`.sat` and `.rnd` are not given together"),
        ("isimm(a) == 1", "`a` is a constant"),
        ("isreg(a) != 1", "`a` is not a register"),
        ("typeof(a) in {.f32} & isreg(a) == 1", "`a` is a register of type `.f32`"),
        ("value(a) <= 31", "the value of `a` is at most 31"),
        (".sat => !?b", "if `.sat` is given, then operand `b` is absent"),
        ("spaceof(a) in {none}", "the state space of `a` is unknown"),
        ("?b & isimm(b) == 1", "`b` is a constant"),
        ("?b & isimm(b) != 1", "operand `b` is given and `b` is not a constant"),
        (
            "?b & (isimm(b) == 1 | .sat)",
            "operand `b` is given and (`b` is a constant or `.sat` is given)",
        ),
        (
            "?b & (isvec(b) == 1 | isreal(b) == 1 | typeof(b) in {.f32,.b32}) | .sat",
            (
                "`b` is a vector or a floating-point literal, or the type of `b` "
                "is `.b32` or `.f32`, or `.sat` is given"
            ),
        ),
        (
            ".sat | ?b & (isimm(b) == 1 | isvec(b) == 1)",
            "`.sat` is given or `b` is a constant or a vector",
        ),
        ("?b & .sat", "operand `b` and `.sat` are given"),
        ("isname(a) == 1 & hasoffset(a) != 1", "`a` is a name and not written with an offset"),
    ],
)
def test_words(rule: str, expected: str) -> None:
    check_words(rule, expected)


@pytest.mark.parametrize(
    ("rule", "expected"),
    [
        (".type in {.f32,.f64}", "`.type` must be `.f32` or `.f64`"),
        (".rnd notin {.rn}", "`.rnd` must be absent or `.rz`"),
        (".type notin {.f32,.f64}", "`.type` must be neither `.f32` nor `.f64`"),
        (".sat => .rnd", "if `.sat` is given, then `.rnd` must be given"),
        (".sat => !?b", "if `.sat` is given, then operand `b` must be absent"),
        ("?b <=> .sat", "operand `b` must be given if and only if `.sat` is given"),
        ("!(.sat & .rnd)", "`.sat` and `.rnd` must not be given together"),
        ("value(a) <= 31", "the value of `a` must be at most 31"),
        ("value(a) == 0 | value(a) == 2", "the value of `a` must be 0 or 2"),
    ],
)
def test_requirement(rule: str, expected: str) -> None:
    form = form_with(rule)
    assert Wording(form).requirement(form.row.rules[0].test) == expected


@pytest.mark.parametrize(
    ("rule", "expected"),
    [
        (".other", False),
        (".other => .sat", True),
        (".type in {.b8}", False),
        (".type in {.u16,.u32,.s32,.f32,.f64}", True),
        ("?c", False),
        ("?a", True),
        ("bits(.type) <= 64", True),
        (".other | .sat", "`.sat` is given"),
        ("?c <=> .sat", "`.sat` is absent"),
    ],
)
def test_what_a_form_cannot_have_is_left_out(rule: str, expected: object) -> None:
    check_words(rule, expected)


def test_given_modifiers_decide() -> None:
    rule = ".sat => .type in {.f32}"
    check_words(rule, expected=True, given={"type": ".f32"})
    check_words(rule, "`.sat` is absent", given={"type": ".u32"})
    check_words(rule, "`.type` is `.f32`", given={"sat": ".sat"})


def test_what_is_reduced_means_the_same() -> None:
    """For every rule and gate of the data, over some combinations of modifiers."""
    for opcode in sorted(database().opcodes):
        instruction = database().instruction(opcode)
        assert instruction is not None
        for form in instruction.forms:
            check_meaning(form)


def check_meaning(form: Form) -> None:
    known = SlotValues(form)
    conditions = [rule.test for rule in form.row.rules if not rule.needs_operands]
    gates = (*form.row.gates, *form.row.until, *form.row.deprecated)
    conditions += [
        gate.condition for gate in gates if gate.condition is not None and not gate.needs_operands
    ]
    for shift in range(7):
        values = [each[shift % len(each)] for each in known.values]
        scope = ExpressionScope(values, form.types, form.row.tables)
        for condition in conditions:
            reduced = known.reduced(condition)
            found = reduced if isinstance(reduced, bool) else bool(evaluate(reduced, scope))
            assert found == bool(evaluate(condition, scope)), (form, condition, values)


def test_every_function_has_words() -> None:
    for name in FUNCTION_NAMES:
        words = Wording(form_with(".sat")).number(("call", name, (("slot", 2),)))
        assert "`.type`" in words
    for name in INSPECTION_NAMES - {"iskind"}:
        words = Wording(form_with(".sat")).words(("inspect", name, "a"))
        assert "`a`" in words


@pytest.mark.parametrize(("words", "expected"), [("", ""), ("a", "a"), ("abc", "a, b or c")])
def test_lists(words: str, expected: str) -> None:
    assert listed(words) == expected
