"""The rule syntax-error."""

from __future__ import annotations

import re
from typing import Final

from ptx_ls import isa
from ptx_ls.lint.rule import Edit, Finding, Repair, Surroundings, rule
from ptx_ls.lint.syntax_words import broken_token, is_unknown_type, near_spelling, unexpected
from ptx_ls.lint.words import quoted
from ptx_ls.semantics.mismatch import BadSyntax
from ptx_ls.syntax.tokens import SPACES

_NAME_OR_BRACKET: Final = re.compile(r"[%\w$\[{]", re.ASCII).match

_OPCODES: Final = re.compile(r"(?<![\w$%.])([a-z]\w*+)(?=\.[a-z])", re.ASCII).findall
"""Words with modifiers."""
_FIRST: Final = re.compile(r"\s*+(?:@\s*+!?+[%\w$]++\s++)?(\.?\w++)", re.ASCII).match
"""The opcode or directive with which a line begins."""


@rule("syntax-error", on=BadSyntax)
def syntax_error(mismatch: BadSyntax, surroundings: Surroundings) -> Finding:
    """Reports a statement that cannot be read.

    ## Why is this bad?
    The assembler stops at the first one and says nothing about the rest of the module.

    ## Example
    ```ptx
    add.s32 %r1, %r2, %r3
    ```

    Use instead:
    ```ptx
    add.s32 %r1, %r2, %r3;
    ```

    ## Fix safety
    A missing `;` is added and a superfluous one removed, which changes no statement.
    """
    has_header = surroundings.context.version is not None
    problem = mismatch.problem
    if problem.found == ";" and not problem.expected:
        edit = Edit(mismatch.start, mismatch.end, "")
        return Finding(
            "empty statement", repairs=(Repair("Remove the `;`", (edit,), is_certain=True),)
        )
    if not problem.found and ";" in problem.expected:
        edit = Edit(mismatch.start, mismatch.start, ";")
        is_certain = has_header and _is_statement(mismatch.before)
        repair = Repair("Insert `;`", (edit,), is_certain=is_certain)
        return Finding("missing `;`", repairs=(repair,))
    broken = broken_token(problem.found)
    if broken is not None:
        return Finding(broken, repairs=_without_mark(mismatch))
    near = near_spelling(problem)
    if near is not None:
        repair = Repair(f"Replace by `{near}`", (Edit(mismatch.start, mismatch.end, near),))
        message = f"unknown type {quoted(problem.found)}; did you mean `{near}`?"
        return Finding(message, repairs=(repair,))
    if is_unknown_type(problem):
        return Finding(f"unknown type {quoted(problem.found)}")
    return Finding(unexpected(mismatch), repairs=_completed(mismatch))


def _is_statement(before: str) -> bool:
    """Whether a line is one statement that ends with `;`: no other begins within it."""
    match = _FIRST(before)
    keywords = isa.database().keywords
    return (
        match is not None
        and (match[1] in SPACES or match[1] in keywords)
        and keywords.isdisjoint(_OPCODES(before, match.end()))
    )


def _completed(mismatch: BadSyntax) -> tuple[Repair, ...]:
    """A fix that inserts the mark that is missing, where only one can be meant."""
    found, expected = mismatch.problem.found, set(mismatch.problem.expected)
    closers: list[str] = [mark for mark in (")", "]", "}") if mark in expected]
    if expected == {">"}:
        closers = [">"]
    if found in (",", ";", ")", "]", "}", "{") and len(closers) == 1:
        mark = str(closers[0])
    elif "," in expected and (_NAME_OR_BRACKET(found) or found in (".param", ".reg")):
        mark = ","
    else:
        return ()
    place = mismatch.start[0], len(mismatch.before.rstrip())
    if not mismatch.before.strip():
        place = mismatch.start
    return (Repair(f"Insert `{mark}`", (Edit(place, place, mark),)),)


def _without_mark(mismatch: BadSyntax) -> tuple[Repair, ...]:
    if not mismatch.problem.found.startswith("\ufeff"):
        return ()
    end = mismatch.start[0], mismatch.start[1] + 1
    return (Repair("Remove it", (Edit(mismatch.start, end, ""),), is_certain=True),)
