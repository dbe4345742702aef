"""Adds an explicit state space to an access by a generic address whose origin is known.

All definitions of the address that may reach the access have to agree on it. In global memory, a
generic address equals the one in that space. In other spaces they differ, so only the result of
`cvta.to`, or the variable itself, can be the address of an access with that state space.

Source: PTX ISA, "Generic Addressing" and "Data Movement and Conversion Instructions: cvta".
"""

from __future__ import annotations

from functools import partial
from itertools import pairwise
from typing import TYPE_CHECKING, Final

from ptx_ls import isa
from ptx_ls.document.statements import statement_at
from ptx_ls.features.actions.action import Action, ActionKind
from ptx_ls.flow.dataflow import reaching_definitions
from ptx_ls.semantics.instructions.operands import to_operand
from ptx_ls.semantics.symbols.symbols import SymbolKind
from ptx_ls.source import TextEdit
from ptx_ls.source.named_tuple import NamedTuple
from ptx_ls.syntax.dotted import dotted_words
from ptx_ls.syntax.operands import OperandForm
from ptx_ls.syntax.parsing.instruction_parts import opcode_parts
from ptx_ls.syntax.record import Kind

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ptx_ls.semantics.analysis import Analysis, JudgedInstruction
    from ptx_ls.source import Position, Range
    from ptx_ls.syntax.operands import Identifier, OperandSyntax

_ACCESSES: Final = frozenset({"ld", "st", "atom", "red", "prefetch"})
_SPACES: Final = (".global", ".shared", ".local", ".const")
_SPACES_OF_ACCESSES: Final = (*_SPACES, ".param")
_NOT_PLAIN: Final = frozenset({".async", ".bulk"})
_GLOBAL: Final = ".global"
_MAX_DEFINITIONS: Final = 48
"""Maximum number of definitions to follow."""
_MAX_FLOW_LINES: Final = 8000
"""Longer functions are searched only once the user chooses the edit."""
_POINTER: Final = (".ptr", ".global")
_TITLE: Final = "Add an explicit state space"


class Origin(NamedTuple):
    """The origin of an address: its state space, and the variable that it is the address of.

    `variable` is set if the address is the generic one of a variable outside of global memory.
    """

    space: str
    variable: str = ""


_UNKNOWN: Final = Origin("")


def actions(analysis: Analysis, selection: Range) -> Iterator[Action]:
    """Yields the addition of a state space to the access at the cursor, if it has none."""
    statement = statement_at(analysis.document, selection.start)
    if statement is None or statement.record.kind is not Kind.INSTRUCTION:
        return
    parts = opcode_parts(statement.parsed.tree)
    if not parts or parts[0][0] not in _ACCESSES:
        return
    if any(text.startswith(_SPACES_OF_ACCESSES) or text in _NOT_PLAIN for text, _, _ in parts):
        return
    judged = analysis.instruction(statement)
    base = _base(judged) if judged is not None else None
    if judged is None or base is None:
        return
    if _is_large(analysis, statement.start):
        work = partial(_late, analysis, judged, base)
        yield Action(_TITLE, ActionKind.REWRITE, work, is_costly=True)
        return
    found = Origins(analysis).of(base.name, statement.start)
    if len(found) > 1 and _UNKNOWN not in found:
        spaces = " or ".join(f"`{space}`" for space in sorted({it.space for it in found}))
        reason = f"`{base.name}` may hold an address of {spaces}"
        yield Action(_TITLE, ActionKind.REWRITE, list, disabled=reason)
    elif len(found) == 1 and _UNKNOWN not in found:
        yield from _explicit(analysis, judged, base, next(iter(found)))


def _is_large(analysis: Analysis, position: Position) -> bool:
    """Whether a function is too long to search before the user chooses the edit."""
    return analysis.document.located_at(position).n_lines > _MAX_FLOW_LINES


def _late(analysis: Analysis, judged: JudgedInstruction, base: Identifier) -> Sequence[TextEdit]:
    """Returns the edits when they are requested; none if the state space is unknown."""
    found = Origins(analysis).of(base.name, judged.statement.start)
    if len(found) == 1 and _UNKNOWN not in found:
        for action in _explicit(analysis, judged, base, next(iter(found))):
            return action.work() if callable(action.work) else []
    return []


def _base(judged: JudgedInstruction) -> Identifier | None:
    """Returns the register in the only address of an instruction; None if there is none."""
    addresses = [it for it in judged.operands if it.form is OperandForm.ADDRESS]
    if len(addresses) != 1 or not addresses[0].elements:
        return None
    number = addresses[0].elements[0].identifier
    if number < 0 or judged.facts[number].kind != SymbolKind.REGISTER.value:
        return None
    return judged.identifiers[number]


def _explicit(
    analysis: Analysis, judged: JudgedInstruction, base: Identifier, origin: Origin
) -> Iterator[Action]:
    modifiers = _with_space(analysis, judged, origin.space)
    if not modifiers:
        return
    statement = judged.statement
    parts = opcode_parts(statement.parsed.tree)
    text = judged.opcode + "".join(modifiers)
    edits = [TextEdit(statement.range(parts[0][1], parts[-1][2]), text)]
    title = f"{_TITLE}: `{text}`"
    if origin.variable:
        edits.append(TextEdit(statement.range(base.start, base.end), origin.variable))
        title = f"{title} of `{origin.variable}`"
    yield Action(title, ActionKind.REWRITE, lambda: edits)


