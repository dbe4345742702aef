"""Tests of the rule early-grid-access, which is off by default."""

from __future__ import annotations

from tests.support.lint import check_rule

LOAD = "ld.global.b32 %r2, [%rd2];\n"
MARK = "^^^^^^^^^^^^^ early-grid-access: may run before earlier grids end\n"
WAIT = "griddepcontrol.wait;\n"


def check_body(*marked: str) -> None:
    """Fails unless exactly the marked diagnostics are reported of statements in a kernel."""
    head = "\nld.param.u64 %rd2, [parameter];\nsetp.eq.s32 %p1, %r1, 0;\n"
    check_rule("early-grid-access", f"{head}{''.join(marked)}ret;\n")


def test_loads_before_and_after_the_wait() -> None:
    check_body(LOAD, MARK, WAIT)
    check_body(WAIT, LOAD)
    check_body(LOAD)


def test_paths() -> None:
    check_body("@%p1 bra NEXT;\n", WAIT, "NEXT:\n", LOAD)
    check_body("@%p1 bra NEXT;\n", LOAD, MARK, "NEXT:\n", WAIT)


def test_barrier_with_a_thread_that_waited() -> None:
    check_body("@%p1 bra NEXT;\n", WAIT, "NEXT:\n", "bar.sync 0;\n", LOAD)
    check_body("bar.sync 0;\n", LOAD, MARK, WAIT)
