"""The messages of syntax errors, which summarize the expected tokens in words."""

from __future__ import annotations

import string
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from ptx_ls.isa.foreign_names import type_named
from ptx_ls.lint.messages import quoted
from ptx_ls.lint.suggestions import nearest
from ptx_ls.source.english import either
from ptx_ls.syntax import tokens
from ptx_ls.syntax.literals import is_out_of_range

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ptx_ls.semantics.problems.instructions import BadSyntax
    from ptx_ls.syntax.parser import RunProblem

_NOUNS: Final = {
    "FLOAT": "a number",
    "NUMBER": "an integer",
    "STRING": "a string",
    "TYPE": "a type",
    "SPACE": "a state space",
    "FUNCTION": "`.entry`",
    "TUNING": "a function directive",
    "RAW": "`.source_begin` and `.source_end`, each at the end of its line",
}
_SPELLINGS: Final = {
    "TYPE": tokens.TYPES,
    "VECTOR": tokens.VECTORS,
    "SPACE": tokens.SPACES,
    "LINKAGE": tokens.LINKAGES,
    "FUNCTION": tokens.FUNCTIONS,
    "TUNING": tokens.TUNINGS,
}
_OPERAND: Final = frozenset({"NUMBER", "REG", "STRING", "WORD", "[", "{"})
_WARP: Final = "WARP_SZ"
"""A name that is allowed in place of any integer, but not listed in messages."""
_HIDDEN: Final = ".hidden"
"""A directive that only compilers write; the manual does not have it."""
_STATEMENT: Final = ".version"
"""A directive that is expected only where a statement begins."""
_HEADERS: Final = {
    ".version": "a version must be two numbers, as in `.version 8.0`",
    ".target": "expected a target, as in `.target sm_90`",
    ".address_size": "an address size must be `32` or `64`",
}
"""Messages about an argument of a directive that begins a module."""
_FOREIGN: Final = {
    "cluster": ".reqnctapercluster",
    "launch": ".maxntid",
    "maxregs": ".maxnreg",
    "maxrregcount": ".maxnreg",
    "maxthreads": ".maxntid",
    "minblocks": ".minnctapersm",
    "blockdim": ".reqntid",
    "blocksize": ".reqntid",
}
"""Directives by the beginnings of names that CUDA C++ has for them, without underscores."""
_CLOSERS: Final = (")", "]", "}")
_MISPLACED: Final = frozenset({".align", ".ptr", ".attribute"})
_OPENING: Final = frozenset(
    (tokens.DIRECTIVES | tokens.SPACES | tokens.LINKAGES | tokens.FUNCTIONS)
    - _MISPLACED
    - {".generic"}
)
"""Dotted words that may begin a statement, as suggestions for an unknown directive."""
_BROKEN: Final = {
    "\0": "NUL character: ptxas stops reading here",
    "/*": "comment is not closed",
    ".source_begin": "`.source_begin` without `.source_end`",
    ".": "missing name after `.`",
}
_SUFFIXES: Final = ("l", "L", "u", "U")
_PREFIXED: Final = {
    "0f": "a `0f` literal has eight hexadecimal digits",
    "0d": "a `0d` literal has sixteen hexadecimal digits",
    "0x": "expected hexadecimal digits after `0x`",
    "0b": "expected the digits 0 and 1 after `0b`",
}


def is_unknown_directive(mismatch: BadSyntax) -> bool:
    """Whether a directive is expected where an unknown dotted name is."""
    problem = mismatch.problem
    return (
        problem.found.startswith(".")
        and tokens.dotted_type(problem.found) is tokens.NAME
        and (_STATEMENT in problem.expected or "TUNING" in problem.expected)
    )


def near_directive(problem: RunProblem) -> str | None:
    """Returns the most similar directive that is allowed in place of an unknown one."""
    return _near_directive(problem.found, begins=_STATEMENT in problem.expected)


@lru_cache(maxsize=256)
def _near_directive(found: str, *, begins: bool) -> str | None:
    """Returns the most similar directive that begins a statement, or one of a function's head."""
    if not begins:
        plain = found.removeprefix(".").replace("_", "").lower()
        meant = (name for start, name in _FOREIGN.items() if plain.startswith(start))
        return nearest(found, tokens.TUNINGS) or next(meant, None)
    return nearest(found, _OPENING)


def is_unknown_type(problem: RunProblem) -> bool:
    """Whether a type is expected where an unknown dotted name is."""
    return (
        problem.found.startswith(".")
        and tokens.dotted_type(problem.found) is tokens.NAME
        and "TYPE" in problem.expected
        and _STATEMENT not in problem.expected
    )


def near_spelling(problem: RunProblem) -> str | None:
    """Returns the most similar dotted name that is allowed in place of an unknown one."""
    known = _dotted(problem.expected)
    meant = type_named(problem.found)
    return meant if meant in known else nearest(problem.found, known)


def missing_dot(problem: RunProblem) -> str | None:
    """Returns the dotted name that is allowed in place of a word without a dot: `.b32` for `b32`.

    The word may also be a type of C, such as `int`.
    """
    if not problem.found.isidentifier():
        return None
    known, spelling = _dotted(problem.expected), f".{problem.found}"
    return next((each for each in (spelling, type_named(spelling)) if each in known), None)


