"""Inlay hints: numbers, CUDA's names, sources, operands, and the types and number of registers.

Lines other than the requested ones are read only for the source of a `.loc`, and to see whether a
register was defined before; their number is bounded.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum, auto
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from ptx_ls import isa
from ptx_ls.document.statements import statements_on
from ptx_ls.features.hover import literals
from ptx_ls.features.hover.operand_facts import operand_names, signed_bits
from ptx_ls.features.markup import Markdown, code, own
from ptx_ls.features.navigation.source_files import directives
from ptx_ls.features.operand_traits import ShapeTraits, class_of_type, traits_of
from ptx_ls.features.pressure.live_lines import live_lines
from ptx_ls.features.tokens.statement_tokens import SyntaxToken, statement_tokens
from ptx_ls.features.tokens.token_kinds import TokenKind, TokenTrait
from ptx_ls.semantics.symbols.symbols import UNKNOWN_TYPE
from ptx_ls.source import Position
from ptx_ls.source.lines import content_length
from ptx_ls.syntax.dotted import opcode_of
from ptx_ls.syntax.names import has_name
from ptx_ls.syntax.offsets import place_of
from ptx_ls.syntax.record import Kind, MultiLine, Shape
from ptx_ls.syntax.statement import Statement
from ptx_ls.syntax.written.operands import written_operands
from ptx_ls.syntax.written.source_locations import locations

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence

    from ptx_ls.semantics.analysis import Analysis

_MAX_LINES_ABOVE: Final = 1000
"""Maximum number of lines above the first to search for a definition of a register."""
_MAX_KEPT_LENGTH: Final = 200
"""Maximum length of an instruction whose tokens are kept for the next request."""
_TABLES: Final = ("lop3.", "prmt.")
"""Instructions whose integers are tables of bits, which a hover explains."""
_MAX_NUMBERS: Final = 8
"""Maximum number of numbers to decode in a statement, so that tables stay readable."""
_DECODED: Final = (Kind.INSTRUCTION, Kind.BROKEN, Kind.DECLARATION)
_HINTED: Final = (*_DECODED, Kind.LOCATION)
_BITS: Final = ("0x", "0X", "0b", "0B")
"""Prefixes of literals that are written as bit patterns."""


class HintKind(Enum):
    """The kind of information in a hint."""

    LITERAL = auto()
    SPECIAL_REGISTER = auto()
    LOCATION = auto()
    REGISTER_TYPE = auto()
    OPERAND_NAME = auto()
    LIVE_REGISTERS = auto()


_OF_TOKENS: Final = frozenset({HintKind.LITERAL, HintKind.SPECIAL_REGISTER, HintKind.REGISTER_TYPE})


@dataclass(frozen=True, slots=True)
class Hint:
    """A hint: an operand's name is shown before the text at `position`, all others after it.

    `resolve` explains it by its `data`.
    """

    position: Position
    text: str
    kind: HintKind
    data: dict[str, str] = field(default_factory=dict)


def hints(analysis: Analysis, first: int, stop: int, wanted: Collection[HintKind]) -> list[Hint]:
    """Returns hints of the wanted kinds in lines [first, stop)."""
    document = analysis.document
    finder = _Finder(analysis, first, wanted)
    line = first
    stop = min(stop, len(document.lines))
    lines, records = document.lines[first:stop], document.records[first:stop]
    while line < stop:
        record = records[line - first]
        if isinstance(record, MultiLine):
            run = document.run_at(line)
            for statement in statements_on(document, line):
                if first <= statement.end.line and statement.start.line < stop:
                    finder.of_statement(statement)
            line = run.stop
        else:
            if record.kind in _HINTED:
                text = lines[line - first]
                start, end = Position(line, 0), Position(line, content_length(text))
                finder.of_statement(Statement(record, start, end, text))
            line += 1
    found = [hint for hint in finder.found if first <= hint.position.line < stop]
    if HintKind.LIVE_REGISTERS in wanted:
        alive = live_lines(document, first, stop)
        found += [Hint(place, text, HintKind.LIVE_REGISTERS) for place, text in alive]
    return found


def resolve(data: dict[str, str]) -> Markdown | None:
    """Explains the hint under the mouse pointer; returns None if there is nothing to say."""
    if "literal" in data:
        return literals.describe(data["literal"])
    if "register" in data:
        found = isa.database().special_registers.get(data["register"])
        return own(found.summary) if found is not None else None
    if "file" in data:
        return code(data["file"])
    instruction = isa.database().instruction(data.get("opcode", ""))
    doc = instruction.operand_doc(data.get("operand", "")) if instruction is not None else ""
    return own(doc) if doc else None


def _is_table(statement: str, shown: str) -> bool:
    """Whether an integer is a table or a list of selectors, whose value is meaningless."""
    return shown.isdecimal() and opcode_of(statement).startswith(_TABLES)


class _Finder:
    """Adds the hints of statements to `found`, one statement at a time."""

    def __init__(self, analysis: Analysis, first: int, wanted: Collection[HintKind]) -> None:
        self._analysis = analysis
        self._first = first
        self._wanted = frozenset(wanted)
        self.found: list[Hint] = []
        self._files: dict[int, str] = {}
        self._unread_files = directives(analysis.document)
        self._defined: set[tuple[int, str]] = set()
        self._above: dict[int, str] = {}

    def of_statement(self, statement: Statement) -> None:
        """Finds the hints of one statement."""
        record = statement.record
        if record.kind is Kind.LOCATION:
            if HintKind.LOCATION in self._wanted:
                self._location(statement)
        elif isinstance(record, Shape):
            self._instruction(statement, record)
        elif record.kind in _DECODED:
            tokens = [*statement_tokens(record.kind, statement.text)]
            self._tokens(statement, tokens, None)

    def _instruction(self, statement: Statement, shape: Shape) -> None:
        traits = traits_of(shape, self._analysis.context)
        tokens: Sequence[SyntaxToken] = ()
        if not _OF_TOKENS.isdisjoint(self._wanted):
            is_short = len(statement.text) <= _MAX_KEPT_LENGTH
            tokens = (_kept_tokens if is_short else _instruction_tokens)(statement.text, traits)
            self._tokens(statement, tokens, shape)
        if HintKind.OPERAND_NAME in self._wanted:
            self.found += self._operands(statement, shape)
        if HintKind.REGISTER_TYPE in self._wanted:
            self._types(statement, shape, tokens)

    def _position(self, statement: Statement, offset: int) -> Position:
        return statement.position(place_of(statement.text, offset))

    def _location(self, statement: Statement) -> None:
        """Finds hints of the source of a `.loc`, and of the call that was inlined."""
        for named in locations(statement.text):
            if not named.line:  # code that the compiler added
                continue
            path = self._path(named.file)
            if path:
                name = path.replace("\\", "/").rpartition("/")[2]
                position = self._position(statement, named.stop)
                data = {"file": f"{path}:{named.line}:{named.column}"}
                self.found.append(Hint(position, f"{name}:{named.line}", HintKind.LOCATION, data))

    def _path(self, number: int) -> str:
        """The name of a source file; "" for a number that no `.file` gives."""
        while number not in self._files:
            _, file = next(self._unread_files, (0, None))
            if file is None:
                return ""
            self._files.setdefault(file.number, file.name)
        return self._files[number]

    def _tokens(
        self, statement: Statement, tokens: Sequence[SyntaxToken], shape: Shape | None
    ) -> None:
        """Finds hints of numbers and special registers."""
        text, n_decoded = statement.text, 0
        for number, (start, length, kind, _, name) in enumerate(tokens):
            word = text[start : start + length]
            if kind is TokenKind.NUMBER and HintKind.LITERAL in self._wanted:
                if n_decoded == _MAX_NUMBERS:
                    continue
                bits = 0
                if word[:2] in _BITS:
                    bits = signed_bits(text, start, shape, self._analysis.context)
                shown = literals.short(word, bits)
                if shown is not None and not _is_table(text, shown):
                    n_decoded += 1
                    position = self._position(statement, start + length)
                    data = {"literal": word}
                    self.found.append(Hint(position, shown, HintKind.LITERAL, data))
            elif name is not None and HintKind.SPECIAL_REGISTER in self._wanted:
                self._special(statement, tokens[number : number + 2])

    def _special(self, statement: Statement, tokens: Sequence[SyntaxToken]) -> None:
        """Finds the hint of a special register; `tokens` are its own and the next one."""
        text, following = statement.text, tokens[1:]
        start, length = tokens[0].start, tokens[0].length
        word = text[start : start + length]
        cuda = _cuda_name(word)
        if not cuda:
            return
        declared = self._analysis.lookup(word, self._position(statement, start))
        if declared is None:
            end = start + length
            if following and following[0].start == end and text[end] == ".":
                end += following[0].length
            shown = cuda + text[start + length : end]
            position = self._position(statement, end)
            data = {"register": word}
            self.found.append(Hint(position, shown, HintKind.SPECIAL_REGISTER, data))

    def _operands(self, statement: Statement, shape: Shape) -> Iterator[Hint]:
        names = operand_names(shape, self._analysis.context)
        operands = written_operands(shape, statement.text) if any(names) else ()
        for name, operand in zip(names, operands, strict=False):
            if name:
                data = {"opcode": shape.name, "operand": name}
                position = statement.position(operand.start)
                yield Hint(position, f"{name}:", HintKind.OPERAND_NAME, data)

    def _types(self, statement: Statement, shape: Shape, tokens: Sequence[SyntaxToken]) -> None:
        """Finds hints of the types of registers that are first defined here, if not obvious."""
        for start, length, _, _, name in tokens:
            if name is None or not name.traits.always & TokenTrait.WRITTEN:
                continue
            kind, region = self._type(name.text, self._position(statement, start))
            if kind not in ("", UNKNOWN_TYPE) and not _is_obvious(kind, shape.opcode):
                key = region, name.text
                if key not in self._defined and not self._is_above(statement, name.text):
                    self._defined.add(key)
                    end = self._position(statement, start + length)
                    self.found.append(Hint(end, kind, HintKind.REGISTER_TYPE))

    def _type(self, name: str, position: Position) -> tuple[str, int]:
        """Returns the type of a register, "" for other names, and the function that declares it."""
        region = self._analysis.region_at(position)
        known = self._analysis.bank_of(name, position)
        if known is not None and known.space == ".reg":
            return known.type, region
        declared = self._analysis.lookup(name, position)
        if declared is None or declared.symbol.space != ".reg":
            return "", region
        return declared.symbol.type, declared.region

    def _is_above(self, statement: Statement, name: str) -> bool:
        """Whether earlier lines of the function use a register, apart from declarations."""
        document = self._analysis.document
        located = document.located_at(statement.start)
        text = self._above.get(located.number)
        if text is None:
            start = max(located.first_line, self._first - _MAX_LINES_ABOVE)
            lines = document.lines[start : self._first]
            text = "".join(lines)
            if ".reg" in text:
                text = "".join([line for line in lines if not line.lstrip().startswith(".reg")])
            self._above[located.number] = text
        return has_name(text, name)


def _instruction_tokens(text: str, traits: ShapeTraits) -> tuple[SyntaxToken, ...]:
    return tuple(statement_tokens(Kind.INSTRUCTION, text, traits))


_kept_tokens: Final = lru_cache(maxsize=1 << 10)(_instruction_tokens)
"""The tokens of short instructions, such as those that a user looks at while typing another."""


def _cuda_name(name: str) -> str:
    if not name.startswith("%"):
        return ""
    register = isa.database().special_registers.get(name)
    return register.cuda if register is not None else ""


@lru_cache(maxsize=1 << 13)
def _is_obvious(declared: str, opcode: str) -> bool:
    """Whether an opcode with its modifiers says as much as the declared type of a register."""
    return any(_is_like(declared, used) for used in set(isa.split_modifiers(opcode)[1]))


def _is_like(declared: str, used: str) -> bool:
    """Whether a type in the opcode is as wide as the declared type, and a float if that is."""
    if declared == used:
        return True
    facts = isa.database().type_facts
    if declared not in facts or used not in facts or facts[declared][0] != facts[used][0]:
        return False
    is_float = class_of_type(declared) is TokenTrait.FLOAT
    return not is_float or class_of_type(used) is TokenTrait.FLOAT
