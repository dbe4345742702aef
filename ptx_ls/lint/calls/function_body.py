"""Reads the body of a function as statements that may be repeated in place of a call.

A variable in .param that only passes a number to or from a call becomes a register, so that the
number is known on both sides of the call.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Final

from ptx_ls import isa
from ptx_ls.semantics.symbols.region_text import region_text
from ptx_ls.source.named_tuple import NamedTuple
from ptx_ls.syntax.comments import blanked
from ptx_ls.syntax.names import names_in
from ptx_ls.syntax.record import Kind, Shape
from ptx_ls.syntax.written.calls import call_in, items_of
from ptx_ls.syntax.written.operands import written_operands

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from ptx_ls.document.coordinates import FunctionSpan
    from ptx_ls.document.function import Function
    from ptx_ls.semantics.symbols.region import RegionFacts
    from ptx_ls.semantics.symbols.region_text import Found
    from ptx_ls.semantics.symbols.symbols import Symbol
    from ptx_ls.syntax.written.calls import CallPart

MAX_STATEMENTS: Final = 400
"""Number of statements of a function up to which it is repeated in place of a call."""
_PARAMETER, _REGISTER = ".param", ".reg"
_STATIC: Final = (".shared", ".global", ".const")
_MOVED: Final = ("ld.param", "st.param")
_WIDTHS: Final = (16, 32, 64)
"""The widths of registers for numbers."""
_PREDICATE: Final = ".pred"
_IGNORED: Final = Kind.LOCATION


class CallStatement(NamedTuple):
    """A call of a named function, with its arguments and results, and with its guard or ""."""

    callee: str
    arguments: tuple[str, ...]
    results: tuple[str, ...]
    guard: str


class BodyStatement(NamedTuple):
    """A statement, and what it calls, if it is a call of a function by name."""

    text: str
    call: CallStatement | None = None


class BodyVariable(NamedTuple):
    """A parameter or a result of a function.

    `type`: that of a register that may have its value; "" if it stays a variable in .param.
    """

    name: str
    type: str
    declaration: str


class FunctionBody(NamedTuple):
    """The body of a function.

    Attributes:
        head: the text before the first statement, which ends with `{`; that of a called function
            has registers as parameters.
        parameters, results: the variables of its head.
        statements: its statements without the last `}`.
        declared: the names that it declares.
        outer: other names that it may use from outside.
        statics: the declarations of variables that all calls share, by name.
        memory: the variables in .param that stay variables.
    """

    head: str
    parameters: tuple[BodyVariable, ...]
    results: tuple[BodyVariable, ...]
    statements: tuple[BodyStatement, ...]
    declared: frozenset[str]
    outer: frozenset[str]
    statics: tuple[tuple[str, str], ...]
    memory: frozenset[str]

    @property
    def text(self) -> str:
        """The function as text."""
        statements = [text for _, text in self.statics] + [each.text for each in self.statements]
        return "\n".join([self.head, *statements, "}"])


class PlacedBody(NamedTuple):
    """A body, and where its head and its statements are."""

    body: FunctionBody
    head: FunctionSpan
    places: tuple[FunctionSpan, ...]


def read_body(function: Function, facts: RegionFacts, *, is_called: bool) -> PlacedBody | None:
    """Returns the body of a function without syntax errors; None if it is too long.

    `is_called`: whether it takes the place of a call, so that its parameters become registers, too.
    """
    reader = _BodyReader(function, facts, is_called=is_called)
    if facts.function is None or len(reader.statements) > MAX_STATEMENTS or reader.head is None:
        return None
    return reader.body(facts.function)


class _BodyReader:
    """Reads one function."""

    def __init__(self, function: Function, facts: RegionFacts, *, is_called: bool) -> None:
        self._facts, self._is_called = facts, is_called
        self.head: Found | None = None
        self.statements: list[Found] = []
        depth = 0
        for found in region_text(function).statements():
            kind = found.record.kind
            if self.head is None:
                self.head = found if kind is Kind.FUNCTION else None
                depth = int(self.head is not None)
                continue
            depth += (kind is Kind.OPEN) - (kind is Kind.CLOSE)
            if not depth or len(self.statements) > MAX_STATEMENTS:
                break
            if kind is not _IGNORED:
                self.statements.append(found)

    def body(self, symbol: Symbol) -> PlacedBody | None:
        """Returns the body of a function; None if a declaration is outside of it."""
        head = self.head
        if head is None:
            return None
        statics = self._statics
        texts = [(each.name, self._text_of(each)) for each in statics]
        known = tuple([(name, text) for name, text in texts if text is not None])
        if len(known) < len(texts):
            return None
        kept = [each for each in self.statements if not self._declares(each, statics)]
        declared = frozenset([each.name for each in self._symbols])
        used = {name for each in kept for name in names_in(blanked(each.text))}
        parameters, results = (
            tuple(map(self._variable, each)) for each in (symbol.parameters, symbol.returns)
        )
        found = FunctionBody(
            _head_of(symbol, parameters, results) if self._is_called else head.text,
            parameters,
            results,
            tuple(map(self._statement, kept)),
            declared,
            frozenset([each for each in used - declared if not each.startswith("%")]),
            known,
            self._memory,
        )
        return PlacedBody(found, (head.start, head.end), tuple([it[1:3] for it in kept]))

    @cached_property
    def _symbols(self) -> list[Symbol]:
        """The names that the function declares, without those that the whole module sees."""
        return [each for each in self._facts.declared if each not in self._facts.exports]

    @cached_property
    def _statics(self) -> list[Symbol]:
        """The variables of a device function that all of its calls share."""
        return [each for each in self._symbols if self._is_called and each.space in _STATIC]

    @property
    def _memory(self) -> frozenset[str]:
        """The names of variables in .param that stay variables."""
        names = {each.name for each in self._symbols if each.space == _PARAMETER}
        return frozenset(names - self._registers)

    @staticmethod
    def _declares(found: Found, symbols: list[Symbol]) -> bool:
        return found.record.kind is Kind.DECLARATION and any(
            found.start <= each.start < found.end for each in symbols
        )

    def _text_of(self, symbol: Symbol) -> str | None:
        """Returns the declaration of a variable; None if it is outside of the body."""
        own = (each for each in self.statements if each.start <= symbol.start < each.end)
        found = next(own, None)
        return None if found is None else blanked(found.text)

    def _variable(self, symbol: Symbol) -> BodyVariable:
        """Returns a parameter or a result."""
        if symbol.space == _PARAMETER and symbol.name not in self._registers:
            return BodyVariable(symbol.name, "", f"{blanked(symbol.text)};")
        return BodyVariable(symbol.name, symbol.type, f".reg {symbol.type} {symbol.name};")

    def _statement(self, found: Found) -> BodyStatement:
        """Returns a statement in which some variables in .param are registers."""
        text, record = found.text, found.record
        if record.kind is Kind.DECLARATION and self._registers.intersection(names_in(text)):
            return BodyStatement(text.replace(_PARAMETER, _REGISTER, 1))
        if not isinstance(record, Shape):
            return BodyStatement(text)
        moved = self._moved(found, record)
        if moved is not None and moved[0] in self._registers:
            name, width, other = moved
            is_load = record.name == "ld"
            pair = f"{other}, {name}" if is_load else f"{name}, {other}"
            guard = text[: text.index(record.name)]
            return BodyStatement(f"{guard}mov.b{width} {pair};")
        call = call_in(text) if record.name == "call" else None
        if call is None or call.targets is not None:
            return BodyStatement(text)
        guard = text[: text.index("call")].strip()
        own = CallStatement(call.name.text, _items(call.arguments), _items(call.results), guard)
        return BodyStatement(text, own)

    def _moved(self, found: Found, shape: Shape) -> tuple[str, int, str] | None:
        """Returns the variable in .param whose value is moved, its width, and the register."""
        if not shape.opcode.startswith(_MOVED):
            return None
        operands = written_operands(shape, found.text)
        width = _width_of(f".{shape.opcode.rpartition('.')[2]}")
        if len(operands) != 2 or width not in _WIDTHS:  # noqa: PLR2004
            return None
        address, other = operands if shape.name == "st" else operands[::-1]
        if other.elements or not address.elements:
            return None
        name, _, offset = "".join(address.elements[0].text.split()).partition("+")
        return (name, width, other.text) if offset in ("", "0") else None

    @cached_property
    def _registers(self) -> set[str]:
        """The names of variables in .param that only pass numbers."""
        widths = dict(self._candidates())
        return {*widths} - self._others(widths)

    def _candidates(self) -> Iterator[tuple[str, int]]:
        """Yields the variables in .param for one number, with its width."""
        own = self._facts.function
        of_head = {each.start for each in (*own.parameters, *own.returns)} if own else set()
        for each in self._symbols:
            width = _width_of(each.type)
            is_number = not each.dimensions and each.vector_size == 1 and width in _WIDTHS
            is_own = each.start not in of_head or self._is_called
            if each.space == _PARAMETER and is_number and is_own and not each.alignment:
                yield each.name, width

    def _others(self, widths: dict[str, int]) -> set[str]:
        """Returns the variables that are also used in another way, or with another width."""
        found = set[str]()
        for each in self.statements if widths else ():
            named = widths.keys() & names_in(blanked(each.text))
            record = each.record
            if not named or record.kind is Kind.DECLARATION:
                continue
            moved = self._moved(each, record) if isinstance(record, Shape) else None
            if moved is not None and widths.get(moved[0]) == moved[1]:
                named -= {moved[0]}
            elif isinstance(record, Shape) and record.name == "call":
                call = call_in(each.text)
                if call is not None:
                    named -= {*_items(call.arguments), *_items(call.results)}
            found |= named
        return found


def _head_of(
    symbol: Symbol, parameters: Iterable[BodyVariable], results: Iterable[BodyVariable]
) -> str:
    """Returns the head of a called function."""
    taken, given = (
        ", ".join([each.declaration.rstrip(";") for each in some]) for some in (parameters, results)
    )
    return (
        f".func ({given}) {symbol.name} ({taken})\n{{"
        if given
        else f".func {symbol.name} ({taken})\n{{"
    )


def _items(part: CallPart | None) -> tuple[str, ...]:
    return tuple([each.text for each in items_of(part)])


def _width_of(written: str) -> int:
    """Returns the width of a type; 0 if it is unknown."""
    return isa.database().type_facts.get(written, (0,))[0]


def register_of(variable: BodyVariable, name: str) -> str:
    """Returns the declaration of a register for the value of a variable."""
    return f".reg {variable.type} {name};"


def move(variable: BodyVariable, target: str, source: str) -> str:
    """Returns an instruction that moves the value of a variable."""
    width = _width_of(variable.type)
    kind = _PREDICATE if variable.type == _PREDICATE else f".b{width}"
    return f"mov{kind} {target}, {source};"
