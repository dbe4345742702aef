"""Inlay hints: numbers, CUDA's names, sources, operands, and the types and number of registers.

Lines other than the requested ones are read only for the source of a `.loc`, and to see whether a
register was defined before; their number is bounded.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import takewhile
from typing import TYPE_CHECKING, Final

from ptx_ls import isa
from ptx_ls.document.statements import statements_on
from ptx_ls.features.hints.hint import Hint, HintKind
from ptx_ls.features.hints.obvious import (
    BIT_PREFIXES,
    is_named_near,
    is_plain_float,
    is_plain_integer,
    is_plain_operand,
    is_plain_register,
    is_plain_type,
    is_repeated,
    is_told,
)
from ptx_ls.features.hints.source_hints import SourceHints, lines_above
from ptx_ls.features.hover.numbers import literals
from ptx_ls.features.hover.operand_facts import operand_names, type_of_number
from ptx_ls.features.markup import Markdown, code, own
from ptx_ls.features.operand_traits import ShapeTraits, traits_of
from ptx_ls.features.pressure.live_lines import live_lines
from ptx_ls.features.tokens.statement_tokens import SyntaxToken, statement_tokens
from ptx_ls.features.tokens.token_kinds import TokenKind, TokenTrait
from ptx_ls.source import Position
from ptx_ls.source.lines import content_length
from ptx_ls.syntax.names import has_name
from ptx_ls.syntax.offsets import place_of
from ptx_ls.syntax.record import Kind, MultiLine, Shape
from ptx_ls.syntax.statement import Statement
from ptx_ls.syntax.written.operands import written_operands

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence

    from ptx_ls.semantics.analysis import Analysis

_MAX_KEPT_LENGTH: Final = 200
"""Maximum length of an instruction whose tokens are kept for the next request."""
_MAX_NUMBERS: Final = 8
"""Maximum number of numbers to decode in a statement, so that tables stay readable."""
_DECODED: Final = (Kind.INSTRUCTION, Kind.BROKEN, Kind.DECLARATION)
_HINTED: Final = (*_DECODED, Kind.LOCATION)


_OF_TOKENS: Final = frozenset({HintKind.LITERAL, HintKind.SPECIAL_REGISTER, HintKind.REGISTER_TYPE})


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


class _Finder:
    """Adds the hints of statements to `found`, one statement at a time."""

    def __init__(self, analysis: Analysis, first: int, wanted: Collection[HintKind]) -> None:
        self._analysis = analysis
        self._first = first
        self._wanted = frozenset(wanted)
        self.found: list[Hint] = []
        self._sources = SourceHints(analysis.document)
        self._defined: set[tuple[int, str]] = set()
        self._above: dict[int, str] = {}

    def of_statement(self, statement: Statement) -> None:
        """Finds the hints of one statement."""
        record = statement.record
        if record.kind is Kind.LOCATION:
            if HintKind.LOCATION in self._wanted:
                self.found += self._sources.of(statement)
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
                shown = self._number(text, start, word, shape)
                position = self._position(statement, start + length)
                is_above = is_repeated(word, self._analysis.document.lines, position.line)
                if shown and not is_above and not self._is_told(word, shown, position.line):
                    n_decoded += 1
                    data = {"literal": word}
                    self.found.append(Hint(position, shown, HintKind.LITERAL, data))
            elif name is not None and HintKind.SPECIAL_REGISTER in self._wanted:
                self._special(statement, tokens, number)

    def _is_told(self, word: str, shown: str, line: int) -> bool:
        """Whether a comment or an earlier hint of a line says what a word means."""
        on_line = takewhile(lambda hint: hint.position.line == line, reversed(self.found))
        return any(hint.text == shown for hint in on_line) or is_told(
            word, shown, self._analysis.document.lines[line]
        )

    def _number(self, text: str, start: int, word: str, shape: Shape | None) -> str:
        """Returns the value of a literal; "" if the literal is as clear."""
        if not literals.is_integer(word):
            shown = literals.named(word) or literals.short(word) or ""
            return "" if is_plain_float(word, shown) else shown
        type_ = type_of_number(text, start, shape, self._analysis.context)
        bits, kind = isa.database().type_facts.get(type_, (0, ""))
        shown = (
            literals.short(word, bits if kind == "signed" and word[:2] in BIT_PREFIXES else 0) or ""
        )
        return "" if is_plain_integer(word, shown, type_) else shown

    def _special(self, statement: Statement, tokens: Sequence[SyntaxToken], number: int) -> None:
        """Finds the hint of a special register: the token with a number."""
        text, following = statement.text, tokens[number + 1 : number + 2]
        start, length = tokens[number].start, tokens[number].length
        word = text[start : start + length]
        end = start + length
        if following and following[0].start == end and text[end] == ".":
            end += following[0].length
        shown = _cuda_name(word, text[start + length + 1 : end])
        if not shown:
            return
        cuda = shown.partition(".")[0]
        named = [each.name for each in tokens[:number] if each.name is not None]
        written = [each.text for each in named if each.traits.always & TokenTrait.WRITTEN]
        if is_plain_register(word, cuda, written):
            return
        position = self._position(statement, end)
        if is_named_near(word, self._analysis.document.lines, position):
            return
        if self._is_told(word, shown, position.line):
            return
        if self._analysis.lookup(word, self._position(statement, start)) is None:
            data = {"register": word}
            self.found.append(Hint(position, shown, HintKind.SPECIAL_REGISTER, data))

    def _operands(self, statement: Statement, shape: Shape) -> Iterator[Hint]:
        names = operand_names(shape, self._analysis.context)
        operands = written_operands(shape, statement.text) if any(names) else ()
        for name, operand in zip(names, operands, strict=False):
            if not is_plain_operand(name):
                data = {"opcode": shape.name, "operand": name}
                position = statement.position(operand.start)
                yield Hint(position, f"{name}:", HintKind.OPERAND_NAME, data)

    def _types(self, statement: Statement, shape: Shape, tokens: Sequence[SyntaxToken]) -> None:
        """Finds hints of the types of registers that are first defined here, if not obvious."""
        for start, length, _, _, name in tokens:
            if name is None or not name.traits.always & TokenTrait.WRITTEN:
                continue
            kind, region = self._type(name.text, self._position(statement, start))
            if not is_plain_type(name.text, kind, shape.opcode):
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
        number = self._analysis.document.located_at(statement.start).number
        text = self._above.get(number)
        if text is None:
            lines = lines_above(self._analysis.document, statement, self._first)
            text = "".join(lines)
            if ".reg" in text:
                text = "".join([line for line in lines if not line.lstrip().startswith(".reg")])
            self._above[number] = text
        return has_name(text, name)


def _instruction_tokens(text: str, traits: ShapeTraits) -> tuple[SyntaxToken, ...]:
    return tuple(statement_tokens(Kind.INSTRUCTION, text, traits))


_kept_tokens: Final = lru_cache(maxsize=1 << 10)(_instruction_tokens)
"""The tokens of short instructions, such as those that a user looks at while typing another."""


def _cuda_name(name: str, component: str) -> str:
    if not name.startswith("%"):
        return ""
    register = isa.database().special_registers.get(name)
    return register.cuda_name(component) if register is not None else ""
