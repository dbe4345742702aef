"""Needs in words say what the gates of the data say."""

from __future__ import annotations

import random

import pytest

from ptx_ls.handbook.wording.availability import (
    AvailabilityFacts,
    needs_of,
    removals_of,
    requirements_in_words,
)
from ptx_ls.handbook.wording.expressions import Wording
from ptx_ls.handbook.wording.sentences import ending_sentence, need_sentence
from ptx_ls.isa import Context, Form, database, parse_target, parse_version, runs_on
from ptx_ls.isa.checking.gates import check_gates
from ptx_ls.isa.checking.verdict import ViolationKind
from ptx_ls.isa.notation.expression_scope import ExpressionScope
from ptx_ls.isa.notation.table import AvailabilityGate

VERSIONS = list(database().versions)
TARGETS = [name for name in database().targets if parse_target(name) is not None]


def is_met(need: AvailabilityFacts, version: tuple[int, int], target: str) -> bool:
    """Whether a module of this version and target meets a need."""
    actual = parse_target(target)
    assert actual is not None
    for alternative in need.alternatives:
        wanted = [parse_target(name) for name in alternative.targets]
        on_target = any(each is not None and runs_on(actual, each) for each in wanted)
        if version >= parse_version(alternative.version) and (on_target or not wanted):
            return True
    return False


def check_needs(form: Form, values: list[str], chance: random.Random) -> None:
    """The needs of a form with these modifiers agree with the judge's gates, here and there."""
    given = {slot.name: value for slot, value in zip(form.row.slots, values, strict=True)}
    needs = [
        need
        for need in needs_of(form.row.gates, Wording(form, given, ()))
        if need.enforced and not need.condition
    ]
    scope = ExpressionScope(values, form.types, form.row.tables)
    for _ in range(12):
        version, target = chance.choice(VERSIONS), chance.choice(TARGETS)
        found = check_gates(form.row, scope, Context(version, (target,)))
        is_judged_legal = all(
            violation.lenient or violation.kind is ViolationKind.REMOVED for violation in found
        )
        is_told_legal = all(is_met(need, version, target) for need in needs)
        assert is_told_legal == is_judged_legal, (form, given, version, target, needs)


@pytest.mark.parametrize("opcode", sorted(database().opcodes))
def test_needs_are_the_gates(opcode: str) -> None:
    chance = random.Random(opcode)  # noqa: S311  # a sample, no secret
    instruction = database().instruction(opcode)
    assert instruction is not None
    for form in instruction.forms:
        for _ in range(4):
            values = [
                chance.choice(("", *slot.values) if slot.optional else slot.values)
                for slot in form.row.slots
            ]
            if not any(gate.needs_operands for gate in form.row.gates):
                check_needs(form, values, chance)


@pytest.mark.parametrize(
    ("requirements", "expected"),
    [
        ([((8, 0), ((90, ""),))], "PTX ISA 8.0 and `sm_90` or newer"),
        ([((1, 0), ((13, ""),))], "`sm_13` or newer"),
        ([((2, 1), ())], "PTX ISA 2.1"),
        (
            [((8, 6), ((100, "a"), (110, "a"))), ((8, 8), ((100, "f"),))],
            "PTX ISA 8.6 on `sm_100a` or `sm_110a`, or PTX ISA 8.8 on the family `sm_100f`",
        ),
        ([((1, 0), ((10, ""),))], ""),
    ],
)
def test_requirements_in_words(
    requirements: list[tuple[tuple[int, int], tuple[tuple[int, str], ...]]], expected: str
) -> None:
    assert requirements_in_words(requirements) == expected


def test_sentences() -> None:
    instruction = database().instruction("shfl")
    assert instruction is not None
    legacy = instruction.forms[1]
    (need,) = needs_of(legacy.row.gates, Wording(legacy))
    assert need_sentence(need) == "Needs PTX ISA 3.0 and `sm_30` or newer."
    (ending,) = removals_of(legacy.row.until, Wording(legacy))
    assert ending_sentence(ending).startswith("Removed in PTX ISA 6.4 for `sm_70` and newer; ")


