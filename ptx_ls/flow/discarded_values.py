"""Decides whether the value of a register without a value is thrown away, so that it does no harm.

A compiler leaves a value undefined where `selp` does not choose it, and where it is only copied, as
padding or as an unset member of a structure. People do the same in the first iteration of a loop.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ptx_ls.flow.conditions import combined_with
from ptx_ls.flow.slices.affected_bits import ALL, affected_bits
from ptx_ls.source.named_tuple import NamedTuple
from ptx_ls.syntax.record import Shape
from ptx_ls.syntax.register_events import GUARDS, READS, WRITES
from ptx_ls.syntax.written.operands import written_operands

if TYPE_CHECKING:
    from ptx_ls.flow.compared_numbers import Literal
    from ptx_ls.flow.function_flow import FunctionFlow

_SELECT: Final = "selp"
_PURE: Final = frozenset(
    {
        *("abs", "add", "and", "bfe", "bfi", "brev", "clz", "cnot", "copysign", "cos", "cvt"),
        *("div", "dp2a", "dp4a", "ex2", "fma", "fns", "lg2", "lop3", "mad", "max", "min", "mov"),
        *("mul", "neg", "not", "or", "popc", "prmt", "rcp", "rem", "rsqrt", "sad", "selp", "set"),
        *(
            "setp",
            "shf",
            "shfl",
            "shl",
            "shr",
            "sin",
            "slct",
            "sqrt",
            "sub",
            "tanh",
            "testp",
            "xor",
        ),
    }
)
"""Opcodes that only compute a result from their operands."""
_COMBINING: Final = ("setp", "and", "or")
"""Opcodes that may combine predicates."""
_CHOICES: Final = 2
"""Number of operands between which `selp` chooses."""
_FLOATS: Final = ("f", "bf", "tf", "e")
"""The beginnings of types of floating-point numbers."""
_MOVING: Final = frozenset({"and", "bfe", "bfi", "cvt", "mov", "or", "prmt", "shl", "shr"})
"""Those of them that only move bits if they have no type of a floating-point number."""
_PARAMETER: Final = ".param"
_CARRY: Final = ".cc"
_BYTE: Final = ("b8", "u8", "s8")
_MAX_INSTRUCTIONS: Final = 64
"""Number of instructions that a value is followed through."""


class _Reached(NamedTuple):
    """A read of what comes from the missing value.

    `is_copied`: whether it is the value itself, or bits of it. `is_packed`: whether other values
    are next to it. `bits`: the mask of the bits of the register that come from it.
    """

    read: int
    is_copied: bool = True
    is_packed: bool = False
    bits: int = ALL


def is_discarded(
    flow: FunctionFlow,
    use: int,
    *,
    is_generated: bool,
    is_always: bool = False,
    only_selected: bool = False,
) -> bool:
    """Whether the value that a register does not have at a use is surely thrown away.

    All instructions that may read it then are followed.

    `is_always`: whether to follow only those that never find a value when they first run: others
    may depend on the condition under which the register has one.

    `is_generated`: whether a compiler wrote the function, which may copy padding, and leave results
    that nothing reads.

    `only_selected`: whether it counts only if a `selp` may choose another value instead.
    """
    reads = flow.reads_of_entry(flow.uses.codes[use])
    ignored = {*flow.trace.unset}.difference(flow.trace.never) if is_always else frozenset[int]()
    reached = [each for each in reads if each not in ignored]
    follower = _DiscardedValues(flow, is_generated=is_generated)
    if not follower.follow(reached):
        return False
    if only_selected:
        return follower.is_selected
    return is_generated or follower.is_selected or follower.is_cut_off or follower.is_guarded


class _DiscardedValues:
    """Follows a missing value through the instructions that read it."""

    def __init__(self, flow: FunctionFlow, *, is_generated: bool) -> None:
        self._flow, self._is_generated = flow, is_generated
        self.is_selected = False
        """Whether a `selp` may choose another value instead."""
        self.is_cut_off = False
        """Whether an instruction does not use the bits of its operand that it is in."""
        self.is_guarded = False
        """Whether an instruction with an effect runs only if the register has a value."""
        self._selects: dict[int, set[int]] = {}
        self._sources: dict[int, list[int]] = {}

    def follow(self, reads: list[int]) -> bool:
        """Whether no instruction has an effect that depends on what some uses read."""
        flow, seen = self._flow, set[tuple[int, bool, bool, int]]()
        effects: list[int] = []
        waiting = [_Reached(each) for each in reads]
        while waiting:
            reached = waiting.pop()
            shape = flow.statement(reached.read).record
            if len(seen) > _MAX_INSTRUCTIONS or not isinstance(shape, Shape):
                return False
            key = flow.index.first(reached.read), *reached[1:]
            if key in seen or self._is_left_out(reached.read, shape) or self._is_moot(reached.read):
                continue
            seen.add(key)
            if not (self._is_generated and self._is_harmless(reached, shape)):
                results = _results(flow, reached.read, shape)
                if not results:
                    effects.append(reached.read)
                bits, following = _bits_after(flow, reached), _after(reached, shape)
                for each in results:
                    self._sources.setdefault(each, []).append(reached.read)
                    following = following._replace(bits=bits.get(flow.name_of(each), ALL))
                    if following.bits:
                        waiting += [following._replace(read=read) for read in flow.readers(each)]
                    else:
                        self.is_cut_off = True
        if any(flow.may_get_unset(each, self._sources) for each in effects):
            return False
        self.is_guarded |= bool(effects)
        return True

    def _is_moot(self, read: int) -> bool:
        """Whether a use is an operand of `and` or `or` that matters only if it has a value."""
        facts = _when_needed(self._flow, read)
        is_moot = bool(facts) and not self._flow.may_get_unset(read, self._sources, facts)
        self.is_guarded |= is_moot
        return is_moot

    def _is_left_out(self, read: int, shape: Shape) -> bool:
        """Whether a use is an operand of a `selp`, and the other one has not been reached."""
        flow = self._flow
        if shape.name != _SELECT or flow.uses.ways[read] & GUARDS or _is_condition(flow, read):
            return False
        self.is_selected = True
        operands = self._selects.setdefault(flow.index.first(read), set())
        operands.add(read)
        return len(operands) < _CHOICES

    def _is_harmless(self, reached: _Reached, shape: Shape) -> bool:
        """Whether an instruction stores padding, or copies a register that other paths write.

        At the start of a loop, a compiler that does not optimise copies all variables, of which
        some have no value in the first iteration. An argument may be a structure, and the caller
        may leave members unset that the function does not need.
        """
        if shape.name == "st":
            if _is_member(self._flow, reached.read, shape):
                return reached.is_copied
            is_byte = shape.opcode.rpartition(".")[2] in _BYTE
            is_padding = is_byte or _is_fourth(self._flow, reached.read)
            return reached.is_packed or (reached.is_copied and is_padding)
        if shape.name != "mov":
            return False
        definitions = self._flow.definitions(reached.read)
        return len(definitions.writes) + definitions.from_entry > 1


def _when_needed(flow: FunctionFlow, read: int) -> tuple[Literal, ...]:
    """Returns what holds if the result of an instruction depends on a use; empty: it always may."""
    found, uses = flow.statement(read), flow.uses
    if not isinstance(found.record, Shape) or found.record.name not in _COMBINING:
        return ()
    codes = {flow.name_of(each): uses.codes[each] for each in flow.index.statement(read)}
    return combined_with(found, codes, uses.codes[read])


def _is_fourth(flow: FunctionFlow, read: int) -> bool:
    """Whether a use is the last of four values that are stored, which pads three to a vector."""
    found, name = flow.statement(read), flow.name_of(read)
    assert isinstance(found.record, Shape)  # noqa: S101  for mypy
    *_, stored = written_operands(found.record, found.text)
    *others, last = ("", *(each.text for each in stored.elements))
    return len(others) == len(("", 1, 2, 3)) and last == name and name not in others


def _is_member(flow: FunctionFlow, read: int, shape: Shape) -> bool:
    """Whether a use is one of several values that are stored in an argument or a result."""
    if _PARAMETER not in shape.opcode:
        return False
    found, name = flow.statement(read), flow.name_of(read)
    *_, stored = written_operands(shape, found.text)
    return name in (each.text for each in stored.elements)


def _after(reached: _Reached, shape: Shape) -> _Reached:
    """Returns what the readers of an instruction's results read."""
    modifiers = shape.opcode.split(".")[1:]
    is_copied = reached.is_copied and shape.name in _MOVING
    if shape.name != "mov":
        is_copied = is_copied and not any(each.startswith(_FLOATS) for each in modifiers)
    is_pack = shape.name == "mov" and modifiers[-1] == "b64" and shape.text.endswith("};")
    return _Reached(-1, is_copied, is_copied and (reached.is_packed or is_pack))


