"""The meaning of a document's names and instructions, for every request of an editor.

An `Analysis` is cheap to make; the facts that it derives are kept with the document's functions.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING

from ptx_ls import isa
from ptx_ls.document.facts import fact
from ptx_ls.isa.reference import find_special_register
from ptx_ls.semantics.instructions.instruction_checker import InstructionChecker
from ptx_ls.semantics.instructions.operands import UNDECLARED, to_operand
from ptx_ls.semantics.symbols.contexts import context_of
from ptx_ls.semantics.symbols.module import region_facts
from ptx_ls.semantics.symbols.module_names import ModuleNames, module_names
from ptx_ls.semantics.symbols.symbols import Facts, Scope, Symbol
from ptx_ls.source import Range
from ptx_ls.syntax.normalize import canonical_word
from ptx_ls.syntax.offsets import along
from ptx_ls.syntax.parsing import instruction_parts
from ptx_ls.syntax.record import Kind
from ptx_ls.syntax.statement import Statement
from ptx_ls.syntax.written.register_ranges import exceeds

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ptx_ls.document.coordinates import FunctionPosition
    from ptx_ls.document.document import Document
    from ptx_ls.document.function import Function
    from ptx_ls.document.located import LocatedFunction
    from ptx_ls.isa import Context, Form, Instruction, Operand, OperandSpec, Verdict
    from ptx_ls.isa.reference import SpecialRegister
    from ptx_ls.semantics.symbols.region import RegionFacts
    from ptx_ls.source import Position
    from ptx_ls.syntax.operands import Identifier, OperandSyntax


@dataclass(frozen=True, slots=True)
class LocatedSymbol:
    """A symbol with its range in the document. `region` is the number of its function."""

    symbol: Symbol
    range: Range
    region: int


@dataclass(frozen=True, slots=True)
class JudgedInstruction:
    """An instruction statement with all that is known about it.

    `instruction` is None for an opcode that the database does not have. Positions of `operands` and
    `identifiers` are relative to the statement; `verdict` has one specification for each operand.
    """

    statement: Statement
    opcode: str
    modifiers: tuple[str, ...]
    instruction: Instruction | None
    operands: tuple[OperandSyntax, ...]
    identifiers: tuple[Identifier, ...]
    facts: tuple[Facts, ...]
    verdict: Verdict | None

    @property
    def form(self) -> Form | None:
        """The form that the instruction has, or is closest to; None if there is none."""
        return self.verdict.form if self.verdict is not None else None

    def placed_operands(self) -> Iterator[tuple[OperandSyntax, OperandSpec]]:
        """Yields each operand that the form allows, with its specification."""
        specs = self.verdict.operand_specs if self.verdict is not None else ()
        for operand, spec in zip(self.operands, specs, strict=False):
            if spec is not None:
                yield operand, spec

    def all_slots(self) -> dict[str, str]:
        """Returns the modifier or selector in every slot of the form, "" for an empty slot."""
        if self.verdict is None or self.verdict.form is None:
            return {}
        slots = self.verdict.slots
        return {slot.name: slots.get(slot.name, "") for slot in self.verdict.form.row.slots}


@fact
def header_context(header: Function) -> Context:
    """The version, targets and address size that a module's header sets."""
    return context_of(region_facts(header).directives)


