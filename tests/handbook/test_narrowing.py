"""The page of an opcode with modifiers has only the lines that may concern these modifiers."""

from __future__ import annotations

import pytest

from ptx_ls.handbook.instructions import InstructionFacts, instruction_facts
from ptx_ls.isa.database import database
from ptx_ls.syntax.dotted import modifiers_of


def check_facts(name: str) -> InstructionFacts:
    opcode = name.partition(".")[0]
    instruction = database().instruction(opcode)
    assert instruction is not None
    found = instruction_facts(instruction, modifiers_of(name))
    assert found is not None
    return found


@pytest.mark.parametrize(
    ("name", "present", "absent"),
    [
        ("mbarrier.try_wait", "if .try_wait and phaseParity", "if .init"),
        ("mbarrier.try_wait", "if reportValue", "if .complete_tx"),
        ("mbarrier.init", "if .init", "if .try_wait"),
        ("cp.async.bulk.tensor", "if .bulk_group", "if .wait_all"),
        ("cp.async.bulk.tensor", "if mbar and no size", "if mbar and size"),
        ("cp.async.wait_group", "if .wait_group and no .read", "if .wait_group and .read"),
        ("cvt.rzi.s32.f32", "if .dtype is an integer type", "if .dtype is a floating-point type"),
        ("mul.wide", "if b and .wide", "if b and float"),
        ("setp.lt.s32", "if q and no c", "if packed"),
        ("bfe.u32", "if unsigned", "if signed"),
        ("mbarrier", "if .init", "if .nothing"),
    ],
)
def test_semantics(name: str, present: str, absent: str) -> None:
    semantics = check_facts(name).semantics
    assert present in semantics
    assert absent not in semantics


def test_pitfalls() -> None:
    assert any("`.noComplete`" in each for each in check_facts("mbarrier.arrive").pitfalls)
    assert not any("`count`" in each for each in check_facts("mbarrier.try_wait").pitfalls)
