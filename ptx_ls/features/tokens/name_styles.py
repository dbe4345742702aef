"""The styles of names: a register by the class of its type, a function, a parameter."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Final

from ptx_ls import isa
from ptx_ls.document.facts import fact
from ptx_ls.features.operand_traits import class_of_type
from ptx_ls.features.tokens.token_kinds import UNKNOWN, TokenKind, TokenTrait, style
from ptx_ls.isa.reference import find_special_register
from ptx_ls.semantics.symbols.module import region_facts
from ptx_ls.semantics.symbols.module_names import module_names
from ptx_ls.semantics.symbols.symbols import SymbolKind
from ptx_ls.source import Position
from ptx_ls.syntax.record import Kind

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ptx_ls.document.document import Document
    from ptx_ls.document.function import Function
    from ptx_ls.features.tokens.token_patterns import LineForm
    from ptx_ls.semantics.symbols.region import RegionFacts
    from ptx_ls.semantics.symbols.symbols import Facts

_KINDS: Final = {
    SymbolKind.REGISTER: TokenKind.REGISTER,
    SymbolKind.VARIABLE: TokenKind.VARIABLE,
    SymbolKind.PARAMETER: TokenKind.PARAMETER,
    SymbolKind.LABEL: TokenKind.LABEL,
    SymbolKind.FUNCTION: TokenKind.FUNCTION,
    SymbolKind.KERNEL: TokenKind.KERNEL,
    SymbolKind.PROTOTYPE: TokenKind.FUNCTION,
    SymbolKind.BRANCH_TARGETS: TokenKind.LABEL,
    SymbolKind.CALL_TARGETS: TokenKind.LABEL,
}
_MAX_HEAD_LINES: Final = 50
_SPECIAL: Final = style(
    TokenKind.SPECIAL_REGISTER, TokenTrait.READONLY | TokenTrait.PREDEFINED | TokenTrait.INTEGER
)
_LABEL: Final = style(TokenKind.LABEL, TokenTrait(0))
_PREDEFINED: Final = style(TokenKind.CONSTANT, TokenTrait.READONLY | TokenTrait.PREDEFINED)


def style_of(facts: Facts) -> int:
    """Returns the style of a declared name."""
    return _style_of(facts.kind, facts.space, facts.type)


@lru_cache(maxsize=256)
def _style_of(symbol: str, space: str, type_: str) -> int:
    kind = _KINDS[SymbolKind(symbol)]
    traits = TokenTrait(0)
    if kind is TokenKind.REGISTER:
        traits = class_of_type(type_)
    elif kind is TokenKind.VARIABLE and space == ".param":
        kind = TokenKind.PARAMETER
    elif space == ".const":
        traits = TokenTrait.READONLY
    return style(kind, traits)


@fact
def _bank_styles(function: Function) -> Mapping[str, int]:
    """Returns the highlighting style of each register bank of a function, by canonical name."""
    return {name: style_of(facts) for name, facts in region_facts(function).banks.items()}


class ModuleStyles:
    """Styles of names with module scope. Made for one request."""

    def __init__(self, document: Document) -> None:
        self._document = document
        self._known: dict[str, int] = {}

    def find(self, name: str) -> int:
        """Returns the style of a function, a variable of the module or a predefined name."""
        found = self._known.get(name)
        if found is None:
            found = self._known[name] = self._find(name)
        return found

    def _find(self, name: str) -> int:
        names = module_names(self._document)
        if names.is_function(name):
            return style(TokenKind.KERNEL if self._is_kernel(name) else TokenKind.FUNCTION)
        if names.is_variable(name):
            return style(TokenKind.VARIABLE)
        base = name.rstrip("0123456789")
        if names.is_variable(base):
            return style(TokenKind.REGISTER)
        database = isa.database()
        if find_special_register(database.special_registers, name) is not None:
            return _SPECIAL
        return _PREDEFINED if name in database.predefined else UNKNOWN

    def _is_kernel(self, name: str) -> bool:
        """Whether a function is a kernel, by its head alone: its body may be long."""
        document = self._document
        for number in module_names(document).declaring_function(name):
            located = document.functions[number]
            if located.head is not Kind.FUNCTION:
                continue
            first, column = located.start
            head = document.lines[first : first + _MAX_HEAD_LINES]
            for line in (head[0][column:], *head[1:]):
                if ".entry" in line:
                    return True
                if name in line:
                    break
        return False


class RegionStyles:
    """Styles of the names in one function. `outer`: the names found in the module, with styles."""

    def __init__(self, document: Document, index: int, module: ModuleStyles) -> None:
        self._located = document.functions[index]
        self.facts = region_facts(self._located.function)
        self._module = module
        self._by_scope: dict[int, dict[str, int]] = {}
        self._in_body: dict[str, int] = {}
        first = self._located.first_line
        body = _body(self.facts)
        self._body = range(first + body.start, first + body.stop)
        self.outer: dict[str, int] = {}
        self.banks = _bank_styles(self._located.function)
        """Styles of the register banks, by canonical name."""
        self._by_names: dict[tuple[str, ...], tuple[int, ...] | None] = {}

    def of_banks(self, names: tuple[str, ...]) -> tuple[int, ...] | None:
        """Returns the styles of canonical names; None if any of them is not the name of a bank."""
        by_names = self._by_names
        if names not in by_names:
            found = tuple([self.banks.get(name, UNKNOWN) for name in names])
            by_names[names] = None if UNKNOWN in found else found
        return by_names[names]

    def of_words(self, form: LineForm, text: str, line: int) -> tuple[int, ...]:
        """Returns the styles of all names of a line."""
        banks = self.banks
        return tuple(
            [
                banks.get(name) or self.find(text[start:stop], line, start)
                for name, (start, stop) in zip(form.names, form.name_spans, strict=True)
            ]
        )

    def find(self, name: str, line: int, column: int) -> int:
        """Returns the style of a name at a place of the document."""
        if line in self._body:
            known = self._in_body
            found = known.get(name)
            if found is not None:
                return found
            scope = self.facts.scope
        else:
            scope = self.facts.scope_at(self._located.place(Position(line, column)))
            known = self._by_scope.setdefault(id(scope), {})
            found = known.get(name)
            if found is not None:
                return found
        if name in scope.labels:
            known[name] = _LABEL
            return _LABEL
        symbol = scope.names.get(name) or scope.lookup(name) or scope.lookup_range(name)
        if symbol is not None:
            found = _style_of(symbol.kind, symbol.space, symbol.type)
        else:
            found = self.outer[name] = self._module.find(name)
        known[name] = found
        return found


def _body(facts: RegionFacts) -> range:
    """Returns the rows inside a body that has no blocks; empty for other functions."""
    if len(facts.events) != len("{}") or facts.has_blocks:
        return range(0)
    (first, _), (last, _) = facts.events
    return range(first + 1, last)
