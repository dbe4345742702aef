"""Which errors ptxas has too when it only reads a module."""

from certify.reading_errors import reading_errors
from tests.support.lint import diagnostics, module


def check_reading_errors(statements: str, *rules: str) -> None:
    """Checks the rules of the errors that are left of those in a kernel."""
    found = reading_errors(diagnostics(module(statements)))
    assert [each.rule for each in found] == list(rules)


def test_errors_of_a_whole_compile_are_left_out() -> None:
    check_reading_errors("ld.global.u32 %r1, [%r2];")
    check_reading_errors("ld.global.u32 %r1, [%r2]; add.u32 %r1, %rd2, 1;", "operand-width")


def test_warnings_are_left_out() -> None:
    check_reading_errors("mov.b32 %r1, %r77;\n.loc 7 1 1\n", "undeclared-register")
