"""The results that are kept with functions, and which functions have to be checked."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ptx_ls.document.braces import is_left_open
from ptx_ls.document.facts import StoredFact
from ptx_ls.lint.results.result import Result
from ptx_ls.semantics.symbols.region_text import is_inside
from ptx_ls.source.named_tuple import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ptx_ls.document.branch import InnerNode
    from ptx_ls.document.document import Document
    from ptx_ls.document.function import Function
    from ptx_ls.document.located import LocatedFunction
    from ptx_ls.lint.rule_settings import RuleSettings
    from ptx_ls.source import Position


class Inputs(NamedTuple):
    """Everything that the diagnostics of a function depend on, except its text.

    `signature`: that of the module. `settings`: those of the rules. `is_inside` and `is_last`: as
    in `CheckInput`.
    """

    signature: object
    settings: RuleSettings
    is_inside: bool
    is_last: bool


RESULT: Final = StoredFact["Function", Result, Inputs]("diagnostics")
"""The result of checking a function with the last inputs."""
_GROUP_RESULTS: Final = StoredFact[
    "InnerNode[Function, Position]", tuple[tuple[int, Result], ...], Inputs
]("diagnostics of a group")
"""The findings in a group of functions; present when all its functions have been checked."""


def inputs_of(document: Document, number: int, signature: object, settings: RuleSettings) -> Inputs:
    """Returns the inputs of the function with a number."""
    is_last = number + 1 == document.n_leaves
    return Inputs(signature, settings, is_inside(document, number), is_last)


def due_among(
    located: Sequence[LocatedFunction],
    document: Document,
    signature: object,
    settings: RuleSettings,
) -> Iterator[tuple[LocatedFunction, Inputs]]:
    """Yields the functions among `located` that have not been checked with their current inputs."""
    for each in located:
        inputs = inputs_of(document, each.number, signature, settings)
        if RESULT.known(each.function, inputs) is None:
            yield each, inputs


def due(
    document: Document, signature: object, settings: RuleSettings
) -> Iterator[tuple[LocatedFunction, Inputs]]:
    """Yields the functions that have not been checked with their current inputs, in order."""
    last: Inputs | None = None
    for first, group in document.groups():
        if checked_group(document, first, group, signature, settings) is not None:
            continue
        results: list[tuple[int, Result]] = []
        is_complete, is_in = True, is_inside(document, first)
        for number, function in enumerate(group.leaves(), first):
            is_last = number + 1 == document.n_leaves
            inputs = Inputs(signature, settings, is_in, is_last)
            if last is not None and inputs == last:
                inputs = last  # nearly all functions share one object
            last = inputs
            found = RESULT.known(function, inputs)
            if found is None:
                is_complete = False
                yield document.functions[number], inputs
            elif found.diagnostics or found.hidden:
                results.append((number - first, found))
            is_in = is_left_open(function)
        if is_complete:
            of_group = _inputs_of_group(document, first, group, signature, settings)
            _GROUP_RESULTS.store(group, tuple(results), of_group)


def checked_group(
    document: Document,
    first: int,
    group: InnerNode[Function, Position],
    signature: object,
    settings: RuleSettings,
) -> list[tuple[int, Result]] | None:
    """Returns the results that are not empty, with the numbers of their functions.

    Returns None unless all functions of the group, which begins with number `first`, are checked.
    """
    inputs = _inputs_of_group(document, first, group, signature, settings)
    known = _GROUP_RESULTS.known(group, inputs)
    return None if known is None else [(first + index, result) for index, result in known]


def _inputs_of_group(
    document: Document,
    first: int,
    group: InnerNode[Function, Position],
    signature: object,
    settings: RuleSettings,
) -> Inputs:
    last = first + group.n_leaves - 1
    is_last = last + 1 == document.n_leaves
    return Inputs(signature, settings, is_inside(document, first), is_last)
