"""The code of a function: its statements without names, and what each name in it means."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Final, TypeAlias

from ptx_ls import isa
from ptx_ls.comparison.heads import FunctionHead, head_of
from ptx_ls.document.braces import braces
from ptx_ls.document.coordinates import FunctionPosition
from ptx_ls.isa.reference import find_special_register
from ptx_ls.semantics.declarations.module_memory import size_of
from ptx_ls.semantics.symbols.module import region_facts
from ptx_ls.semantics.symbols.region_text import region_text
from ptx_ls.semantics.symbols.symbols import SymbolKind
from ptx_ls.source.named_tuple import NamedTuple
from ptx_ls.syntax.record import Kind

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from ptx_ls.comparison.phrases import PhraseReader
    from ptx_ls.document.located import LocatedFunction
    from ptx_ls.semantics.symbols.region import RegionFacts
    from ptx_ls.semantics.symbols.symbols import Symbol
    from ptx_ls.syntax.record import Record

Meaning: TypeAlias = int | str
"""A name of a statement: the number of a local name, or the spelling of a name from outside."""
_COUNTED: Final = (".shared", ".local")
"""State spaces whose variables take memory for each call or block."""
UNDECLARED: Final = "undeclared"
"""Describes a register that is not declared."""
_BRACES: Final = frozenset({Kind.FUNCTION, Kind.OPEN, Kind.CLOSE})
_SKIPPED: Final = frozenset(
    {
        Kind.DECLARATION,
        Kind.FUNCTION_DECLARATION,
        Kind.LOCATION,
        Kind.EMPTY,
        Kind.LINE,
        Kind.DATA,
    }
)
"""Statements in a body that are not code; declarations are part of what names mean."""
_IGNORED_DIRECTIVES: Final = (".file", ".loc", "@@DWARF")
_LABELS: Final = frozenset(
    {
        SymbolKind.LABEL,
        SymbolKind.BRANCH_TARGETS,
        SymbolKind.CALL_TARGETS,
        SymbolKind.PROTOTYPE,
    }
)


class LocalName(NamedTuple):
    """A register, variable, parameter or label of a function.

    Attributes:
        name: as spelled.
        declared: its declaration without the name: `.reg .b32`, `.shared .align 4 .b8 [1024]`.
        kind: the class by which names are counted: its declared type if it is a register, else "".
    """

    name: str
    declared: str
    kind: str


class CodeLine(NamedTuple):
    """A statement.

    Attributes:
        pieces: its text without names, see `Phrase`.
        names: what each name means.
        line: the line of the document on which it begins, from 0.
        place: the place in the function at which it begins.
        record: the result of reading it.
    """

    pieces: tuple[str, ...]
    names: tuple[Meaning, ...]
    line: int
    place: FunctionPosition
    record: Record

    @property
    def is_label(self) -> bool:
        """Whether it is a label."""
        return self.record.kind is Kind.LABEL


@dataclass(frozen=True)
class FunctionCode:
    """The code of a function.

    Attributes:
        number: the number of the function in the document.
        head: its signature and its directives.
        lines: the statements with an effect, in the order of the text.
        names: the local names that the statements mention, by number.
        memory: the number of bytes of its own variables in each state space.
        unused: the declarations of its own variables that no statement mentions, without names;
            they take memory, too. Sorted.
        unread: the line, from 0, for which the function is compared as text; None if it is read.
    """

    number: int
    head: FunctionHead
    lines: Sequence[CodeLine]
    names: Sequence[LocalName]
    memory: Mapping[str, int] = field(default_factory=dict)
    unused: Sequence[str] = ()
    unread: int | None = None

    @cached_property
    def registers(self) -> dict[str, int]:
        """The number of registers of each type that the statements mention."""
        found: dict[str, int] = {}
        for name in self.names:
            if name.kind:
                found[name.kind] = found.get(name.kind, 0) + 1
        return dict(sorted(found.items()))

    def spelled(self, line: CodeLine) -> list[str]:
        """Returns the names of a statement as spelled."""
        return [it if isinstance(it, str) else self.names[it].name for it in line.names]


def read_code(
    located: LocatedFunction, reader: PhraseReader, outer: Mapping[str, str]
) -> FunctionCode:
    """Returns the code of a function with a head; without statements if it cannot be read.

    `outer`: the spellings that stand for names of the module, where they differ from the names.
    """
    function = located.function
    unread = _first_unread(located)
    facts = region_facts(function)
    head = head_of(located, facts)
    memory = _memory_of(facts)
    if unread is not None:
        return FunctionCode(located.number, head, (), (), memory, unread=unread)
    names = _Names(facts, outer)
    lines: list[CodeLine] = []
    first = located.start.line
    depth = 0
    for found in region_text(function).statements():
        record = found.record
        kind = record.kind
        text = found.text
        if kind in _BRACES:
            depth += -1 if kind is Kind.CLOSE else 1
            if not depth:
                break  # what follows is at module scope
            continue
        if kind in _SKIPPED and not (kind is Kind.DECLARATION and "=" in text):
            continue
        if kind is Kind.DIRECTIVE and text.startswith(_IGNORED_DIRECTIVES):
            continue
        phrase = reader.read(text, has_opcode=kind is Kind.INSTRUCTION)
        meanings = names.meanings(phrase.names, found.end)
        lines.append(CodeLine(phrase.pieces, meanings, first + found.start[0], found.start, record))
    code = FunctionCode(located.number, head, lines, names.locals, memory, names.unused())
    return _without_unused_labels(code)


class _Names:
    """Finds out what the names of a function mean."""

    def __init__(self, facts: RegionFacts, outer: Mapping[str, str]) -> None:
        self.locals: list[LocalName] = []
        self._facts, self._outer = facts, outer
        self._exports = frozenset(facts.exports)
        self._numbers: dict[tuple[object, str], int] = {}
        self._known: dict[str, Meaning] = {}
        self._inner = _names_of_blocks(facts)
        function = facts.function
        parameters = (*function.returns, *function.parameters) if function is not None else ()
        self._parameters = {each.start: number for number, each in enumerate(parameters)}

    def meanings(self, names: Sequence[str], place: FunctionPosition) -> tuple[Meaning, ...]:
        """Returns the meanings of the names of a statement that ends at a place."""
        known = self._known
        return tuple([known[it] if it in known else self._found(it, place) for it in names])

    def unused(self) -> list[str]:
        """Returns the declarations of variables that no statement has mentioned, sorted."""
        used = {key for key, _ in self._numbers}
        return sorted(
            _declared(symbol) for symbol in _variables(self._facts) if symbol.start not in used
        )

    def _found(self, name: str, place: FunctionPosition) -> Meaning:
        meaning = self._meaning(name, place)
        if self._inner.isdisjoint((name, name.rstrip("0123456789"))):
            self._known[name] = meaning
        return meaning

    def _meaning(self, name: str, place: FunctionPosition) -> Meaning:
        symbol = self._facts.lookup(name, place)
        if symbol is None or symbol in self._exports:
            if name[0] != "%":
                return self._outer.get(name, name)
            if symbol is None and find_special_register(isa.database().special_registers, name):
                return name
        return self._local(name, symbol)

    def _local(self, name: str, symbol: Symbol | None) -> int:
        key = None if symbol is None else symbol.start, name
        number = self._numbers.get(key)
        if number is None:
            number = self._numbers[key] = len(self.locals)
            self.locals.append(self._described(name, symbol))
        return number

    def _described(self, name: str, symbol: Symbol | None) -> LocalName:
        if symbol is None:
            return LocalName(name, UNDECLARED, UNDECLARED)
        if symbol.kind in _LABELS:
            return LocalName(name, "label", "")
        number = self._parameters.get(symbol.start)
        if number is not None:  # the head has its declaration
            return LocalName(name, f"parameter {number}", "")
        is_line = "=" in symbol.text  # then its declaration is among the statements
        declared = "initialised variable" if is_line else _declared(symbol)
        return LocalName(name, declared, symbol.type if symbol.space == ".reg" else "")


def _declared(symbol: Symbol) -> str:
    """Returns a declaration of a register or variable without its name."""
    aligned = f".align {symbol.alignment}" if symbol.alignment is not None else ""
    vector = f".v{symbol.vector_size}" if symbol.vector_size > 1 else ""
    sizes = "".join(f"[{'' if size is None else size}]" for size in symbol.dimensions)
    parts = (symbol.linkage, symbol.space, aligned, vector, symbol.type, sizes)
    return " ".join(part for part in parts if part)


def _names_of_blocks(facts: RegionFacts) -> frozenset[str]:
    """Returns the names that blocks in braces declare, which may mean different things."""
    if not facts.has_blocks:
        return frozenset()
    scopes = {it for it in facts.scopes if it is not facts.scope and it is not facts.module_scope}
    return frozenset(name for it in scopes for name in (*it.names, *it.ranges))


def _memory_of(facts: RegionFacts) -> dict[str, int]:
    found: dict[str, int] = {}
    for symbol in _variables(facts):
        found[symbol.space] = found.get(symbol.space, 0) + size_of(symbol)
    return found


def _variables(facts: RegionFacts) -> list[Symbol]:
    """Returns the variables of a function in shared and local memory."""
    exports = frozenset(facts.exports)
    return [
        it
        for it in facts.declared
        if it.space in _COUNTED and it.kind is SymbolKind.VARIABLE and it not in exports
    ]


def _first_unread(located: LocatedFunction) -> int | None:
    """Returns the first line that cannot be read; None if the function can be read."""
    text, close = region_text(located.function), braces(located.function).close
    broken = {it for it in text.distinct if it.problems or it.kind is Kind.BROKEN}
    rows = text.lines_of(broken)
    if rows and (close is None or rows[0] <= close):
        return located.start.line + rows[0]
    return None if close is not None else located.start.line


def as_text(code: FunctionCode, located: LocatedFunction) -> FunctionCode:
    """Returns the code of a function with all of its lines as they are, except for white space."""
    text, close = region_text(located.function), braces(located.function).close
    stop = len(text.lines) if close is None else close + 1
    lines = [
        CodeLine((words,), (), located.start.line + row, FunctionPosition((row, 0)), record)
        for row, (line, record) in enumerate(
            zip(text.lines[:stop], text.records[:stop], strict=True)
        )
        if (words := " ".join(line.split()))
    ]
    return replace(code, lines=lines, names=())


def _without_unused_labels(code: FunctionCode) -> FunctionCode:
    """Returns the code without labels that no statement names, as those for debug data."""
    used = {name for line in code.lines if not line.is_label for name in line.names}
    lines = [it for it in code.lines if not it.is_label or not used.isdisjoint(it.names)]
    kept = sorted({name for line in lines for name in line.names if isinstance(name, int)})
    if len(kept) < len(code.names):
        numbers = {name: number for number, name in enumerate(kept)}
        lines = [
            it._replace(names=tuple([n if isinstance(n, str) else numbers[n] for n in it.names]))
            for it in lines
        ]
    return replace(code, lines=lines, names=[code.names[it] for it in kept])
