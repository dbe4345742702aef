"""The tokens of one statement by its text alone; the styles of its names are decided elsewhere."""

from __future__ import annotations

from functools import lru_cache, partial
from itertools import islice
from typing import TYPE_CHECKING, Final

from ptx_ls.features.operand_traits import NameTraits, ShapeTraits, class_of_type
from ptx_ls.features.tokens.token_kinds import TokenKind, TokenTrait
from ptx_ls.source.named_tuple import NamedTuple
from ptx_ls.syntax import tokens
from ptx_ls.syntax.boundaries import LOCATION_WORDS
from ptx_ls.syntax.dotted import parts_of_opcode
from ptx_ls.syntax.record import Kind
from ptx_ls.syntax.tokens import MAX_STATEMENT_LENGTH

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

_WORDS: Final = ("reg", "word")
_LEFT_OUT: Final = ("space", "error")
_UNCLOSED: Final = "/*"
_DOTTED: Final = {
    tokens.TYPE: TokenKind.TYPE,
    tokens.VECTOR: TokenKind.TYPE,
    tokens.SPACE: TokenKind.STATE_SPACE,
    tokens.LINKAGE: TokenKind.DIRECTIVE,
    tokens.FUNCTION: TokenKind.DIRECTIVE,
    tokens.TUNING: TokenKind.DIRECTIVE,
    tokens.DIRECTIVE: TokenKind.DIRECTIVE,
}
_FIXED: Final = {
    "number": TokenKind.NUMBER,
    "numbers": TokenKind.NUMBER,
    "string": TokenKind.STRING,
    "line": TokenKind.DIRECTIVE,
    "raw": TokenKind.STRING,
}
_DIRECTIVE_NAMES: Final = {
    ".target": TokenKind.CONSTANT,
    ".branchtargets": TokenKind.LABEL,
    ".calltargets": TokenKind.FUNCTION,
    ".callprototype": TokenKind.PARAMETER,
    ".alias": TokenKind.FUNCTION,
}
_NONE: Final = TokenTrait(0)


class NameToken(NamedTuple):
    """A name whose kind its declaration decides. `default`: the kind without a declaration."""

    text: str
    default: TokenKind
    traits: NameTraits


class SyntaxToken(NamedTuple):
    """A token by its offset in the text. If it is a `name`, that decides its style later."""

    start: int
    length: int
    kind: TokenKind
    traits: TokenTrait = _NONE
    name: NameToken | None = None


_Lexed = tuple[str, str, int]
"""Group of the regular expression, text and offset."""


def statement_tokens(
    kind: Kind, text: str, traits: ShapeTraits | None = None
) -> Iterator[SyntaxToken]:
    """Yields the tokens of a statement (or of its whole line) without comments and operators.

    Only the first `MAX_STATEMENT_LENGTH` characters are read. `traits` are those of the shape, for
    an instruction without a syntax error.
    """
    reader = _READERS.get(kind)
    return reader(_lexed(text), traits or ShapeTraits()) if reader is not None else iter(())


def _lexed(text: str) -> Iterator[_Lexed]:
    for match in tokens.TOKEN.finditer(text, 0, MAX_STATEMENT_LENGTH):
        if match.lastgroup not in _LEFT_OUT:
            yield str(match.lastgroup), match[0], match.start()


def comments(text: str) -> list[tuple[int, int]]:
    """Returns the start and end of each comment, without its line end.

    An unclosed comment extends to the end of the text, and is omitted.
    """
    found: list[tuple[int, int]] = []
    last_end = text.rfind("*/")  # a comment with NUL in it is not one token, but may be closed
    for match in tokens.TOKEN.finditer(text, 0, MAX_STATEMENT_LENGTH):
        if match[0] == _UNCLOSED and match.end() > last_end:
            break
        if match.lastgroup == "space" and match[0][0] == "/":
            found.append((match.start(), match.start() + len(match[0].rstrip("\r\n"))))
    return found


