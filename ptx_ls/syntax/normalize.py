"""Normalizes instructions, so that those of the same shape become the same text."""

from __future__ import annotations

import re
from typing import Final

from ptx_ls.source.patterns import LazyPattern
from ptx_ls.syntax import tokens
from ptx_ls.syntax.literals import NUMBER_PATTERN, is_out_of_range
from ptx_ls.syntax.names import LETTERS, NO_MORE, REGISTER_NAME

PUNCTUATION: Final = frozenset("-+,[]{}()|!~<>*&^ \t/?:=%;") | {
    "<<",
    ">>",
    "<=",
    ">=",
    "==",
    "!=",
    "&&",
    "||",
}

_WARP: Final = "WARP_SZ"
_SUFFIXES: Final = (tokens.TYPE, tokens.SPACE, tokens.VECTOR, tokens.NAME, tokens.LINKAGE)
"""Types of tokens that the grammar accepts as a separate modifier, unlike directives."""
_APART: Final = frozenset(",;[](){} \t")
"""Characters next to which tokens need no space between them."""
_FIRST_MODIFIER: Final = LazyPattern(r"[^.]+\.[\w:]+", re.ASCII).match
_NUMBERS: Final = re.compile(r"\d++", re.ASCII).sub
split_at_registers: Final = LazyPattern(rf"({REGISTER_NAME})", re.ASCII).split
"""Returns the texts around the registers of a text, and the registers between these."""
_REGISTER_NUMBERS: Final = re.compile(rf"(%{LETTERS})\d++{NO_MORE}", re.ASCII).split


def with_zero_registers(text: str) -> str:
    """Returns a text with the number of each register as 0; keeps `%r` without a number."""
    parts: list[str] = _REGISTER_NUMBERS(text)
    parts[1::2] = [name + "0" for name in parts[1::2]]
    return "".join(parts)


def canonical_statement(text: str) -> tuple[str, str, str]:
    """Returns the guard, opcode and operands of an instruction in normalized form.

    A space in the opcode replaces white space and comments between its parts.
    """
    guard: list[str] = []
    opcode = ""
    rest: list[str] = []
    for token in tokens.tokenize(text):
        if token.type is tokens.ENDMARKER:
            break
        if opcode and not rest and token.type is tokens.DETACHED:
            opcode = _with_detached(opcode, token.string)
        elif rest or (opcode and (token.type is tokens.FLOAT or token.string[0] != ".")):
            rest.append(canonical_word(token.string))
        elif opcode:
            opcode += _modifier(token)
        elif _is_opcode(token) and guard[-1:] not in (["@"], ["!"]):
            opcode = token.string
            if guard[-1:] == [tokens.ESCAPE] and opcode.partition(".")[0] != tokens.CALL:
                guard.pop()
        else:
            is_mark = token.string in ("@", tokens.ESCAPE)
            guard.append(token.string if is_mark else canonical_word(token.string))
    if rest[-1:] == [";"]:
        rest.pop()
    # Separate if not a guard: `@@` begins a line for other tools, `%p .b16` is not `%p.b16`.
    is_guard = guard.count("@") < 2 and len(guard) <= 2 + (guard[1:2] == ["!"])  # noqa: PLR2004
    joint = "" if is_guard else " "
    return joint.join(guard).replace(tokens.ESCAPE, "\0"), opcode, _spaced(rest)


def _is_opcode(token: tokens.Token) -> bool:
    return token.type is tokens.WORD and token.string != _WARP


def _modifier(token: tokens.Token) -> str:
    """Returns a modifier, after a space if it is separate; NUL if a token is not a modifier."""
    if token.type not in _SUFFIXES:
        return "\0"
    return f" {token.string}" if token.prefix else token.string


def _with_detached(opcode: str, part: str) -> str:
    """Joins `::ld` to `.wait` in an opcode, or drops a part that belongs to another opcode."""
    match = _FIRST_MODIFIER(opcode)
    if match is None or not tokens.belongs_to(part, match[0].replace(" ", "")):
        return opcode
    return match[0] + part + opcode[match.end() :]


def _spaced(words: list[str]) -> str:
    """Joins words, with a space where two would otherwise form one token."""
    text = ""
    for word in words:
        if text and word and text[-1] not in _APART and word[0] not in _APART:
            text += " "
        text += word
    return text


def canonical_word(part: str) -> str:
    """Returns the normalized form of a token of an operand; NUL if it is invalid."""
    if part in PUNCTUATION:
        return " " if part == "\t" else part
    first, word = part[0], "\0"
    if not part.isascii() and first != '"':
        word = "\0"
    elif first == "%" and len(part) > 1:
        name, dot, selector = part.partition(".")
        word = _NUMBERS("0", name) + dot + selector
    elif first == "." and part[1:2].isalpha():
        word = part
    elif first.isdigit() or first == ".":
        word = _canonical_number(part)
    elif first.isalpha() or first in "_$":
        word = _canonical_name(part)
    elif first in " \t":
        word = " "
    elif first == '"' and part[-1] == '"' and len(part) > 1:
        word = '""'
    return word


def _canonical_name(part: str) -> str:
    name, dot, selector = part.partition(".")
    if name in ("_", _WARP):
        return part
    return f"n{dot}{selector}"


def _canonical_number(part: str) -> str:
    head = part[:2].lower()
    if part == "." or not re.fullmatch(NUMBER_PATTERN, part, re.ASCII):
        return "\0"
    if is_out_of_range(part):
        return "\0"
    if head == "0f":
        return "0f00000000"
    if head == "0d":
        return "0d0000000000000000"
    if head not in ("0x", "0b") and any(mark in part for mark in ".eE"):
        return "0.0"
    return "0"


def canonical_guard(guard: str) -> str:
    """Returns a guard, with `@` and `!`, in normalized form."""
    name = guard[1:].strip(" \t")
    sign = "!" if name.startswith("!") else ""
    return f"@{sign}{canonical_word(name[len(sign) :].strip())}"
