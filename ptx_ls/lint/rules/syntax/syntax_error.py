"""The rule syntax-error."""

from __future__ import annotations

import string
from typing import Final

from ptx_ls import isa
from ptx_ls.document.coordinates import FunctionPosition, on_row
from ptx_ls.lint.declarations.missing_state_space import missing_state_space
from ptx_ls.lint.fixes.text import did_you_mean, replaced
from ptx_ls.lint.messages import quoted
from ptx_ls.lint.rule import Applicability, Finding, Repair, RuleContext, SpanEdit, rule
from ptx_ls.lint.syntax_messages import (
    broken_token,
    is_operand,
    is_unknown_type,
    missing_dot,
    near_spelling,
    unexpected,
    without_suffix,
)
from ptx_ls.semantics.problems.instructions import BadSyntax
from ptx_ls.syntax.dotted import opcode_of
from ptx_ls.syntax.offsets import MAX_EXAMINED, after, along
from ptx_ls.syntax.parser import MAX_BLOCKS, TOO_DEEP, TOO_MANY_BLOCKS
from ptx_ls.syntax.tokens import (
    FUNCTIONS,
    LINKAGES,
    MAX_NESTING,
    NUMBER,
    REG,
    SPACES,
    TUNINGS,
    WORD,
    Token,
    tokenize,
)

_LIMITS: Final = {
    TOO_DEEP: f"brackets are nested more than {MAX_NESTING:,} deep, which ptxas does not support",
    TOO_MANY_BLOCKS: (
        f"blocks are nested more than {MAX_BLOCKS:,} deep, which ptxas does not support"
    ),
}
"""Messages about statements that are too deeply nested, by the words that the parser expects."""
_UNSAFE: Final = Applicability.UNSAFE
_CLOSERS: Final = (")", "]", "}")
_MARKS: Final = frozenset(",;)]")
_SIGNS: Final = ("+", "-")
_BEGINNINGS: Final = frozenset({".param", ".reg", "{", ")", *FUNCTIONS, *LINKAGES, *TUNINGS})
"""Tokens that often begin a line: a parameter, a body or the end of a list."""
_FLOAT_DIGITS: Final = {"0f": 8, "0d": 16}
"""The number of digits of a float that is written as its bits."""
_CALLS: Final = ("call", "call.uni")


@rule("syntax-error", on=BadSyntax)
def syntax_error(mismatch: BadSyntax, context: RuleContext) -> Finding:
    """Reports a malformed statement.

    ## Why is this bad?
    ptxas stops at the first malformed statement and does not check the rest of the module.

    ## Example
    ```ptx
    add.s32 %r1, %r2, %r3
    ```

    Use instead:
    ```ptx
    add.s32 %r1, %r2, %r3;
    ```

    ## Fix safety
    A fix that adds a missing `;` or removes an extra `;` is certain, because it changes no
    statement. A fix to other punctuation is unsafe, and is applied only if the resulting statement
    is legal. Fixes to names and numbers are guesses, which are suggested but never applied
    automatically.
    """
    has_header = context.isa_context.version is not None
    problem = mismatch.problem
    if problem.found == ";" and not problem.expected:
        indent = len(mismatch.before) - len(mismatch.before.lstrip())
        start = FunctionPosition((mismatch.start[0], mismatch.first_column + indent))
        missing = None if context.is_section else missing_state_space(context, start)
        if missing is not None:  # it is read as data, which does not take a `;`
            return missing
        edit = SpanEdit(mismatch.start, mismatch.end, "")
        return Finding(
            "empty statement",
            repairs=(Repair("Remove the `;`", (edit,), Applicability.CERTAIN),),
        )
    limit = next((_LIMITS[one] for one in problem.expected if one in _LIMITS), "")
    if limit:
        return Finding(limit)
    if not problem.found and ";" in problem.expected:
        edit = SpanEdit(mismatch.start, mismatch.start, ";")
        is_clear = has_header and _is_statement(mismatch.before)
        applicability = Applicability.CERTAIN if is_clear else Applicability.GUESS
        repair = Repair("Insert `;`", (edit,), applicability)
        return Finding("missing `;`", repairs=(repair,))
    broken = broken_token(problem.found)
    if broken is not None:
        return Finding(broken, repairs=_without_mark(mismatch) or _closed(mismatch, context))
    if is_unknown_type(problem):
        message = f"unknown type {quoted(problem.found)}"
        return did_you_mean(message, near_spelling(problem), mismatch)
    dotted = missing_dot(problem)
    if dotted is not None:
        message = f"{quoted(problem.found)} is not allowed here"
        return did_you_mean(message, dotted, mismatch)
    return _incomplete(mismatch, context) or Finding(
        unexpected(mismatch), repairs=_completed(mismatch, context)
    )


