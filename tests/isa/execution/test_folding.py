"""Constants that are computed in pseudo-code."""

import pytest

from ptx_ls.isa.execution.folding import fold
from ptx_ls.isa.execution.tree import map_statement
from tests.isa.execution.variants import cases, executable_opcodes


@pytest.mark.slow
@pytest.mark.parametrize("opcode", executable_opcodes())
def test_nothing_is_left_to_compute(opcode: str) -> None:
    # So hover computes nothing where an instruction has registers alone.
    programs = [case.program for case in cases(opcode)]
    statements = {
        each for program in programs if program is not None for each in program.statements
    }
    assert statements
    for statement in statements:
        assert map_statement(statement, fold) == statement
