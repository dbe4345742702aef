"""The versions and targets that the statements of a module require."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from ptx_ls import isa
from ptx_ls.isa import Context
from ptx_ls.isa.checking.needs import GateRequirements, needs
from ptx_ls.isa.notation.table import AvailabilityGate
from ptx_ls.isa.reference import find_special_register
from ptx_ls.semantics.instructions.instruction_checker import InstructionChecker
from ptx_ls.semantics.instructions.operands import SPECIAL, to_operand
from ptx_ls.semantics.region_check import RegionChecker
from ptx_ls.semantics.symbols.module import region_facts
from ptx_ls.semantics.symbols.module_facts import module_facts
from ptx_ls.semantics.symbols.region_text import region_text
from ptx_ls.source.named_tuple import NamedTuple
from ptx_ls.syntax.dotted import dotted_words
from ptx_ls.syntax.record import Shape
from ptx_ls.syntax.tokens import tokenize

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from ptx_ls.document.document import Document
    from ptx_ls.semantics.instructions.verdicts import InstructionVerdict
    from ptx_ls.semantics.symbols.region_text import Found, RegionText
    from ptx_ls.semantics.symbols.symbols import Facts
    from ptx_ls.syntax.operands import OperandSyntax


class Demand(NamedTuple):
    """A feature that not every version and target has, and the first line (from 0) that uses it.

    `what` is the opcode with its modifiers, or a name. At least one of `needs` has to be met.
    """

    what: str
    line: int
    needs: tuple[GateRequirements, ...]


class _Listener(InstructionChecker):
    """A checker without version and target that records the shapes that it checks."""

    __slots__ = ("heard",)

    def __init__(self, address_size: int) -> None:
        super().__init__(Context(None, (), address_size))
        self.heard: dict[tuple[Shape, tuple[Facts, ...]], tuple[OperandSyntax, ...]] = {}

    def shape(self, shape: Shape, facts: tuple[Facts, ...]) -> InstructionVerdict:
        self.heard.setdefault((shape, facts), shape.operands)
        return super().shape(shape, facts)


def demands(document: Document, should_stop: Callable[[], bool]) -> list[Demand]:
    """Returns the features that a module uses in the order of their lines.

    Stops early once `should_stop` returns True. Ignores statements with errors.
    """
    module = module_facts(document)
    checker = _Listener(module.context.address_size)
    found: dict[tuple[str, tuple[GateRequirements, ...]], Demand] = {}
    for number, function, start, _ in document.functions:
        if should_stop():
            break
        text, own = region_text(function), region_facts(function)
        before = len(checker.heard)
        RegionChecker(text, own, module, number, checker, should_stop).check()
        heard = list(checker.heard.items())[before:]
        for demand in (*_of_declarations(text), *_of_instructions(text, heard)):
            placed = demand._replace(line=start.line + demand.line)
            known = found.setdefault((demand.what, demand.needs), placed)
            if placed.line < known.line:  # shapes have no order
                found[demand.what, demand.needs] = placed
    return sorted(found.values(), key=lambda demand: (demand.line, demand.what))


def _of_instructions(
    text: RegionText,
    heard: Iterable[tuple[tuple[Shape, tuple[Facts, ...]], tuple[OperandSyntax, ...]]],
) -> Iterator[Demand]:
    lines: dict[Shape, int] = {}
    for (shape, facts), operands in heard:
        asked = list(_asked(shape, facts, operands))
        if asked and shape not in lines:
            lines[shape] = _first(text, shape)
        for what, needed in asked:
            yield Demand(what, lines[shape], needed)


def _asked(
    shape: Shape, facts: tuple[Facts, ...], operands: tuple[OperandSyntax, ...]
) -> Iterator[tuple[str, tuple[GateRequirements, ...]]]:
    """Yields the requirements of an instruction and of its special registers."""
    database = isa.database()
    opcode, modifiers = isa.split_modifiers(shape.opcode)
    instruction = database.instruction(opcode)
    if instruction is not None:
        given = [to_operand(operand, facts, values=False) for operand in operands]
        needed = needs(instruction, modifiers, given)
        if needed and all(need.gates or need.until for need in needed):
            yield shape.opcode, needed
    for known in facts:
        name = known.name.partition(".")[0]
        register = find_special_register(database.special_registers, name)
        if known.kind == SPECIAL and register is not None and register.gates:
            yield name, (GateRequirements(register.gates),)


def _first(text: RegionText, shape: Shape) -> int:
    """Returns the first row with an instruction of that shape."""
    line = next(iter(text.lines_of(text.with_shapes({shape}))), 0)
    inner = next((one for one in text.statements((line,)) if one.record is shape), None)
    return inner.start[0] if inner is not None else line


def _of_declarations(text: RegionText) -> Iterator[Demand]:
    """Yields the requirements of directives and types in declarations."""
    gates = _gates()
    declaring = "".join([text.lines[number] for number in text.declaring])
    if gates.keys().isdisjoint(dotted_words(declaring)):
        return
    told: set[str] = set()
    for found in text.statements(text.declaring, declaring_only=True):
        for name, line in _dotted_names(found):
            if name in gates and name not in told:
                told.add(name)
                yield Demand(name, line, (gates[name],))


def _dotted_names(found: Found) -> Iterator[tuple[str, int]]:
    for token in tokenize(found.text):
        if token.string.startswith("."):
            yield token.string, found.start[0] + token.start_pos[0] - 1


@cache
def _gates() -> dict[str, GateRequirements]:
    """Returns the requirements of the directives and types that have any."""
    database = isa.database()
    found = {
        name: GateRequirements(entry.gates) for name, entry in database.types.items() if entry.gates
    }
    for name, entry in database.directives.items():
        until: tuple[AvailabilityGate, ...] = ()
        if entry.until is not None:
            last = max((v for v in _versions() if v < entry.until), default=(1, 0))
            until = (
                AvailabilityGate(None, ((last, ()),), lenient=False, needs_operands=False, note=""),
            )
        if entry.gates or until:
            found[name] = GateRequirements(entry.gates, until)
    return found


def _versions() -> list[tuple[int, int]]:
    return [entry.number for entry in isa.database().versions.values()]
