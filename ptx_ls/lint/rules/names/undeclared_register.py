"""The rule undeclared-register."""

from __future__ import annotations

import string
from collections.abc import Iterator
from itertools import islice
from typing import Final

from ptx_ls import isa
from ptx_ls.document.coordinates import on_row
from ptx_ls.lint.declarations.undeclared import is_register, undeclared
from ptx_ls.lint.rule import Finding, Repair, RuleContext, SpanEdit, rule
from ptx_ls.semantics.problems.instructions import Undeclared
from ptx_ls.semantics.symbols.symbols import Symbol
from ptx_ls.source.numerals import decimal
from ptx_ls.syntax.literals import integer
from ptx_ls.syntax.offsets import after
from ptx_ls.syntax.tokens import tokenize

_MAX_ADDED_REGISTERS: Final = 1 << 16
"""Maximum number of registers that a fix adds: a higher number is probably a typing mistake."""


@rule("undeclared-register", on=Undeclared, where=is_register)
def undeclared_register(mismatch: Undeclared, context: RuleContext) -> Finding:
    """Reports a register that is not declared where it is used.

    ## Why is this bad?
    ptxas rejects the module. A register is visible from its declaration to the end of the enclosing
    `{ }` block. `%r<10>` declares `%r0` to `%r9`.

    ## Example
    ```ptx
    add.s32 %r10, %r1, %r2;
    ```

    Use instead:
    ```ptx
    add.s32 %r9, %r1, %r2;
    ```
    """
    digits = mismatch.name[len(mismatch.name.rstrip(string.digits)) :]
    special = isa.database().special_registers.keys()
    known = context.single_registers, context.numbered(digits), special
    finding = undeclared(mismatch, "register", known, context, context.register)
    return finding._replace(repairs=(*finding.repairs, *_declaring(mismatch, context)))


def _declaring(mismatch: Undeclared, context: RuleContext) -> Iterator[Repair]:
    """Yields fixes that declare the register, and others of its bank that are also missing."""
    if mismatch.near is not None:
        yield from _widened(mismatch, mismatch.near, context)
    elif mismatch.elsewhere is None and mismatch.attempt is not None:
        yield from _declared(mismatch, context)


def _widened(mismatch: Undeclared, near: Symbol, context: RuleContext) -> Iterator[Repair]:
    line, column = near.end
    if line >= len(context.lines):
        return
    written = islice(tokenize(after(context.lines[line], column)), 1, 2)  # after the `<`
    number = next(written, None)
    if number is None or integer(number.string) != near.count:
        return
    highest = _highest(mismatch)
    if highest - near.count > _MAX_ADDED_REGISTERS:
        return
    count = str(highest + 1)
    edit = SpanEdit(*number.placed(near.end), count)
    yield Repair(f"Widen to `{near.name}<{count}>`", (edit,))


def _declared(mismatch: Undeclared, context: RuleContext) -> Iterator[Repair]:
    attempt = mismatch.attempt
    type_ = attempt.register_type(context.isa_context) if attempt is not None else ""
    line = context.last_at_top(mismatch.start)
    if not type_ or line is None:
        return
    text = context.lines[line]
    if not context.is_declaration(line):
        return
    indent = text[: len(text) - len(text.lstrip(" \t"))]
    prefix, name = mismatch.name.rstrip(string.digits), mismatch.name
    if mismatch.name.startswith("%") and mismatch.others and prefix != "%":
        highest = _highest(mismatch)
        if highest > _MAX_ADDED_REGISTERS:
            return
        name = f"{prefix}<{highest + 1}>"
    end = "\r\n" if text.endswith("\r\n") else "\n"
    statement = f".reg {type_} {name};"
    edit = SpanEdit(*on_row(line + 1, 0, 0), f"{indent}{statement}{end}")
    yield Repair(f"Declare it: `{statement}`", (edit,))


def _highest(mismatch: Undeclared) -> int:
    prefix = mismatch.name.rstrip(string.digits)
    return max(decimal(name[len(prefix) :]) for name in (mismatch.name, *mismatch.others))
