"""The results of a document as values that outlive the process, and their use for a later text.

A function that has not changed keeps its diagnostics if it sees the same module as before.
"""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING

from ptx_ls.document.braces import is_left_open
from ptx_ls.lint.calls.summaries import (
    Summarised,
    call_summaries,
    checked_signature,
    joined,
    own_summary,
    summarised,
    summarised_among,
)
from ptx_ls.lint.results.result import Result
from ptx_ls.lint.results.stored_results import RESULT, inputs_of
from ptx_ls.semantics.directives.header import header_places
from ptx_ls.semantics.symbols.interface import Interface
from ptx_ls.semantics.symbols.module import module_of
from ptx_ls.semantics.symbols.module_facts import (
    ModuleSignature,
    interface,
    is_generated,
    module_signature,
    unused_names,
)
from ptx_ls.semantics.symbols.module_names import exports_among, exports_of
from ptx_ls.source import Diagnostic
from ptx_ls.source.named_tuple import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ptx_ls.document.document import Document
    from ptx_ls.lint.calls.summaries import OwnSummary
    from ptx_ls.lint.rule_settings import RuleSettings


class SavedFunction(NamedTuple):
    """A function that was checked.

    Attributes:
        interface: as the fact of that name.
        is_left_open: as the fact of that name.
        is_inside: as in `Inputs`, for which the diagnostics were found.
        is_last: as in `Inputs`.
        diagnostics: those of the function, relative to its start; None if they are unknown.
        hidden: as in `Result`.
        summary: the fact `own_summary`.
    """

    interface: Interface
    is_left_open: bool
    is_inside: bool
    is_last: bool
    diagnostics: tuple[Diagnostic, ...] | None
    hidden: frozenset[tuple[int, str]] = frozenset()
    summary: OwnSummary | None = None


class SavedModule(NamedTuple):
    """The functions of a document in order, and what else their diagnostics depend on.

    Attributes:
        functions: the functions.
        is_generated: whether a compiler wrote the document.
        unused: the names that nothing in it can use.
    """

    functions: tuple[SavedFunction, ...]
    is_generated: bool
    unused: frozenset[str] = frozenset()


def saved(document: Document, settings: RuleSettings) -> SavedModule:
    """Returns the results of a document after it was checked with some settings of rules."""
    signature, wanted = checked_signature(document), summarised(document)
    found = []
    for number, function in enumerate(document.leaves()):
        inputs = inputs_of(document, number, signature, settings)
        result = RESULT.known(function, inputs)
        found.append(
            SavedFunction(
                interface(function),
                is_left_open(function),
                inputs.is_inside,
                inputs.is_last,
                result.diagnostics if result is not None else None,
                result.hidden if result is not None else frozenset(),
                own_summary(function, wanted) if wanted.names else None,
            )
        )
    return SavedModule(tuple(found), is_generated(document), unused_names(document))


def restore(
    document: Document,
    module: SavedModule,
    numbers: Sequence[int | None],
    settings: RuleSettings,
) -> None:
    """Gives functions of a document the facts that they had in a module, and the diagnostics.

    Args:
        document: the document, perhaps with functions that are not read.
        module: the saved results of an earlier version.
        numbers: the number in the module of each function of the document that is unchanged; they
            increase. None for other functions.
        settings: the settings of rules, for which the results were found.
    """
    for function, number in zip(document.leaves(), numbers, strict=True):
        if number is not None:
            former = module.functions[number]
            interface.restore(function, former.interface)
            is_left_open.restore(function, former.is_left_open)
            names = exports_among(former.interface.exports, function.head)
            exports_of.restore(function, names)
    wanted = summarised(document)
    if wanted.names and wanted == _summarised_in(module):
        for function, number in zip(document.leaves(), numbers, strict=True):
            if number is not None:
                own_summary.restore(function, module.functions[number].summary, wanted)
    if not _sees_the_same(document, module, numbers):
        return
    header_places(document.leaf(0))  # the fixes of any function may refer to them
    signature = checked_signature(document)
    for index, number in enumerate(numbers):
        former = module.functions[number or 0]
        if number is None or former.diagnostics is None:
            continue
        inputs = inputs_of(document, index, signature, settings)
        if inputs[2:] == (former.is_inside, former.is_last):
            result = Result(former.diagnostics, former.hidden)
            RESULT.store(document.leaf(index), result, inputs)


def _sees_the_same(document: Document, module: SavedModule, numbers: Sequence[int | None]) -> bool:
    """Whether unchanged functions see the same names with the same meaning, in the same order."""
    before = [each.interface for each in module.functions]
    now = list(map(interface, document.leaves()))
    known = [index for index, number in enumerate(numbers) if number is not None]
    ends = [(index, numbers[index] or 0) for index in known]
    starts = [(0, 0), *((index + 1, number + 1) for index, number in ends)]
    for (first, former), (stop, former_stop) in zip(
        starts, [*ends, (len(now), len(before))], strict=True
    ):
        if [*_names(now[first:stop])] != [*_names(before[former:former_stop])]:
            return False
    if call_summaries(document) != joined(each.summary for each in module.functions):
        return False
    return module_signature(document) == ModuleSignature(
        module_of(before), module.unused, by_compiler=module.is_generated
    )


def _summarised_in(module: SavedModule) -> Summarised:
    """Returns the functions of a saved module that have summaries."""
    interfaces = [each.interface for each in module.functions]
    return summarised_among(interfaces, by_compiler=module.is_generated)


def _names(interfaces: Sequence[Interface]) -> Iterator[tuple[str, bool]]:
    """Yields the names that functions declare at module scope, and whether each is a range."""
    exports = chain.from_iterable(each.exports for each in interfaces)
    return ((each.name, each.count > 0) for each in exports)
