"""Signatures of calls: the parameters and results of what is called."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ptx_ls.document.coordinates import FUNCTION_START
from ptx_ls.document.statements import statements_on
from ptx_ls.features import markup
from ptx_ls.features.signature.signature_item import Label, SignatureItem
from ptx_ls.semantics.demangle import demangled
from ptx_ls.semantics.symbols import function_heads
from ptx_ls.semantics.symbols.symbols import SymbolKind
from ptx_ls.syntax import tokens

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ptx_ls.features.completion.typing_place import TypingPlace
    from ptx_ls.semantics.analysis import Analysis, LocatedSymbol
    from ptx_ls.semantics.symbols.symbols import Symbol
    from ptx_ls.syntax.tokens import Token

_PROTOTYPE: Final = ".callprototype"
_TARGETS: Final = ".calltargets"
_MAX_SIGNATURES: Final = 8
_ENDS: Final = (";", "{", "}")


def signatures(
    analysis: Analysis, place: TypingPlace, statement: Sequence[Token], whole: Sequence[Token]
) -> list[SignatureItem]:
    """Returns the functions that a call may reach, with the argument or result at the cursor.

    `statement` has the tokens before the cursor, `whole` those of the whole statement. Returns none
    if the function is unknown.
    """
    written = whole[0].string
    found = list(called(analysis, place, whole))[:_MAX_SIGNATURES]
    return [_signature(written, each, statement) for each in found]


def called(analysis: Analysis, place: TypingPlace, whole: Sequence[Token]) -> dict[Symbol, None]:
    """Returns the functions that a call may reach, each once; `whole` are its tokens."""
    names = _names(whole)
    position = place.range.start
    return dict.fromkeys(
        function
        for name in reversed(names[:1] + names[-1:])
        if (declared := analysis.lookup(name, position)) is not None
        for function in _functions(analysis, declared)
    )


def formal(analysis: Analysis, place: TypingPlace, statement: Sequence[Token]) -> Symbol | None:
    """Returns the parameter or result at the cursor in a list; None if unknown."""
    for function in called(analysis, place, whole_statement(place, statement)):
        number = _active(function, statement)
        if number >= 0:
            return (*function.returns, *function.parameters)[number]
    return None


def whole_statement(place: TypingPlace, statement: Sequence[Token]) -> list[Token]:
    """Returns the tokens of a statement, with those after the cursor on its line."""
    found = list(statement)
    for token in tokens.tokenize(place.word + place.after):
        if token.type is tokens.ENDMARKER or token.string in _ENDS:
            break
        found.append(token)
    return found


def _names(whole: Sequence[Token]) -> list[str]:
    """Returns the names outside of a call's parentheses: function, prototype, target list."""
    found, depth = [], 0
    for token in whole[1:]:
        if token.string == "(":
            depth += 1
        elif token.string == ")":
            depth -= 1
        elif depth == 0 and token.type in (tokens.WORD, tokens.REG):
            found.append(token.string)
    return found


def _functions(analysis: Analysis, declared: LocatedSymbol) -> Iterator[Symbol]:
    symbol = declared.symbol
    if symbol.kind is SymbolKind.FUNCTION:
        yield symbol
    elif symbol.kind in (SymbolKind.PROTOTYPE, SymbolKind.CALL_TARGETS):
        yield from _listed(analysis, declared)


def _listed(analysis: Analysis, declared: LocatedSymbol) -> Iterator[Symbol]:
    """Yields what the directive after a label lists: one prototype, or functions."""
    document = analysis.document
    end = declared.range.end
    for line in range(end.line, min(end.line + 3, len(document.lines))):
        for statement in statements_on(document, line):
            if statement.start < end and statement.end <= end:
                continue
            if _PROTOTYPE in statement.text:
                head = statement.text[statement.text.index(_PROTOTYPE) :]
                head = head.replace(_PROTOTYPE, ".func", 1)
                read = function_heads.of_function(head, FUNCTION_START)
                if read is not None:
                    yield read
                return
            if _TARGETS in statement.text:
                names = statement.text[statement.text.index(_TARGETS) + len(_TARGETS) :]
                for token in tokens.tokenize(names):
                    known = analysis.module_symbol(token.string)
                    if known is not None and known.symbol.kind is SymbolKind.FUNCTION:
                        yield known.symbol
                return


def _signature(written: str, function: Symbol, statement: Sequence[Token]) -> SignatureItem:
    label = Label(f"{written} ")
    if function.returns:
        _add(label, function.returns, "result")
        label.add(", ")
    label.add(function.name)
    if function.parameters:
        label.add(", ")
        _add(label, function.parameters, "parameter")
    active = _active(function, statement)
    text = demangled(function.name)
    about = markup.paragraphs(
        markup.code(text) if text else "", markup.block(function.text.rstrip("{ "))
    )
    return SignatureItem(label.text, tuple(label.parameters), active, about)


def _add(label: Label, parameters: Sequence[Symbol], role: str) -> None:
    label.add("(")
    for number, parameter in enumerate(parameters):
        label.add(", " if number else "")
        words = (
            f"{role} {number + 1} of {len(parameters)}" if len(parameters) > 1 else f"the {role}"
        )
        text = " ".join(parameter.text.split()) or f"{parameter.space} {parameter.type}"
        label.add_parameter(text, markup.filled("{}: {}", markup.code(parameter.name), words))
    label.add(")")


def _active(function: Symbol, statement: Sequence[Token]) -> int:
    """Returns the number of the parameter or result at the cursor; -1 outside of the lists."""
    depth = commas = lists = 0
    has_name = False
    for token in statement[1:]:
        if token.string == "(":
            depth, commas, lists = 1, 0, lists + 1
        elif token.string == ")":
            depth = 0
        elif token.string == "," and depth:
            commas += 1
        elif not depth and token.type in (tokens.WORD, tokens.REG):
            has_name = True
    if not depth:
        return -1
    if not has_name:
        is_result = bool(function.returns)
        return commas if is_result and commas < len(function.returns) else -1
    last = len(function.parameters) - 1
    return len(function.returns) + min(commas, last) if commas <= last else -1