def _bits_after(flow: FunctionFlow, reached: _Reached) -> dict[str, int]:
    """Returns the bits of the results of an instruction that come from the missing value."""
    found = flow.statement(reached.read)
    assert isinstance(found.record, Shape)  # noqa: S101  for mypy
    operands = written_operands(found.record, found.text)
    name = flow.name_of(reached.read)
    return affected_bits(found.record.opcode, operands, name, reached.bits)


def _results(flow: FunctionFlow, read: int, shape: Shape) -> list[int]:
    """Returns the uses that write what a read goes into; none if it has other effects, too."""
    uses, ways = flow.index.statement(read), flow.uses.ways
    written = [each for each in uses if ways[each] & WRITES]
    is_returned = any(flow.uses.codes[each] in flow.registers.results for each in written)
    is_choice = ways[read] & GUARDS or (shape.name == _SELECT and _is_condition(flow, read))
    is_carried = _CARRY in shape.opcode  # the flag depends on the value, too
    is_pure = shape.name in _PURE and not is_carried
    return written if is_pure and not (is_choice or is_returned) else []


def _is_condition(flow: FunctionFlow, read: int) -> bool:
    """Whether a use in a `selp` is its last operand, which chooses."""
    uses = [each for each in flow.index.statement(read) if flow.uses.ways[each] & READS]
    return flow.uses.codes[read] == flow.uses.codes[uses[-1]]
