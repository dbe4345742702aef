"""Summaries of the device functions of a module, which the checks of their callers use.

The summary of a function is a fact of its own text. The parameters that it passes on to other
functions are looked up in their summaries, in the order of calls; a function that calls itself, or
calls through a register, is known only by what it does itself.
"""

from __future__ import annotations

from collections import Counter
from types import MappingProxyType
from typing import TYPE_CHECKING, Final, TypeAlias

from ptx_ls.document.facts import combined, fact
from ptx_ls.lint.calls.call_summary import NO_SUMMARIES, CallSummary
from ptx_ls.semantics.symbols.module import ModuleFacts
from ptx_ls.semantics.symbols.module_facts import (
    interface,
    is_generated,
    module_facts,
    module_signature,
)
from ptx_ls.semantics.symbols.symbols import SymbolKind

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from ptx_ls.document.document import Document
    from ptx_ls.document.function import Function
    from ptx_ls.lint.calls.call_summary import CallSummaries

_REPLACEABLE: Final = ".weak"
"""The linkage of functions that another module may replace."""
_MAX_DEPTH: Final = 16
"""Maximum number of functions that pass a pointer on, one to the next."""
_MAX_ACCESSES: Final = 64
"""Maximum number of accesses in a summary."""


OwnSummary: TypeAlias = tuple[str, CallSummary]
"""A device function and its summary, without those of the functions that it calls."""


@fact
def own_summary(function: Function, names: frozenset[str]) -> OwnSummary | None:
    """Returns the name and the summary of a function, if it is a device function in `names`."""
    symbol = interface(function).function
    if symbol is None or symbol.kind is not SymbolKind.FUNCTION or symbol.name not in names:
        return None
    if not symbol.is_definition or symbol.linkage == _REPLACEABLE:
        return None
    from ptx_ls.lint.calls.summary_reader import summary_of  # noqa: PLC0415  for few modules

    found = summary_of(function)
    return None if found is None else (symbol.name, found)


def _called_in_each(document: Document) -> Iterator[frozenset[str]]:
    if not is_generated(document):
        yield from (interface(function).calls.callees for function in document.leaves())


@combined(_called_in_each)
def called_names(names: tuple[frozenset[str], ...]) -> frozenset[str]:
    """Returns the names of all functions that a module calls; none in what a compiler wrote."""
    return frozenset().union(*names)


def _own_of_each(document: Document) -> Iterator[OwnSummary | None]:
    names = called_names(document)
    if names:
        yield from (own_summary(function, names) for function in document.leaves())


@combined(_own_of_each)
def call_summaries(found: tuple[OwnSummary | None, ...]) -> CallSummaries:
    """Returns the summaries of the device functions that a module defines once and calls."""
    return joined(found)


def joined(found: Iterable[OwnSummary | None]) -> CallSummaries:
    """Returns the summaries of functions by their names, with what they pass on to others."""
    known = [each for each in found if each is not None]
    names = Counter(name for name, _ in known)
    own = {name: each for name, each in known if names[name] == 1}
    if not own:
        return NO_SUMMARIES
    resolved = dict[str, CallSummary]()
    for name in own:
        _resolve(name, own, resolved, 0)
    return MappingProxyType(resolved)


def _resolve(
    name: str, own: Mapping[str, CallSummary], known: dict[str, CallSummary], depth: int
) -> CallSummary:
    """Adds a function to `known`, with the accesses of those that it passes pointers to."""
    if name in known:
        return known[name]
    summary = known[name] = own[name]  # for a function that calls itself
    accesses = dict.fromkeys(summary.accesses)
    for passed in summary.passed if depth < _MAX_DEPTH else ():
        if passed.callee in own:
            for each in _resolve(passed.callee, own, known, depth + 1).accesses:
                if each.parameter == passed.argument and len(accesses) < _MAX_ACCESSES:
                    low, high = each.low + passed.offset, each.high + passed.offset
                    moved = each._replace(parameter=passed.parameter, low=low, high=high)
                    accesses[moved] = None
    known[name] = summary._replace(accesses=tuple(accesses))
    return known[name]


def _signature_and_calls(document: Document) -> Iterator[object]:
    yield module_signature(document)
    yield call_summaries(document)


@combined(_signature_and_calls)
def checked_signature(found: tuple[object, ...]) -> object:
    """Returns a value, equal for modules of which functions see the same, also in their calls."""
    signature, calls = found
    return found if calls else signature


def _module_and_calls(document: Document) -> Iterator[object]:
    yield module_facts(document)
    yield call_summaries(document)


@combined(_module_and_calls)
def checked_module(found: tuple[object, ...]) -> ModuleFacts:
    """Returns the facts of a module, with what its functions do besides computing a result.

    They may never return, or surely order nothing.
    """
    module, calls = found
    assert isinstance(module, ModuleFacts)  # noqa: S101  for mypy
    assert isinstance(calls, MappingProxyType)  # noqa: S101  as above
    ending = frozenset([name for name, each in calls.items() if not each.returns])
    plain = frozenset([name for name in calls if _is_plain(name, calls, 0)])
    if not (ending or plain):
        return module
    return module._replace(
        never_returning=module.never_returning | ending,
        plain_functions=plain,
    )


def _is_plain(name: str, calls: CallSummaries, depth: int) -> bool:
    """Whether a function and all that it calls surely order no accesses of other threads."""
    found = calls.get(name)
    if found is None or found.orders or depth == _MAX_DEPTH:
        return False
    return all(_is_plain(each, calls, depth + 1) for each in found.callees)
