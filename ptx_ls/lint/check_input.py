"""The input of a check, and which functions it is for."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

from ptx_ls.isa import ViolationKind
from ptx_ls.lint.calls.call_summary import NO_BODIES, NO_SUMMARIES
from ptx_ls.source.named_tuple import NamedTuple

if TYPE_CHECKING:
    from ptx_ls.document.function import Function
    from ptx_ls.lint.calls.call_summary import CalledBodies, CallSummaries
    from ptx_ls.semantics.instructions.instruction_checker import InstructionChecker
    from ptx_ls.semantics.problems.instructions import MisplacedInstruction
    from ptx_ls.semantics.problems.mismatch import Mismatch
    from ptx_ls.semantics.symbols.module import ModuleFacts
    from ptx_ls.semantics.symbols.region import RegionFacts
    from ptx_ls.semantics.symbols.region_text import RegionText


class CheckInput(NamedTuple):
    """A function to check. It is immutable, so threads may share it.

    `number`: its number in the module. `is_inside`: whether the body of the previous function is
    never closed, so that this function may contain the rest of it. `is_last`: whether it is the
    last function of the document. `is_generated`: whether a compiler wrote the module.
    `unused`: the names at module scope that nothing in the module can use.
    `calls`: the summaries of device functions by their names; none in compiler output.
    `bodies`: what rules about threads see in place of calls.
    `outside`: instructions that are outside of functions.
    """

    text: RegionText
    facts: RegionFacts
    module: ModuleFacts
    number: int
    function: Function
    checker: InstructionChecker
    is_inside: bool = False
    is_last: bool = True
    is_generated: bool = False
    unused: frozenset[str] = frozenset()
    calls: CallSummaries = NO_SUMMARIES
    bodies: CalledBodies = NO_BODIES
    outside: tuple[MisplacedInstruction, ...] = ()


Check = Callable[[CheckInput], Iterable["Mismatch"]]
"""Finds mismatches in a function; their positions are relative to its start."""

Candidates = Callable[[CheckInput], object]
"""Returns something true if a function may have mismatches of some kind."""

Trigger = type[Any] | ViolationKind
"""A class of mismatches, or a kind of violation of the ISA."""


class RegisteredCheck(NamedTuple):
    """A check of a function, and the names of the triggers of the mismatches that it may find.

    They are names because the classes take time to import.
    """

    run: Check
    finds: tuple[str, ...]


def trigger_name(trigger: Trigger) -> str:
    """Returns the name of a class of mismatches, or of a kind of violation."""
    return trigger.name if isinstance(trigger, ViolationKind) else trigger.__name__


class Instructions:
    """Selects the functions that contain an instruction with one of `opcodes`.

    An opcode may have modifiers: `ld.nc` selects every `ld` that has `.nc` among its modifiers, and
    `.param` is one of `ld.param::func`, too.
    Without opcodes, it selects all functions.
    """

    __slots__ = ("opcodes",)

    def __init__(self, *opcodes: str) -> None:
        self.opcodes = opcodes
