"""Finds the end of a statement without terminator: the token that clearly begins another one."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from ptx_ls.source.patterns import LazyPattern
from ptx_ls.syntax import tokens
from ptx_ls.syntax.comments import COMMENT
from ptx_ls.syntax.names import FIRST_OF_NAME, NAME_PATTERN
from ptx_ls.syntax.progress import DECLARES, TokenState
from ptx_ls.syntax.tokens import dotted_type

if TYPE_CHECKING:
    from ptx_ls.syntax.progress import StatementProgress


_IS_OPCODE: Final = re.compile(
    r"[a-z]\w*+\.(?!(?:[xyzwrgba]|(?!b(?:8|16|32|64|128)$)[bh][0-9]+)$)"
).match
"""Matches an opcode: a dotted word, unless its suffix is a vector element or a video selector."""
_IS_LABEL: Final = re.compile(r"[ \t]*+:(?!:)").match
_IS_LISTED: Final = re.compile(r"[ \t]*+,").match
"""Matches a comma after a word, which therefore does not begin a statement."""
OPERANDLESS: Final = ("ret", "exit", "trap", "brkpt")
"""Opcodes without operands, which may be a whole instruction."""
_NO_OPERANDS: Final = re.compile(rf"(?:{'|'.join(OPERANDLESS)})\b").match
IS_ALONE: Final = LazyPattern(rf"[ \t]*+({'|'.join(OPERANDLESS)})[ \t]*+;", re.ASCII).match
"""Matches an instruction without operands, rather than a missing operand of the line before."""
_BARE: Final = rf"(?:(?:bra|call)(?:[ \t]++{FIRST_OF_NAME}|[ \t]*+\()|pmevent[ \t]++[0-9])"
_IS_BARE: Final = LazyPattern(_BARE, re.ASCII).match
"""Matches an opcode that needs no modifier, and the beginning of its first operand."""
_AFTER_BRACE: Final = rf"(?>(?:[ \t]|{COMMENT})*)"
_IS_BLOCK: Final = LazyPattern(
    rf"{_AFTER_BRACE}(?:\.[a-z]|@|[a-z]\w*+\.(?!(?:[xyzwrgba]|b[0-7]|h[01])(?![\w.]))\w"
    rf"|{NAME_PATTERN}[ \t]*+:(?!:)|{_BARE}|(?:{'|'.join(OPERANDLESS)})[ \t]*+;)",
    re.ASCII,
).match
"""Matches the beginning of a statement after a `{`, rather than that of a vector or a value.

A word with a vector element, such as `v.x`, begins a vector.
"""
_IS_NOT_VECTOR: Final = LazyPattern(
    rf"{_AFTER_BRACE}(?:\{{|\}}(?![ \t]*+[,;|\])])"
    r"|(?![^\s,;{}/\"]*+[ \t]*+,)[^;{}/\"\r\n]*+;)",
    re.ASCII,
).match
"""Matches text which shows that the `{` before it does not begin a vector.