def test_a_need_that_another_one_includes_is_left_out() -> None:
    form = database().instruction("add").forms[0]  # type: ignore[union-attr]
    weak = AvailabilityGate(
        None, (((7, 0), ((80, ""),)),), lenient=False, needs_operands=False, note=""
    )
    strong = weak._replace(requirements=(((8, 0), ((90, "a"),)), ((8, 6), ((100, "f"),))))
    for gates in ([weak, strong], [strong, weak], [weak, strong, weak]):
        (need,) = needs_of(gates, Wording(form))
        assert [each.version for each in need.alternatives] == ["8.0", "8.6"]
    version = weak._replace(requirements=(((9, 0), ()),))
    (need,) = needs_of([weak, version], Wording(form))
    assert need.text == "PTX ISA 9.0 and `sm_80` or newer"
    exact = strong._replace(
        requirements=(((8, 6), ((120, "a"),)), ((8, 8), ((120, "a"), (100, "f"))))
    )
    (need,) = needs_of([exact], Wording(form))
    assert need.text == "PTX ISA 8.6 on `sm_120a`, or PTX ISA 8.8 on the family `sm_100f`"
    lenient = strong._replace(lenient=True)
    assert len(needs_of([weak, lenient], Wording(form))) == 2


def check_conditional(opcode: str, form_id: str, *expected: str) -> None:
    """The sentences about a form, those with a condition."""
    instruction = database().instruction(opcode)
    assert instruction is not None
    form = next(form for form in instruction.forms if form.id == form_id)
    sentences = map(need_sentence, needs_of(form.row.gates, Wording(form)))
    found = [each for each in sentences if " if " in each]
    for sentence in expected:
        assert sentence in found, found
        start = sentence.partition(": ")[0] + ": "
        same = [each for each in found if each.startswith(start) and "the manual" not in each]
        assert len(same) <= 1, same


def test_of_two_needs_under_one_condition_the_stronger_is_told() -> None:
    for opcode in ("ld", "st"):
        check_conditional(
            opcode, "mmio", "Needs PTX ISA 8.4 and `sm_70` or newer if `.type` is `.b128`."
        )
    check_conditional(
        "st", "async", "Needs PTX ISA 9.2 and `sm_90` or newer if `.type` is `.b128`."
    )


def test_a_case_that_needs_more_is_told_apart() -> None:
    check_conditional(
        "mbarrier",
        "test-wait",
        "Needs PTX ISA 8.0 if `.sem` is `.acquire`.",
        "Needs PTX ISA 8.6 and `sm_90` or newer if `.sem` is `.relaxed`.",
    )


def test_what_is_not_enforced_repeats_no_version_that_is() -> None:
    check_conditional(
        "ld",
        "relaxed",
        "Needs PTX ISA 7.8 if `.ss` is `.shared::cta`.",
        "Needs `sm_30` or newer if `.ss` is `.shared::cta` "
        "(according to the manual; ptxas does not check this).",
    )


@pytest.mark.slow
@pytest.mark.parametrize("opcode", sorted(database().opcodes))
def test_no_condition_is_told_twice(opcode: str) -> None:
    instruction = database().instruction(opcode)
    assert instruction is not None
    for form in instruction.forms:
        needs = [need for need in needs_of(form.row.gates, Wording(form)) if need.enforced]
        texts = [(need.condition, need.text) for need in needs if not need.note]
        conditions = [condition for condition, _ in texts if condition]
        assert len(conditions) == len(set(conditions)), texts


def test_condition_on_alternatives() -> None:
    text = "PTX ISA 8.7 on `sm_120a`, or PTX ISA 8.8 on the family `sm_120f`"
    need = AvailabilityFacts(text, (), "`.dtype` is `.f16`")
    assert need_sentence(need) == f"If `.dtype` is `.f16`, the instruction needs {text}."