def _with_space(analysis: Analysis, judged: JudgedInstruction, space: str) -> tuple[str, ...]:
    """Returns the modifiers with a state space in its place; empty if that is not valid."""
    if judged.instruction is None or judged.verdict is None or not judged.verdict.is_accepted:
        return ()
    given = [to_operand(operand, judged.facts, values=True) for operand in judged.operands]
    before = len(judged.verdict.violations)
    for index in range(len(judged.modifiers) + 1):
        changed = (*judged.modifiers[:index], space, *judged.modifiers[index:])
        verdict = isa.check(judged.instruction, changed, given, analysis.context)
        if verdict.is_accepted and len(verdict.violations) <= before:
            return changed
    return ()


class Origins:
    """Follows addresses back to their origins."""

    def __init__(self, analysis: Analysis) -> None:
        self._analysis = analysis
        self._path: set[tuple[str, Position]] = set()
        self._n_followed = 0

    def of(self, name: str, position: Position) -> set[Origin]:
        """Returns the origins of what a register may hold at a position, or only `_UNKNOWN`.

        A definition that depends on itself, as in a loop, adds nothing.
        """
        reaching = reaching_definitions(self._analysis, name, position)
        if reaching.from_entry or not reaching.definitions:
            return {_UNKNOWN}
        found: set[Origin] = set()
        for place in reaching.definitions:
            key = name, place.start
            if key in self._path:
                continue
            self._n_followed += 1
            if self._n_followed > _MAX_DEFINITIONS:
                return {_UNKNOWN}
            self._path.add(key)
            found |= self._defined(name, place.start)
            self._path.remove(key)
            if _UNKNOWN in found:
                return {_UNKNOWN}
        return found

    def _defined(self, name: str, place: Position) -> set[Origin]:
        statement = statement_at(self._analysis.document, place)
        judged = self._analysis.instruction(statement) if statement is not None else None
        if judged is None or not judged.operands or judged.operands[0].text != name:
            return {_UNKNOWN}
        sources = judged.operands[1:]
        if judged.opcode == "cvta" and sources:
            return {self._converted(judged, sources[0])}
        if judged.opcode == "mov" and len(sources) == 1:
            return self._value(judged, sources[0], place)
        if judged.opcode == "ld" and ".param" in judged.modifiers and sources:
            return {self._parameter(judged, sources[0])}
        if judged.opcode == "add":
            return self._sum(judged, sources, place)
        if judged.opcode == "sub":
            return self._plain(judged, sources[:1], place)
        if judged.opcode == "mad":
            return self._plain(judged, sources[2:3], place)
        return {_UNKNOWN}

    def _converted(self, judged: JudgedInstruction, source: OperandSyntax) -> Origin:
        space = next((it for it in judged.modifiers if it.startswith(_SPACES)), "")
        if ".to" in judged.modifiers or space == _GLOBAL:
            return Origin(space)
        declared = self._variable(judged, source)
        return Origin(space, declared) if space in _SPACES and declared else _UNKNOWN

    def _variable(self, judged: JudgedInstruction, source: OperandSyntax) -> str:
        """Returns the variable of the module that an operand consists of; "" if it is not one."""
        if source.identifier < 0 or source.has_offset or source.elements:
            return ""
        identifier = judged.identifiers[source.identifier]
        is_variable = judged.facts[source.identifier].kind == SymbolKind.VARIABLE.value
        symbol = self._analysis.module_symbol(identifier.name) if is_variable else None
        here = self._analysis.lookup(identifier.name, judged.statement.position(identifier.start))
        if symbol is None or here is None or here.symbol != symbol.symbol:
            return ""
        return identifier.name

    def _value(
        self, judged: JudgedInstruction, source: OperandSyntax, place: Position
    ) -> set[Origin]:
        if source.identifier < 0 or source.form is not OperandForm.IDENTIFIER:
            return {_UNKNOWN}
        facts = judged.facts[source.identifier]
        if facts.kind == SymbolKind.VARIABLE.value and facts.space in _SPACES:
            return {Origin(facts.space)}
        if facts.kind != SymbolKind.REGISTER.value or source.selector:
            return {_UNKNOWN}
        return self.of(judged.identifiers[source.identifier].name, place)

    def _plain(
        self, judged: JudgedInstruction, sources: tuple[OperandSyntax, ...], place: Position
    ) -> set[Origin]:
        """Returns the origins after arithmetic: the same spaces, but `_UNKNOWN` for a variable."""
        found = self._value(judged, sources[0], place) if sources else {_UNKNOWN}
        return found if all(not it.variable for it in found) else {_UNKNOWN}

    def _sum(
        self, judged: JudgedInstruction, sources: tuple[OperandSyntax, ...], place: Position
    ) -> set[Origin]:
        """Returns the origins of the one summand whose origin is known: it is the address."""
        each = [self._plain(judged, (source,), place) for source in sources]
        known = [found for found in each if _UNKNOWN not in found]
        return known[0] if len(known) == 1 else {_UNKNOWN}

    def _parameter(self, judged: JudgedInstruction, source: OperandSyntax) -> Origin:
        """Returns the origin that `.ptr .global` of a kernel's parameter gives."""
        if (
            not source.elements
            or source.elements[0].identifier < 0
            or source.elements[0].has_offset
        ):
            return _UNKNOWN
        identifier = judged.identifiers[source.elements[0].identifier]
        place = judged.statement.position(identifier.start)
        declared = self._analysis.lookup(identifier.name, place)
        is_pointer = declared is not None and _POINTER in pairwise(
            dotted_words(declared.symbol.text)
        )
        return Origin(_GLOBAL) if is_pointer else _UNKNOWN