def _plain(lexed: _Lexed) -> Iterator[SyntaxToken]:
    """Yields the token of a word that is not a name."""
    group, text, start = lexed
    if group == "dotted":
        yield SyntaxToken(start, len(text), _dotted(text))
    elif group in _FIXED:
        yield SyntaxToken(start, len(text), _FIXED[group])


@lru_cache(maxsize=1 << 10)
def _dotted(text: str) -> TokenKind:
    kind = tokens.dotted_type(text.partition("::")[0])
    return _DOTTED.get(kind, TokenKind.MODIFIER)


def _named(lexed: _Lexed, default: TokenKind, traits: NameTraits) -> Iterator[SyntaxToken]:
    """Yields a name to look up, and the selector after it."""
    _, text, start = lexed
    name, dot, _ = text.partition(".")
    yield SyntaxToken(start, len(name), default, name=NameToken(name, default, traits))
    if dot:
        yield SyntaxToken(start + len(name), len(text) - len(name), TokenKind.MODIFIER)


def _instruction(lexed: Iterator[_Lexed], traits: ShapeTraits) -> Iterator[SyntaxToken]:
    has_opcode = has_guard = False
    number = 0
    by_use = default_kind(traits)
    for each in lexed:
        group, text, start = each
        if group == "operator":
            has_guard |= text == "@"
        elif group not in _WORDS:
            yield from _plain(each)
        elif has_guard or has_opcode:
            if text == "_":
                continue
            known = traits.names[number] if number < len(traits.names) else NameTraits()
            default = TokenKind.REGISTER if group == "reg" or has_guard else by_use
            yield from _named(each, default, known)
            number += 1
            has_guard = False
        else:
            has_opcode = True
            first, *others = opcode_parts(text)
            yield SyntaxToken(start, first[1], TokenKind.OPCODE, traits.opcode)
            for offset, length, kind in others:
                yield SyntaxToken(start + offset, length, kind)


@lru_cache(maxsize=1 << 10)
def opcode_parts(text: str) -> list[tuple[int, int, TokenKind]]:
    """Returns the offset, length and kind of the opcode and of each modifier."""
    return [
        (part.start(), len(part[0]), _dotted(part[0]) if part.start() else TokenKind.OPCODE)
        for part in parts_of_opcode(text)
    ]


def default_kind(traits: ShapeTraits) -> TokenKind:
    """Returns the kind of an undeclared name that is not a register."""
    return _DEFAULTS.get(traits.takes, TokenKind.VARIABLE)


_DEFAULTS: Final = {"branch": TokenKind.LABEL, "call": TokenKind.FUNCTION}


def _label(lexed: Iterator[_Lexed], _traits: ShapeTraits) -> Iterator[SyntaxToken]:
    for group, text, start in islice(lexed, 1):
        if group in _WORDS:
            yield SyntaxToken(start, len(text), TokenKind.LABEL, TokenTrait.DECLARATION)


def _declaration(lexed: Iterator[_Lexed], _traits: ShapeTraits) -> Iterator[SyntaxToken]:
    space, depth, in_value = "", 0, False
    own = TokenTrait.DECLARATION | TokenTrait.DEFINITION
    by_type = _NONE
    for each in lexed:
        group, text, start = each
        if group == "operator":
            depth += (text in "([{<") - (text in ")]}>")
            in_value = (in_value or text == "=") and not (text == "," and not depth)
        elif group == "dotted":
            if text == ".extern":
                own = TokenTrait.DECLARATION
            kind = _dotted(text)
            if kind is TokenKind.STATE_SPACE or text in (".reg", ".sreg"):
                space, kind = space or text, TokenKind.STATE_SPACE
            by_type = class_of_type(text) or by_type
            yield SyntaxToken(start, len(text), kind)
        elif group not in _WORDS:
            yield from _plain(each)
        elif in_value or depth:
            yield from _named(each, TokenKind.VARIABLE, NameTraits())
        else:
            kind, traits = _declared(space, by_type)
            yield SyntaxToken(start, len(text), kind, traits | own)