def _incomplete(mismatch: BadSyntax, context: RuleContext) -> Finding | None:
    """Returns a finding at the place where something is missing; None if the place is unclear."""
    if mismatch.problem.expected == (";",):
        return missing_state_space(context, mismatch.start)
    is_end = not mismatch.problem.found
    end = mismatch.start if is_end else _unfinished_line(mismatch, context)
    if end is None:
        return None
    line, column = end
    if is_operand(mismatch.problem.expected) and context.lines[line].endswith(",", 0, column):
        message = "expected an operand after `,`, found the end of the line"
        return Finding(message, along(end, -1), end)
    message = unexpected(mismatch._replace(problem=mismatch.problem._replace(found="")))
    return Finding(message, end, end, repairs=_completed(mismatch, context))


def _unfinished_line(mismatch: BadSyntax, context: RuleContext) -> FunctionPosition | None:
    """Returns the end of an incomplete line, if the error is at the start of a later line.

    The text at the error counts as correct if it can begin a part of a statement. Exceptions are a
    repeated line, a body after an empty line (a `)` may be missing), and the linkage of a
    parameter.
    """
    found, expected = mismatch.problem.found, mismatch.problem.expected
    if mismatch.before.strip() or ".version" in expected:
        return None
    if found in LINKAGES and _after(mismatch, context).startswith(".param"):
        return None
    is_beginning = found in _BEGINNINGS and (found != ")" or "{" not in expected)
    if not is_beginning and (found in _MARKS or not is_operand(expected)):
        return None
    for line in range(mismatch.start[0] - 1, -1, -1):
        code = context.lines[line].partition("//")[0].rstrip()
        if code == context.lines[mismatch.start[0]].rstrip() or (found == "{" and not code):
            return None
        if code:
            is_its_end = is_beginning or code.endswith(",")
            return FunctionPosition((line, len(code))) if is_its_end else None
    return None


def _is_statement(before: str) -> bool:
    """Returns whether a line is a single statement that only lacks a `;`."""
    opcode, keywords = opcode_of(before), isa.database().keywords
    if len(before) >= MAX_EXAMINED or (
        opcode not in SPACES and opcode.partition(".")[0] not in keywords
    ):
        return False
    rest = tokenize(before.partition(opcode)[2])
    words = (word.string.partition(".") for word in rest if word.type is WORD)
    return not any(dot and name in keywords for name, dot, _ in words)


def _after(mismatch: BadSyntax, context: RuleContext) -> str:
    """Returns the text of the line after the problem, without white space before it."""
    line, column = mismatch.end
    return after(context.lines[line], column).lstrip()


def _completed(mismatch: BadSyntax, context: RuleContext) -> tuple[Repair, ...]:
    """Returns a fix that inserts the missing mark, if only one is possible."""
    found, expected = mismatch.problem.found, set(mismatch.problem.expected)
    first = FunctionPosition((mismatch.start[0], mismatch.first_column))
    *tokens, _ = tokenize(mismatch.before)
    match tokens[-2:]:
        case [opcode, word] if opcode.type is word.type is WORD:
            if _is_modifier(opcode.string, f".{word.string}"):
                edit = SpanEdit(opcode.placed(first)[1], word.placed(first)[0], ".")
                return (Repair(f"Write `{opcode.string}.{word.string}`", (edit,), _UNSAFE),)
    is_unopened = found == "]" and "," in expected and "}" not in expected
    address = _address(tokens) if is_unopened else None
    if address is not None:
        place, _ = address.placed(first)
        return (Repair("Insert `[`", (SpanEdit(place, place, "["),), _UNSAFE),)
    closers: list[str] = [mark for mark in _CLOSERS if mark in expected]
    if expected == {">"}:
        closers = [">"]
    if found == "," and mismatch.before.rstrip().endswith(","):
        return (Repair("Remove the `,`", (SpanEdit(mismatch.start, mismatch.end, ""),)),)
    if found in (",", ";", *_CLOSERS, "{") and len(closers) == 1:
        mark = str(closers[0])
    elif "," in expected and (_begins_operand(found) or found in (".param", ".reg")):
        mark = ","
    else:
        return ()
    if mark in _CLOSERS and found in _CLOSERS and _is_wrong_bracket(mismatch, context):
        return replaced(mismatch, mark, _UNSAFE)
    return _with_mark(mark, mismatch, context)


