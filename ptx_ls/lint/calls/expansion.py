"""Writes the bodies of called functions in place of the calls.

Threads often work together across functions: one stores, another one has the barrier.
Where the calls are replaced, the function can be examined like one without calls.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ptx_ls.document.coordinates import FunctionPosition
from ptx_ls.document.document import Document
from ptx_ls.lint.calls.function_body import move, register_of
from ptx_ls.source.named_tuple import NamedTuple
from ptx_ls.syntax.record import Kind

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from collections.abc import Set as AbstractSet

    from ptx_ls.document.coordinates import FunctionSpan
    from ptx_ls.document.function import Function
    from ptx_ls.lint.calls.function_body import (
        BodyStatement,
        CallStatement,
        FunctionBody,
        PlacedBody,
    )

_MAX_LINES: Final = 2_000
"""Number of lines that a function has at most after its calls are replaced."""
_MAX_DEPTH: Final = 8
"""Number of calls within each other that are replaced."""
_RETURN: Final = ("ret", "ret.uni")
_NEGATED, _GUARD = "@!", "@"


class RowOrigin(NamedTuple):
    """The statement that a row of an expanded function is from.

    `row`: the number of the row in the statement. `callee`: the function that is called there; ""
    if the statement is not a call that is replaced.
    """

    span: FunctionSpan
    row: int
    callee: str


class ExpandedFunction(NamedTuple):
    """A function with bodies in place of calls, and where its rows are from."""

    function: Function
    origins: tuple[RowOrigin, ...]

    def place(self, row: int, column: int, *, is_end: bool) -> FunctionPosition:
        """Returns the place in the function itself for one in the expanded function.

        `is_end`: whether it is the end of a range. A place in a replaced call is that of the call.
        """
        origin = self.origins[min(row, len(self.origins) - 1)]
        if origin.callee:
            return origin.span[is_end]
        return FunctionPosition((origin.span[0][0] + origin.row, column))


def expanded(placed: PlacedBody, bodies: Mapping[str, FunctionBody]) -> ExpandedFunction | None:
    """Returns a function with bodies in place of its calls; None if no call can be replaced."""
    expander = _Expander(bodies)
    expander.add_function(placed)
    if not expander.n_calls:
        return None
    for function in Document.read("\n".join(expander.lines)).leaves():
        if function.head is Kind.FUNCTION:
            return ExpandedFunction(function, tuple(expander.origins))
    return None


class _Expander:
    """Writes one function."""

    def __init__(self, bodies: Mapping[str, FunctionBody]) -> None:
        self._bodies = bodies
        self.lines: list[str] = []
        self.origins: list[RowOrigin] = []
        self.n_calls = 0
        self._statics: dict[str, str] = {}
        """The functions that declare variables which all their calls share, by name."""
        self._outer: set[str] = set()
        """The names that the function, and those that it calls, use from outside."""

    def add_function(self, placed: PlacedBody) -> None:
        """Writes the function itself."""
        body = placed.body
        self._outer |= body.outer
        self._add(body.head, RowOrigin(placed.head, 0, ""), placed.head[0][1])
        n_before = len(self.lines)
        for statement, span in zip(body.statements, placed.places, strict=True):
            is_replaced = statement.call is not None and self._add_call(
                statement.call, span, body, frozenset(), ()
            )
            if not is_replaced:
                self._add(statement.text, RowOrigin(span, 0, ""), span[0][1])
        end = placed.places[-1] if placed.places else placed.head
        self._add("}", RowOrigin((end[1], end[1]), 0, ""), 0)
        shared = [text for name in self._statics for text in self._declarations(name)]
        self.lines[n_before:n_before] = shared
        self.origins[n_before:n_before] = [RowOrigin(placed.head, 0, "") for _ in shared]

    def _declarations(self, name: str) -> Iterator[str]:
        """Yields the declaration of a variable that all calls of a function share."""
        statics = self._bodies[self._statics[name]].statics
        yield from (" ".join(text.split()) for own, text in statics if own == name)

    def _add(self, text: str, origin: RowOrigin, column: int = 0) -> None:
        for row, line in enumerate(text.splitlines()):
            self.lines.append(f"{' ' * column}{line}" if not row else line)
            self.origins.append(origin._replace(row=row))

    def _add_call(
        self,
        call: CallStatement,
        span: FunctionSpan,
        caller: FunctionBody,
        around: AbstractSet[str],
        stack: tuple[str, ...],
    ) -> bool:
        """Writes the body of a called function; returns False if the call cannot be replaced.

        `around`: the names that functions around the caller declare; `stack`: these functions.
        """
        body = self._bodies.get(call.callee)
        names = caller.declared | around
        if body is None or not self._fits(call, body, names, stack):
            return False
        self.n_calls += 1
        label = f"$returned{self.n_calls}"
        origin = RowOrigin(span, 0, stack[0] if stack else call.callee)
        for name, _ in body.statics:
            self._statics[name] = call.callee
        self._outer |= body.outer
        for text in self._entering(call, body, caller.memory, label):
            self._add(text, origin)
        for each in body.statements:
            if each.call is None or not self._add_call(
                each.call, span, body, names, (*stack, call.callee)
            ):
                self._add(_without_return(each, label), origin)
        for text in self._leaving(call, body, caller.memory, label):
            self._add(text, origin)
        return True

    def _fits(
        self,
        call: CallStatement,
        body: FunctionBody,
        names: AbstractSet[str],
        stack: tuple[str, ...],
    ) -> bool:
        """Whether a body may be written in place of a call among declared names."""
        own = {name for name, _ in body.statics}
        is_short = len(self.lines) + len(body.statements) <= _MAX_LINES and len(stack) < _MAX_DEPTH
        return (
            is_short
            and call.callee not in stack
            and len(call.arguments) == len(body.parameters)
            and len(call.results) == len(body.results)
            and names.isdisjoint(body.outer | own)
            and self._outer.isdisjoint(own)
            and body.outer.isdisjoint(self._statics)
            and all(self._statics.get(each, call.callee) == call.callee for each in own)
        )

    def _entering(
        self, call: CallStatement, body: FunctionBody, memory: AbstractSet[str], label: str
    ) -> Iterator[str]:
        """Yields the statements that pass the arguments of a call."""
        if call.guard:
            is_negated = call.guard.startswith(_NEGATED)
            opposite = _GUARD if is_negated else _NEGATED
            yield f"{opposite}{call.guard.lstrip('@!').strip()} bra {label}_past;"
        yield "{"
        pairs = [*zip(body.parameters, call.arguments, strict=True)]
        for number, (each, argument) in enumerate(pairs):
            if each.type:
                yield register_of(each, f"$argument{number}")
                if argument not in memory:
                    yield move(each, f"$argument{number}", argument)
        for number, each in enumerate(body.results):
            if each.type:
                yield register_of(each, f"$result{number}")
        yield "{"
        yield from (each.declaration for each in (*body.parameters, *body.results))
        for number, (each, argument) in enumerate(pairs):
            if each.type and argument not in memory:
                yield move(each, each.name, f"$argument{number}")

    def _leaving(
        self, call: CallStatement, body: FunctionBody, memory: AbstractSet[str], label: str
    ) -> Iterator[str]:
        """Yields the statements that pass the results of a call."""
        pairs = [*zip(body.results, call.results, strict=True)]
        yield f"{label}:"
        for number, (each, _) in enumerate(pairs):
            if each.type:
                yield move(each, f"$result{number}", each.name)
        yield "}"
        for number, (each, result) in enumerate(pairs):
            if each.type and result not in memory and result != "_":
                yield move(each, result, f"$result{number}")
        yield "}"
        if call.guard:
            yield f"{label}_past:"


def _without_return(statement: BodyStatement, label: str) -> str:
    """Returns a statement of a body, with a branch in place of a return."""
    words = statement.text.removesuffix(";").split()
    if not words or words[-1] not in _RETURN:
        return statement.text
    branch = words[-1].replace("ret", "bra")
    return f"{' '.join([*words[:-1], branch])} {label};"