def _dotted(expected: Iterable[str]) -> set[str]:
    """Returns all spellings of the dotted names that are expected."""
    kinds = set(expected)
    known = {spelling for spelling in kinds if spelling.startswith(".")}
    return known.union(*(_SPELLINGS[kind] for kind in kinds & _SPELLINGS.keys()))


def broken_token(found: str) -> str | None:
    """Returns what is wrong with a token; None if the token is valid."""
    if found.startswith("\ufeff"):
        return "byte order mark at the start of the module"
    if found.startswith('"') and (len(found) == 1 or not found.endswith('"')):
        return "string is not closed"
    if found in _BROKEN:
        return _BROKEN[found]
    token = tokens.TOKEN.match(found)
    is_number = token is not None and token.lastgroup == "number"
    if is_number and is_out_of_range(found):
        is_real = found[:2].lower() not in _PREFIXED and any(mark in found for mark in ".eE")
        kind = "floating-point number" if is_real else "integer"
        return f"{quoted(found)} is out of range for a 64-bit {kind}"
    if found[:1].isdigit() and not is_number:
        return f"malformed number {quoted(found)}" + _note(found)
    if found and not found.isascii():
        return f"{quoted(found)} outside of a comment: PTX code is ASCII"
    return None


def _note(number: str) -> str:
    """Returns a rule that a malformed number violates; "" if none is known."""
    if number[:2].lower() in _PREFIXED:
        return f": {_PREFIXED[number[:2].lower()]}"
    if number.startswith("0") and number[1:2].isdigit():
        return ": a number that begins with 0 is octal; its digits are 0 to 7"
    has_suffix = number.lstrip(string.digits).startswith(_SUFFIXES)
    if not has_suffix and without_suffix(number) is not None:
        return ": a floating-point number has no suffix"
    return ": the only suffix of a number is `U`" if has_suffix else ""


def without_suffix(number: str) -> str | None:
    """Returns a floating-point number of C without its suffix: `1.0` for `1.0f`; else None."""
    plain = number.rstrip("fFlL")
    is_decimal = "." in plain and plain.replace(".", "", 1).isdecimal()
    return plain if is_decimal and plain != number else None


def is_operand(expected: Iterable[str]) -> bool:
    """Whether an operand is expected."""
    left = _reported(expected)
    return _STATEMENT not in left and left >= _OPERAND


def unexpected(mismatch: BadSyntax) -> str:
    """Returns `expected an operand, found ...`."""
    found, expected = mismatch.problem.found, mismatch.problem.expected
    opcode = _after_lone_guard(mismatch.before)
    if opcode:
        return f"expected a predicate register after `@`, found {quoted(opcode)}"
    header = mismatch.before.split()[:1]
    if found and header and header[0] in _HEADERS:
        return _HEADERS[header[0]]
    words = _expected(expected)
    if not words:
        return f"unexpected {quoted(found)}" if found else "incomplete statement"
    if not found:
        return f"incomplete statement, expected {words}"
    return f"expected {words}, found {quoted(found)}"


def _after_lone_guard(text: str) -> str:
    """Returns the opcode in a text that is a `@` before an opcode, without a predicate; else ""."""
    at, *words = tokens.tokenize(text)
    opcodes = [word for word in words[:-1] if word.string != "!"]
    is_opcode = len(opcodes) == 1 and opcodes[0].type is tokens.WORD
    found = opcodes[0].string if at.string == "@" and is_opcode else ""
    return found if found[:1].islower() else ""


def _reported(expected: Iterable[str]) -> set[str]:
    """Returns the tokens to name, without rare ones and those that would continue a valid text."""
    left = set(expected) - {_WARP, _HIDDEN, tokens.ESCAPE, tokens.DETACHED.name}
    return left - {"NAME", "TYPE"} if "," in left else left


@lru_cache(maxsize=256)
def _expected(expected: tuple[str, ...]) -> str:
    """Returns the expected tokens in words; cached, because the same few sets occur many times."""
    left = _reported(expected)
    if _STATEMENT in left:
        return "a statement"
    if left == {"WORD"} and tokens.ESCAPE in expected:  # allowed only after a guard
        return "an opcode"
    if left == {"!", "REG", "WORD"}:
        return "a predicate register"
    words: list[str] = []
    if left >= _OPERAND:
        return "an operand"
    if left >= {"REG", "WORD"}:
        words.append("a name")
        left -= {"REG", "WORD"}
    if "WORD" in left:
        words.append("a name")
    if "FLOAT" in left:
        left.discard("NUMBER")
    words += [noun for kind, noun in _NOUNS.items() if kind in left]
    if left == {">"}:
        return quoted(">")
    closer = [mark for mark in _CLOSERS if mark in left]
    if closer and not words and not any(name.startswith(".") for name in left):
        return quoted(closer[0])
    marks = [mark for mark in (",", ";", "{", ":", *closer) if mark in left]
    marks += sorted(name for name in left if name.startswith("."))
    return either(words + [quoted(mark) for mark in marks])