def _with_mark(mark: str, mismatch: BadSyntax, context: RuleContext) -> tuple[Repair, ...]:
    """Returns a fix that inserts a missing mark."""
    line = mismatch.start[0]
    place = FunctionPosition((line, mismatch.last_column))
    if mark == "," and _is_callee(mismatch, context):
        edits = (SpanEdit(place, place, ","), SpanEdit(mismatch.end, mismatch.end, ","))
        return (Repair("Insert `,` twice", edits, _UNSAFE),)
    comma = _before_address(mismatch.before) if mark == "}" else None
    if comma is not None:
        place = FunctionPosition((line, mismatch.first_column + comma))
    if not mismatch.before.strip():
        place = mismatch.start
    return (Repair(f"Insert `{mark}`", (SpanEdit(place, place, mark),), _UNSAFE),)


def _is_wrong_bracket(mismatch: BadSyntax, context: RuleContext) -> bool:
    """Returns whether the statement continues after a closing bracket of the wrong kind."""
    if mismatch.problem.found == "]" and _before_address(f"{mismatch.before}]") is not None:
        return False  # a whole address in place of a vector
    return _after(mismatch, context).startswith((",", ";"))


def _address(tokens: list[Token]) -> Token | None:
    """Returns the name in an address without `[` that ends the tokens: `%rd1` or `%rd1 + 8`."""
    if len(tokens) > 1 and tokens[-1].type is NUMBER and tokens[-2].string in _SIGNS:
        tokens = tokens[:-1]
        while tokens and tokens[-1].string in _SIGNS:
            tokens = tokens[:-1]
    is_operand = len(tokens) > 1 and (tokens[-2].string == "," or tokens[-1].prefix)
    is_name = is_operand and tokens[-1].type in (REG, WORD) and "." not in tokens[-1].string
    return tokens[-1] if is_name else None


def _before_address(text: str) -> int | None:
    """Returns the offset of the `,` before an address that a text ends with; else None."""
    head, _, address = text.rstrip().rpartition("[")
    is_address = address.find("]") == len(address) - 1 and head.rstrip().endswith(",")
    return len(head.rstrip()) - 1 if is_address else None


def _is_callee(mismatch: BadSyntax, context: RuleContext) -> bool:
    """Returns whether the problem is the name of a function between two lists, without commas."""
    head, _, results = mismatch.before.rstrip().rpartition("(")
    has_results = results.find(")") == len(results) - 1 and head.rstrip().endswith(_CALLS)
    return has_results and _after(mismatch, context).startswith("(")


def _begins_operand(found: str) -> bool:
    """Returns whether a token is a name, a number or an opening bracket."""
    return found[:1].isalnum() or found.startswith(("%", "_", "$", "[", "{"))


def _is_modifier(opcode: str, modifier: str) -> bool:
    """Returns whether some form of the opcode takes the modifier."""
    instruction = isa.database().instruction(opcode.partition(".")[0])
    return instruction is not None and any(
        modifier in form.row.accepts for form in instruction.forms
    )


def _closed(mismatch: BadSyntax, context: RuleContext) -> tuple[Repair, ...]:
    """Returns a fix that completes a token: a number, a string or a comment."""
    found = mismatch.problem.found
    number = _literal(found)
    if number is not None:
        return replaced(mismatch, number)
    line = mismatch.start[0]
    text = context.lines[line].rstrip("\r\n") if line < len(context.lines) else ""
    if found == "/*":
        edit = SpanEdit(*on_row(line, len(text), len(text)), " */")
        return (Repair("Insert `*/` at the end of the line", (edit,)),)
    if found.startswith('"') and text.rstrip().endswith(";"):
        place = FunctionPosition((line, text.rindex(";")))
        return (Repair('Insert `"`', (SpanEdit(place, place, '"'),)),)
    return ()


def _without_mark(mismatch: BadSyntax) -> tuple[Repair, ...]:
    if not mismatch.problem.found.startswith("\ufeff"):
        return ()
    end = along(mismatch.start, 1)
    return (
        Repair(
            "Remove the byte order mark",
            (SpanEdit(mismatch.start, end, ""),),
            Applicability.CERTAIN,
        ),
    )


def _literal(text: str) -> str | None:
    """Returns the number that a malformed literal probably means; None if that is not clear."""
    prefix, digits = text[:2].lower(), text[2:]
    count = _FLOAT_DIGITS.get(prefix)
    if count is not None:
        is_short = 0 < len(digits) < count and set(digits) <= set(string.hexdigits)
        return text + "0" * (count - len(digits)) if is_short else None
    decimal = without_suffix(text)
    if decimal is not None:
        return decimal
    number = text.rstrip("lLuU")
    if not number.isdecimal():
        return None
    if number != text:
        return number + ("U" if "u" in text.lower() else "")
    return text.lstrip("0") or "0" if text.startswith("0") else None
