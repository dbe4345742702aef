"""The opcodes of instructions that several threads execute together are those in the database."""

from __future__ import annotations

from ptx_ls import isa
from ptx_ls.isa.memory_events import memory_events
from ptx_ls.lint.collectives.kinds import BARRIERS, MASKED, WHOLE_WARP

ALONE = frozenset({"thread"})


def check_opcodes(opcodes: tuple[str, ...], *executed_by: str) -> None:
    """The opcodes are those with a form that some threads have to execute together."""
    found = {name for name, groups in _groups().items() if not groups.isdisjoint(executed_by)}
    assert set(opcodes) == found


def _groups() -> dict[str, frozenset[str]]:
    """Returns who has to execute the forms of each instruction, but not single threads."""
    database = isa.database()
    found: dict[str, frozenset[str]] = {}
    for name in database.opcodes:
        instruction = database.instruction(name)
        assert instruction is not None
        words = {
            memory_events(
                instruction,
                form,
                {each.name: each.values[at] for each in form.row.slots},
                operands,
            ).executed_by
            for form in instruction.forms
            for at in (0, -1)
            for operands in (None, ())
        }
        found[name] = frozenset(words) - ALONE
    return found


def test_barriers() -> None:
    check_opcodes(BARRIERS, "cta", "cluster")


def test_instructions_with_masks() -> None:
    check_opcodes(MASKED, "members")


def test_instructions_of_whole_warps() -> None:
    check_opcodes((*WHOLE_WARP, *BARRIERS), "warp", "live warp", "warpgroup")