Such text has nested or empty braces, or a `;` before any comma.
"""
_IS_CLOSED_VECTOR: Final = re.compile(r"[ \t]*+[,;|\])]").match
"""Matches a token that can follow the `}` of an operand on the same line."""
_PARAMETER: Final = frozenset({".reg", ".align", ".ptr", ".hidden", ".attribute"})
_DECLARATION: Final = frozenset({".align", ".ptr", ".attribute"})
_LINKED: Final = frozenset(
    {tokens.LINKAGE, tokens.FUNCTION, tokens.SPACE, tokens.VECTOR, tokens.TYPE}
)
"""Types of the tokens that may follow a linkage directive."""
_LEADING: Final = frozenset({".align", ".attribute"})
"""Directives that may precede the state space of a declaration."""
_AFTER_HEAD: Final = frozenset({".pragma", ".attribute"})
_PROTOTYPE: Final = ".callprototype"
_OLD_SECTION: Final = ".section"
"""The directive that may follow `@@DWARF`, apart from types."""
_WEAK: Final = ".weak"
"""A linkage directive that is also a modifier."""
_IS_ELEMENT: Final = re.compile(r"\.(?:[xyzwrgba]|b[0-7]|h[01])").fullmatch
_VARIABLE: Final = (
    rf"\s*+(?:\.align\s++\w++\s*+)?(?:\.v\d\s*+)?\.\w++\s++{NAME_PATTERN}\s*+(?:[;=\[<]|$)"
)
_IS_VARIABLE: Final = LazyPattern(_VARIABLE, re.ASCII).match
"""Matches a type and a name, which show that the state space before them begins a declaration."""
_IS_LINKED: Final = LazyPattern(rf"\s*+(?:\.(?:func|entry)\b|\.\w++{_VARIABLE})", re.ASCII).match
"""Matches a function or variable after a linkage directive."""
_IS_PARAMETER: Final = re.compile(r"[ \t]*+\.param\b", re.ASCII).match
LOCATION_WORDS: Final = frozenset({"function_name", "inlined_at"})


def begins_statement(
    at: StatementProgress, token: str, kind: str, match: re.Match[str], *, is_first: bool
) -> bool:
    """Whether `token` begins a new statement although the current one has no terminator.

    `is_first`: whether it is the first token of its line.
    """
    if at.mode is TokenState.RAW:
        return False
    if kind == "operator":
        return _operator_begins(at, token, match, is_first=is_first)
    if kind == "line":
        return True
    if at.mode is TokenState.FREE:
        return _free_ends(at, token, kind, is_first=is_first) or (
            is_first and kind == "word" and (_is_label(match) or _begins_instruction(token, match))
        )
    if kind == "dotted":
        return _dotted_begins(at, token, match, is_first=is_first)
    if kind == "word" or (kind == "reg" and is_first):
        return _word_begins(at, token, match, is_first=is_first)
    return False


def _operator_begins(
    at: StatementProgress, token: str, match: re.Match[str], *, is_first: bool
) -> bool:
    if token == "}":
        return at.braces <= 0 or (
            is_first
            and at.mode is TokenState.INSTRUCTION
            and _IS_CLOSED_VECTOR(match.string, match.end()) is None
        )
    if token == "@":
        if at.first == tokens.OLD_DEBUG:
            return at.previous != ","
        return at.mode is not TokenState.GUARD or at.previous != "@" or is_first
    if token == tokens.ESCAPE:
        return is_first and at.is_complete and at.mode is not TokenState.GUARD
    if token == "{":
        return _brace_begins(at, match, is_first=is_first)
    return at.mode is TokenState.FREE and token == ";" and not _is_bare_type(at)


def _is_bare_type(at: StatementProgress) -> bool:
    """Whether a statement is only a type so far; a `;` ends that as an empty declaration."""
    return at.previous == at.first and dotted_type(at.first) is tokens.TYPE


def _brace_begins(at: StatementProgress, match: re.Match[str], *, is_first: bool) -> bool:
    if at.mode is TokenState.GUARD:
        return at.previous == tokens.ESCAPE or at.previous_kind in ("word", "reg") or is_first
    if is_first and at.mode in (
        TokenState.WORD,
        TokenState.INSTRUCTION,
        TokenState.DECLARATION,
        TokenState.DIRECTIVE,
    ):
        is_whole = at.is_complete and at.mode is not TokenState.WORD
        is_whole = is_whole and at.braces <= 0 and at.brackets <= 0
        if is_whole or _IS_BLOCK(match.string, match.end()):
            return True
        is_operand = at.mode in (TokenState.WORD, TokenState.INSTRUCTION)
        return is_operand and _IS_NOT_VECTOR(match.string, match.end()) is not None
    return at.mode is TokenState.FREE


def _free_ends(at: StatementProgress, token: str, kind: str, *, is_first: bool) -> bool:
    dotted = dotted_type(token) if kind == "dotted" else None
    if at.previous == tokens.OLD_DEBUG:
        return kind != "dotted" or (
            is_first and dotted is not tokens.TYPE and token != _OLD_SECTION
        )
    if dotted is not None and dotted not in (tokens.NAME, tokens.TYPE):
        return True
    if not at.is_complete or (at.previous_kind == "dotted" and at.previous == at.first):
        return dotted is tokens.TYPE
    if at.previous in LOCATION_WORDS or token in LOCATION_WORDS:
        return False
    return kind not in ("number", "string") and token != "WARP_SZ"


def _dotted_begins(
    at: StatementProgress, token: str, match: re.Match[str], *, is_first: bool
) -> bool:
    kind = dotted_type(token)
    if at.mode is TokenState.LINKED:
        return kind not in _LINKED and token not in DECLARES
    if kind in (tokens.LINKAGE, tokens.FUNCTION):
        is_loaded = token == _WEAK and at.previous_kind in ("opcode", "word")
        # Linkage of a parameter is a mistake in the list; it does not begin a statement.
        is_listed = at.brackets > 0 and _IS_PARAMETER(match.string, match.end()) is not None
        is_linked = not is_loaded or _IS_LINKED(match.string, match.end()) is not None
        return is_linked and not is_listed
    if at.mode is TokenState.FUNCTION:
        if at.brackets > 0:
            return kind is tokens.DIRECTIVE and token not in _PARAMETER
        return kind is not tokens.TUNING and token not in _AFTER_HEAD and kind is not tokens.NAME
    if at.mode is TokenState.DECLARATION:
        return is_first and (
            kind is tokens.TUNING
            or (kind is tokens.DIRECTIVE and token not in _DECLARATION)
            or (kind is tokens.SPACE and at.previous != ".ptr" and at.first not in _LEADING)
        )
    if at.mode is TokenState.DIRECTIVE and at.brackets > 0:
        return kind is tokens.DIRECTIVE and token not in _PARAMETER
    if kind is tokens.DIRECTIVE:
        return True
    return is_first and _is_no_modifier(at, token, kind, match)


def _is_no_modifier(
    at: StatementProgress, token: str, kind: tokens.TokenType, match: re.Match[str]
) -> bool:
    """Whether a dotted name that begins a line cannot belong to the text before it."""
    if at.mode is TokenState.SECTION and at.previous == at.first:
        return False
    if at.previous_kind in ("opcode", "word") and at.mode is not TokenState.DIRECTIVE:
        # `ld` and `.param` on two lines are one instruction, unless a name is declared there.
        is_modifier = match.string.startswith(".", match.end())  # `.param.b32 x` does not occur
        is_variable = _IS_VARIABLE(match.string, match.end()) is not None
        return kind is tokens.SPACE and is_variable and not is_modifier
    is_element = _IS_ELEMENT(token) is not None
    return kind is not tokens.TUNING and at.previous != "(" and not is_element


def _is_label(match: re.Match[str]) -> bool:
    return _IS_LABEL(match.string, match.end()) is not None


def _word_begins(
    at: StatementProgress, token: str, match: re.Match[str], *, is_first: bool
) -> bool:
    if is_first and _is_label(match) and (at.brackets <= 0 or _is_instruction(at)):
        return at.previous != "?"
    if _IS_LISTED(match.string, match.end()):
        return False
    if at.mode is TokenState.GUARD:
        has_predicate = at.previous_kind in ("word", "reg") or at.previous == tokens.ESCAPE
        return is_first and not has_predicate and _begins_instruction(token, match)
    if _IS_OPCODE(token):
        return is_first or (at.is_complete and at.mode is TokenState.INSTRUCTION)
    if not is_first or at.mode in (TokenState.LINKED, TokenState.FUNCTION, TokenState.SECTION):
        return False
    if at.previous == "." or (at.first == _PROTOTYPE and at.previous == ")"):
        return at.previous == "."  # the name of a prototype follows its return parameters
    return _bare_word_begins(at, match)


def _bare_word_begins(at: StatementProgress, match: re.Match[str]) -> bool:
    """Whether a word without modifiers that begins a line is an opcode, not an operand or name."""
    line, place = match.string, match.start()
    if _IS_BARE(line, place) or (_is_instruction(at) and IS_ALONE(line, place)):
        return True
    if at.previous_kind == "opcode" or at.mode is TokenState.WORD:
        return _NO_OPERANDS(at.previous) is not None
    return at.is_complete and at.previous_kind != "dotted"


def _is_instruction(at: StatementProgress) -> bool:
    return at.mode in (TokenState.WORD, TokenState.GUARD, TokenState.INSTRUCTION)


def _begins_instruction(token: str, match: re.Match[str]) -> bool:
    """Whether a word that begins a line is an opcode, even after an incomplete statement."""
    line, place = match.string, match.start()
    return bool(_IS_OPCODE(token) or _IS_BARE(line, place) or IS_ALONE(line, place))