def _declared(space: str, by_type: TokenTrait) -> tuple[TokenKind, TokenTrait]:
    """Returns the kind and traits of a name that is declared in a state space."""
    if space in (".reg", ".sreg"):
        return TokenKind.REGISTER, by_type
    if space == ".param":
        return TokenKind.PARAMETER, _NONE
    return TokenKind.VARIABLE, TokenTrait.READONLY if space == ".const" else _NONE


def _head(lexed: Iterator[_Lexed], _traits: ShapeTraits, own: TokenTrait) -> Iterator[SyntaxToken]:
    kind, depth, is_register, is_named = TokenKind.FUNCTION, 0, False, False
    by_type = _NONE
    for each in lexed:
        group, text, start = each
        if group == "operator":
            depth += (text in "([") - (text in ")]")
            is_register = is_register and text not in "(,)"
        elif group in _WORDS:
            if text == "_":
                continue
            if depth:
                found = TokenKind.REGISTER if is_register else TokenKind.PARAMETER
                traits = TokenTrait.DECLARATION | (by_type if is_register else _NONE)
                yield SyntaxToken(start, len(text), found, traits)
            elif not is_named:
                is_named = True
                yield SyntaxToken(start, len(text), kind, own)
        else:
            if text == ".entry":
                kind = TokenKind.KERNEL
            is_register = is_register or text == ".reg"
            by_type = class_of_type(text) or by_type
            is_space = text == ".reg"
            plain = SyntaxToken(start, len(text), TokenKind.STATE_SPACE)
            yield from [plain] if is_space else _plain(each)


def _directive(lexed: Iterator[_Lexed], _traits: ShapeTraits) -> Iterator[SyntaxToken]:
    kind: TokenKind | None = None
    for number, each in enumerate(lexed):
        group, text, start = each
        if number == 0:
            kind = _DIRECTIVE_NAMES.get(text)
            yield SyntaxToken(start, len(text), TokenKind.DIRECTIVE)
        elif group not in _WORDS:
            yield from _plain(each)
        elif kind in (TokenKind.LABEL, TokenKind.FUNCTION):
            yield from _named(each, kind, NameTraits(by_type=_NONE))
        elif kind is not None and text != "_":
            yield SyntaxToken(start, len(text), kind)


def _data(lexed: Iterator[_Lexed], _traits: ShapeTraits) -> Iterator[SyntaxToken]:
    for each in lexed:
        if each[0] in _WORDS:
            yield from _named(each, TokenKind.LABEL, NameTraits(by_type=_NONE))
        else:
            yield from _plain(each)


def _location(lexed: Iterator[_Lexed], _traits: ShapeTraits) -> Iterator[SyntaxToken]:
    for each in lexed:
        if each[0] not in _WORDS:
            yield from _plain(each)
        elif each[1] in LOCATION_WORDS:
            yield SyntaxToken(each[2], len(each[1]), TokenKind.DIRECTIVE)
        else:
            yield SyntaxToken(each[2], len(each[1]), TokenKind.LABEL)


_READERS: Final[dict[Kind, Callable[[Iterator[_Lexed], ShapeTraits], Iterator[SyntaxToken]]]] = {
    Kind.INSTRUCTION: _instruction,
    Kind.BROKEN: _instruction,
    Kind.LABEL: _label,
    Kind.DECLARATION: _declaration,
    Kind.FUNCTION: partial(_head, own=TokenTrait.DECLARATION | TokenTrait.DEFINITION),
    Kind.FUNCTION_DECLARATION: partial(_head, own=TokenTrait.DECLARATION),
    Kind.SECTION: _directive,
    Kind.DIRECTIVE: _directive,
    Kind.LOCATION: _location,
    Kind.DATA: _data,
    Kind.LINE: _directive,
}