class Analysis:
    """The meaning of a document's names and instructions. Positions are in the document."""

    def __init__(self, document: Document) -> None:
        self.document = document
        self._located: dict[int, LocatedFunction] = {}

    @cached_property
    def context(self) -> Context:
        """The version, targets and address size of the module."""
        return header_context(self.document.leaf(0))

    @cached_property
    def checker(self) -> InstructionChecker:
        """The checker of this module's instructions."""
        return InstructionChecker(self.context)

    def region_at(self, position: Position) -> int:
        """Returns the number of the function that contains a position."""
        return self.document.number_at(position)

    def scope_at(self, position: Position) -> Scope:
        """Returns the innermost scope around a position; its lines are relative to the function."""
        located = self._function(self.region_at(position))
        return region_facts(located.function).scope_at(located.place(position))

    def function_at(self, position: Position) -> LocatedSymbol | None:
        """Returns the kernel or device function whose body contains a position."""
        index = self.region_at(position)
        facts = region_facts(self._function(index).function)
        if facts.function is None or self.scope_at(position) is facts.module_scope:
            return None
        return self._declared(facts.function, index)

    def function_of(self, declared: LocatedSymbol) -> Symbol | None:
        """Returns the kernel or device function in whose lines a symbol is declared."""
        return region_facts(self.document.leaf(declared.region)).function

    def _relative(self, index: int, position: Position) -> FunctionPosition:
        return self._function(index).place(position)

    def _function(self, index: int) -> LocatedFunction:
        found = self._located.get(index)
        if found is None:
            found = self._located[index] = self.document.functions[index]
        return found

    def _declared(self, symbol: Symbol, index: int) -> LocatedSymbol:
        place = self._function(index).range(symbol.start, symbol.end)
        return LocatedSymbol(symbol, place, index)

    def lookup(self, name: str, position: Position) -> LocatedSymbol | None:
        """Returns the declaration of `name` that is in scope, else one from anywhere in the module.

        Also finds names that are declared after the position, because users may want to go there.
        """
        index = self.region_at(position)
        symbol = self._in_region(name, index, position)
        if symbol is None:
            return self.module_symbol(name) or self._label_of_section(name)
        if not symbol.is_definition:
            defined = self.module_symbol(name)
            if defined is not None and defined.symbol.is_definition:
                return defined
        return self._declared(symbol, index)

    def bank_of(self, name: str, position: Position) -> Facts | None:
        """Returns the facts of a register of a plain bank; None for other names."""
        index = self.region_at(position)
        facts = region_facts(self._function(index).function)
        found = facts.banks.get(canonical_word(name))
        if found is None or exceeds(name, dict(facts.ranges)):
            return None
        is_outside = facts.scope_at(self._relative(index, position)) is facts.module_scope
        return None if is_outside else found

    def _in_region(self, name: str, index: int, position: Position) -> Symbol | None:
        """Returns the symbol that `name` refers to, among those that the function declares."""
        relative = self._relative(index, position)
        facts = region_facts(self._function(index).function)
        scope = facts.scope_at(relative)
        seen = along(relative, 1)  # so that a name at its own declaration means itself
        return (
            _in_head(facts, name, relative)
            or scope.lookup(name, seen)
            or _replaced(facts, scope, name)
            or scope.lookup(name)
            or scope.lookup_range(name)
        )

    def _label_of_section(self, name: str) -> LocatedSymbol | None:
        """Returns a label of debug data, which `.loc` and other sections can name from anywhere."""
        for index in module_names(self.document).sections():
            facts = region_facts(self._function(index).function)
            for scope in facts.blocks_in(facts.module_scope):
                symbol = scope.single(name)
                if symbol is not None:
                    return self._declared(symbol, index)
        return None

    def module_symbol(self, name: str) -> LocatedSymbol | None:
        """Returns the module's symbol of that name, preferably its definition."""
        found: LocatedSymbol | None = None
        names = module_names(self.document)
        for index in names.declaring(name) or names.declaring(name.rstrip("0123456789")):
            declared = self._export(index, name)
            if declared is not None and (found is None or declared.symbol.is_definition):
                found = declared
                if declared.symbol.is_definition:
                    break
        return found

    def module_declarations(self, name: str) -> list[LocatedSymbol]:
        """Returns every declaration of a name at module scope, in the order of the text."""
        found = (self._export(it, name) for it in module_names(self.document).declaring(name))
        return [declared for declared in found if declared is not None]

    def _export(self, index: int, name: str) -> LocatedSymbol | None:
        """Returns the symbol at module scope that function `index` declares by that name."""
        scope = region_facts(self._function(index).function).module_scope
        symbol = scope.find(name) or scope.lookup_range(name)
        return self._declared(symbol, index) if symbol is not None else None

    def module_names(self) -> ModuleNames:
        """Returns the names of the module, with the functions of the document that declare them."""
        return module_names(self.document)

    def local_symbols(self, position: Position) -> Iterator[Symbol]:
        """Yields the symbols of the function that are visible at a position, innermost first."""
        index = self.region_at(position)
        relative = self._relative(index, position)
        facts = region_facts(self._function(index).function)
        scope: Scope | None = facts.scope_at(relative)
        while scope is not None and scope is not facts.module_scope:
            for symbol in (*scope.singles, *scope.ranges.values()):
                if symbol.is_forward or symbol.start < relative:
                    yield symbol
            scope = scope.parent

    def special_register(self, name: str) -> SpecialRegister | None:
        """Returns the special register with a name, given without component: `%tid`."""
        return find_special_register(isa.database().special_registers, name)

    def facts_of(self, full: str, position: Position) -> Facts:
        """Returns the facts of a name; `full` is the name with its component, as written."""
        name = full.partition(".")[0]
        symbol = self._in_region(name, self.region_at(position), position)
        if symbol is not None and symbol.is_definition:
            return symbol.facts
        declared = self.lookup(name, position)
        if declared is not None:
            return declared.symbol.facts
        return self.checker.special(name, full) or UNDECLARED

    def instruction(self, statement: Statement) -> JudgedInstruction | None:
        """Returns what is known about an instruction; None for other and for long statements."""
        if statement.record.kind not in (Kind.INSTRUCTION, Kind.BROKEN) or statement.is_long:
            return None
        operands, identifiers = statement.parts()
        opcode, modifiers = _opcode_of(statement)
        if not opcode:
            return None
        facts = tuple(
            self.facts_of(identifier.full, statement.position(identifier.start))
            for identifier in identifiers
        )
        instruction = isa.database().instruction(opcode)
        verdict = None
        if instruction is not None:
            given = tuple([to_operand(operand, facts, values=True) for operand in operands])
            verdict = verdict_of(instruction, modifiers, given, self.context)
        return JudgedInstruction(
            statement, opcode, modifiers, instruction, operands, identifiers, facts, verdict
        )


@lru_cache(maxsize=4096)
def verdict_of(
    instruction: Instruction,
    modifiers: tuple[str, ...],
    operands: tuple[Operand, ...],
    context: Context,
) -> Verdict:
    """Calls `isa.check`; cached, as editors ask about the same instructions at every keystroke."""
    return isa.check(instruction, modifiers, operands, context)


def _opcode_of(statement: Statement) -> tuple[str, tuple[str, ...]]:
    """Returns the opcode and modifiers of an instruction, even if the rest of it has errors."""
    parts = instruction_parts.opcode_parts(statement.parsed.tree)
    if not parts:
        return "", ()
    opcode, *modifiers = (text for text, _, _ in parts)
    return opcode, tuple(modifiers)


def _in_head(facts: RegionFacts, name: str, place: FunctionPosition) -> Symbol | None:
    """Returns the function or parameter of that name that the head declares at a place."""
    function = facts.function
    if function is None:
        return None
    for symbol in (function, *function.parameters, *function.returns):
        if symbol.name == name and symbol.start <= place <= symbol.end:
            return symbol
    return None


def _replaced(facts: RegionFacts, scope: Scope, name: str) -> Symbol | None:
    """Returns the parameter whose name a register range in the function's body hides."""
    if facts.function is None or scope is facts.module_scope:
        return None
    for symbol in (*facts.function.parameters, *facts.function.returns):
        if symbol.name == name:
            return symbol
    return None
