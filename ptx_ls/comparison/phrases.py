"""Statements without white space and comments, and with their names apart from the rest."""

from __future__ import annotations

import struct
from typing import TYPE_CHECKING, Final

from ptx_ls.source.named_tuple import NamedTuple
from ptx_ls.syntax import tokens
from ptx_ls.syntax.literals import integer
from ptx_ls.syntax.normalize import split_at_registers

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_NOT_NAMES: Final = frozenset({"_", "WARP_SZ"})
_CLOSING: Final = frozenset(")]}")
_COMPONENTS: Final = {"r": "x", "g": "y", "b": "z", "a": "w"}
"""The components of a vector that have two names."""
_OPERATORS_WITH_SIGN: Final = frozenset({"/", "%", "<", "<=", ">", ">=", ">>", "?"})
"""Operators whose result depends on whether their operands are signed."""
_PROTOTYPE: Final = ".callprototype"
_MARKS_OF_SLOW_TEXT: Final = ('"', "/", "\\", "\0")
_MAX_PHRASES: Final = 1 << 16
"""Maximum number of statements without their registers to remember."""


class Phrase(NamedTuple):
    """A statement: the texts before, between and after its names, and the names.

    Attributes:
        pieces: canonical text; one more than there are names.
        names: as spelled, without components: `%v` for `%v.x`. An opcode is not a name.
    """

    pieces: tuple[str, ...]
    names: tuple[str, ...]


def rendered(pieces: Sequence[str], names: Sequence[str]) -> str:
    """Returns the text of a statement with the given names."""
    parts = [pieces[0]]
    for name, piece in zip(names, pieces[1:], strict=True):
        parts += (name, piece)
    return "".join(parts)


class PhraseReader:
    """Reads statements; those that differ only in registers are read once."""

    def __init__(self) -> None:
        self._known: dict[tuple[bool, str], tuple[tuple[str, ...], tuple[int | str, ...]]] = {}

    def read(self, text: str, *, has_opcode: bool) -> Phrase:
        """Returns the phrase of a statement; `has_opcode`: its first name is not an operand.

        The parameters of a prototype have no names, as nothing can refer to them.
        """
        if not has_opcode and text.startswith(_PROTOTYPE):
            pieces, names = _read(text, has_opcode=False)
            return Phrase((rendered(pieces, ["_"] * len(names)),), ())
        if any(mark in text for mark in _MARKS_OF_SLOW_TEXT):
            return _read(text, has_opcode=has_opcode)
        parts = split_at_registers(text)
        registers = parts[1::2]
        key = has_opcode, "\0".join(parts[::2])
        known = self._known.get(key)
        if known is None:
            phrase = _read(text, has_opcode=has_opcode)
            numbers = iter(range(len(registers)))
            order = tuple(next(numbers, -1) if it[0] == "%" else it for it in phrase.names)
            if [it for it in phrase.names if it[0] == "%"] != registers:
                return phrase
            if len(self._known) < _MAX_PHRASES:
                self._known[key] = phrase.pieces, order
            return phrase
        pieces, order = known
        if len(order) == len(registers):
            return Phrase(pieces, tuple(registers))
        names = tuple([registers[it] if isinstance(it, int) else it for it in order])
        return Phrase(pieces, names)


def _read(text: str, *, has_opcode: bool) -> Phrase:
    pieces: list[str] = [""]
    names: list[str] = []
    before, is_opcode_next, is_in_opcode = "", has_opcode, False
    for kind, token in _words(text):
        if has_opcode and kind == "dotted":  # a modifier or a component
            pieces[-1] += token
            continue
        if has_opcode and token == "\\":  # ptxas ignores it
            continue
        is_guard = before in ("@", "!")
        is_name = kind in ("reg", "word") and token.partition(".")[0] not in _NOT_NAMES
        is_opcode = is_opcode_next and kind == "word" and not is_guard
        is_after_guard = is_opcode and bool(names)
        if (is_in_opcode and token != ";") or is_after_guard or _are_apart(before, token):
            pieces[-1] += " "
        is_in_opcode = is_opcode
        if is_opcode:
            is_opcode_next = False
        if is_name and not is_opcode:
            name, dot, component = token.partition(".")
            names.append(name)
            pieces.append(dot + _COMPONENTS.get(component, component))
        else:
            pieces[-1] += token
        before = token
    if has_opcode:
        pieces = [_simpler_address(piece) for piece in pieces]
    return Phrase(tuple(pieces), tuple(names))


def _simpler_address(piece: str) -> str:
    """Returns a text after a name without a needless sign or offset of an address."""
    if piece[:1] not in ("+", "-"):
        return piece
    return piece.replace("+-", "-").replace("+0]", "]").replace("-0]", "]")


def _words(text: str) -> Iterator[tuple[str, str]]:
    """Yields the kind and the canonical spelling of each token.

    A number keeps its `U` if the value of a constant expression may depend on it.
    """
    found = [(str(match.lastgroup), match[0]) for match in tokens.TOKEN.finditer(text)]
    has_sign = "U" in text and any(token in _OPERATORS_WITH_SIGN for _, token in found)
    for kind, token in found:
        if kind == "number":
            yield kind, number_text(token) + "U" * (has_sign and token.endswith("U"))
        elif kind == "numbers":
            yield kind, ", ".join(number_text(it.strip(" \t\r\n-+"), it) for it in token.split(","))
        elif kind != "space":
            yield kind, token


def number_text(digits: str, written: str = "") -> str:
    """Returns a number in decimal, or as the bits of a float; with the sign that is written."""
    sign = "-" if written.lstrip().startswith("-") else ""
    value = integer(digits)
    if value is not None:
        return f"{sign}{value}"
    if digits[:2].lower() in ("0f", "0d"):
        return sign + digits.lower()
    try:
        return f"{sign}0d{struct.pack('>d', float(digits)).hex()}"
    except (ValueError, OverflowError):
        return sign + digits


def _are_apart(before: str, token: str) -> bool:
    """Whether a space belongs between two tokens."""
    if not before:
        return False
    if before in (",", "%"):  # `5 %4` is not a register
        return True
    begins = token[0].isalnum() or token[0] in '_$%."{'
    if before[-1] in _CLOSING:
        return begins or token[0] == "("
    return begins and (before[-1].isalnum() or before[-1] in '_$"')
