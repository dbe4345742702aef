"""Constants that are computed in pseudo-code."""

import pytest

from ptx_ls.isa.execution.folding import fold
from ptx_ls.isa.execution.parser import parse_expression
from ptx_ls.isa.execution.printer import print_expression
from ptx_ls.isa.execution.specialize import with_names
from ptx_ls.isa.execution.tree import LaneNumber, map_statement
from tests.isa.execution.variants import cases, executable_opcodes


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        ("lane <= 31", "1"),
        ("lane <= 30", "lane <= 30"),
        ("(lane ^ 16) <= 31", "1"),
        ("(lane | 32) <= 62", "(lane | 32) <= 62"),
        ("(lane & 7) <= 7", "1"),
        ("(a & 7) <= 7", "1"),
        ("(a & 8) <= 7", "(a & 8) <= 7"),
        ("(a & -4) >= 0", "(a & -4) >= 0"),
        ("a[4:0] <= 31", "1"),
        ("a[4:0] >= 0", "1"),
        ("a[5:0] <= 31", "a[5:0] <= 31"),
        ("lane - 4 >= 0", "lane - 4 >= 0"),
        ("a <= 31", "a <= 31"),
    ],
)
def test_comparisons_that_the_range_decides(written: str, expected: str) -> None:
    names = {"lane": LaneNumber("lane")}
    assert print_expression(fold(with_names(parse_expression(written), names.get))) == expected


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
