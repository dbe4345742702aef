"""Points from a diagnostic to the declaration of a name."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ptx_ls.lint.messages import some_of
from ptx_ls.lint.rule import Finding, Related
from ptx_ls.syntax.names import first_name

if TYPE_CHECKING:
    from ptx_ls.document.coordinates import FunctionPosition
    from ptx_ls.lint.rule import RuleContext
    from ptx_ls.semantics.problems.instructions import Duplicate


def declaration_of(
    operand: str, type_or_space: str, place: FunctionPosition, context: RuleContext
) -> tuple[Related, ...]:
    """Returns where the name in an operand at `place` is declared; () if that is not certain."""
    match = first_name(operand)
    name = match[0] if match else ""
    fitting = (
        symbol
        for symbol in reversed(context.declared(name))
        if symbol.start < place and type_or_space in (symbol.type, symbol.space)
    )
    nearest = next(fitting, None)
    symbol = context.find(name) if nearest is None else nearest
    if symbol is None or type_or_space not in (symbol.type, symbol.space):
        return ()
    far = symbol.name if nearest is None else ""
    message = f"`{symbol.spelling}` is declared here as `{type_or_space}`"
    return (Related(symbol.start, symbol.end, message, far),)


def duplicate(mismatch: Duplicate, noun: str) -> Finding:
    """Returns the finding for a name that is declared again."""
    name, first = mismatch.symbol.spelling, mismatch.first.spelling
    message = f"{noun} `{name}` is already declared"
    if name != first:
        message = f"{noun} `{name}` is already declared by `{first}`"
    elif mismatch.symbol.kind is not mismatch.first.kind:
        message = f"`{name}` is already declared as a {mismatch.first.kind.value}"
    if mismatch.others:
        message += f" (also {some_of(mismatch.others)})"
    place = mismatch.first.start, mismatch.first.end
    far = "" if mismatch.is_near else mismatch.first.name
    return Finding(message, related=(Related(*place, f"`{first}` is first declared here", far),))
