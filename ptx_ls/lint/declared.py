"""Points from an operand to the declaration that gives it its type."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ptx_ls.lint.rule import Related
from ptx_ls.syntax.names import first_name

if TYPE_CHECKING:
    from ptx_ls.document.coordinates import FunctionPosition
    from ptx_ls.lint.rule import Surroundings


def declaration_of(
    operand: str, type_or_space: str, place: FunctionPosition, surroundings: Surroundings
) -> tuple[Related, ...]:
    """Returns where the name in an operand at `place` is declared; () if that is not certain."""
    match = first_name(operand)
    name = match[0] if match else ""
    fitting = (
        symbol
        for symbol in reversed(surroundings.declared.of(name))
        if symbol.start < place and type_or_space in (symbol.type, symbol.space)
    )
    nearest = next(fitting, None)
    symbol = surroundings.find(name) if nearest is None else nearest
    if symbol is None or type_or_space not in (symbol.type, symbol.space):
        return ()
    shown = f"{symbol.name}<{symbol.count}>" if symbol.count else symbol.name
    far = symbol.name if nearest is None else ""
    message = f"`{shown}` is declared here, {type_or_space}"
    return (Related(symbol.start, symbol.end, message, far),)
