"""Summaries of the device functions of a module, which the checks of their callers use.

The summary of a function is a fact of its own text. The parameters that it passes on to other
functions are looked up in their summaries, in the order of calls; a function that calls itself, or
calls through a register, is known only by what it does itself.
"""

from __future__ import annotations

from collections import Counter
from itertools import chain
from types import MappingProxyType
from typing import TYPE_CHECKING, Final, TypeAlias

from ptx_ls.document.facts import combined, fact
from ptx_ls.lint.calls.call_summary import (
    NO_BODIES,
    NO_SUMMARIES,
    CalledBodies,
    CallSummary,
)
from ptx_ls.semantics.calls.thread_effects import (
    NO_EFFECTS,
    KnownFunction,
    ThreadEffects,
    is_known_function,
    known_function,
    thread_effects,
)
from ptx_ls.semantics.symbols.module import ModuleFacts
from ptx_ls.semantics.symbols.module_facts import (
    interface,
    is_generated,
    module_facts,
    module_signature,
)
from ptx_ls.source.named_tuple import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from collections.abc import Set as AbstractSet

    from ptx_ls.document.branch import InnerNode
    from ptx_ls.document.document import Document
    from ptx_ls.document.function import Function
    from ptx_ls.lint.calls.call_summary import CallSummaries
    from ptx_ls.semantics.symbols.interface import Interface
    from ptx_ls.source import Position

_MAX_DEPTH: Final = 16
"""Maximum number of functions that pass a pointer on, one to the next."""
_MAX_ACCESSES: Final = 64
"""Maximum number of accesses in a summary."""


OwnSummary: TypeAlias = tuple[str, CallSummary]
"""A device function and its summary, without those of the functions that it calls."""


class Summarised(NamedTuple):
    """The device functions of a module that have a summary.

    `names`: their names. `only_bodies`: whether the summaries only have what rules about threads
    need, as in the modules of compilers.
    """

    names: frozenset[str] = frozenset()
    only_bodies: bool = False


@fact
def own_summary(function: Function, wanted: Summarised) -> OwnSummary | None:
    """Returns the name and the summary of a function, if it is a device function in `wanted`."""
    symbol = interface(function).function
    if symbol is None or symbol.name not in wanted.names or not is_known_function(symbol):
        return None
    from ptx_ls.lint.calls.summary_reader import body_of, summary_of  # noqa: PLC0415  for few

    found = body_of(function) if wanted.only_bodies else summary_of(function)
    return None if found is None else (symbol.name, found)


def _known_in_each(group: InnerNode[Function, Position]) -> Iterator[KnownFunction | None]:
    return (known_function(interface(function)) for function in group.leaves())


@combined(_known_in_each)
def _known_in_group(found: tuple[KnownFunction | None, ...]) -> tuple[KnownFunction, ...]:
    """Returns the device functions in a group that may concern other threads."""
    return tuple([each for each in found if each is not None])


def _known_in_groups(document: Document) -> Iterator[tuple[KnownFunction, ...]]:
    return (_known_in_group(group) for _, group in document.groups())


@combined(_known_in_groups)
def module_thread_effects(groups: tuple[tuple[KnownFunction, ...], ...]) -> ThreadEffects:
    """Returns which device functions of a module concern other threads."""
    return thread_effects(chain.from_iterable(groups))


def _called_in_each(document: Document) -> Iterator[frozenset[str]]:
    if is_generated(document):
        yield module_thread_effects(document).sharing
    else:
        yield from (interface(function).calls.callees for function in document.leaves())


@combined(_called_in_each)
def _summarised_names(names: tuple[frozenset[str], ...]) -> frozenset[str]:
    """Returns the names of the device functions of a module whose summaries are needed."""
    return frozenset().union(*names)


def _names_and_author(document: Document) -> Iterator[object]:
    yield _summarised_names(document)
    yield is_generated(document)


@combined(_names_and_author)
def summarised(found: tuple[object, ...]) -> Summarised:
    """Returns the device functions of a module whose summaries are needed.

    Those are all that it calls; in compiler output, those that concern other threads.
    """
    names, by_compiler = found
    assert isinstance(names, frozenset)  # noqa: S101  for mypy
    return Summarised(names, bool(by_compiler))


def summarised_among(parts: Iterable[Interface], *, by_compiler: bool) -> Summarised:
    """Returns the functions of a module with some interfaces whose summaries are needed."""
    if not by_compiler:
        return Summarised(frozenset().union(*[each.calls.callees for each in parts]))
    known = [each for each in map(known_function, parts) if each is not None]
    return Summarised(thread_effects(known).sharing, by_compiler)


@fact
def _summaries_in_group(
    group: InnerNode[Function, Position], wanted: Summarised
) -> tuple[OwnSummary, ...]:
    """Returns the summaries of the device functions in a group that are in `wanted`."""
    found = (own_summary(function, wanted) for function in group.leaves())
    return tuple([each for each in found if each is not None])


def _own_of_each(document: Document) -> Iterator[tuple[OwnSummary, ...]]:
    wanted = summarised(document)
    if wanted.names:
        yield from (_summaries_in_group(group, wanted) for _, group in document.groups())


@combined(_own_of_each)
def call_summaries(groups: tuple[tuple[OwnSummary, ...], ...]) -> CallSummaries:
    """Returns the summaries of the device functions that a module defines once and calls."""
    return joined(chain.from_iterable(groups))


def _effects_and_calls(document: Document) -> Iterator[object]:
    calls = call_summaries(document)
    if calls:
        yield calls
        yield module_thread_effects(document)


@combined(_effects_and_calls)
def called_bodies(found: tuple[object, ...]) -> CalledBodies:
    """Returns the bodies that can replace calls in a module."""
    if not found:
        return NO_BODIES
    calls, effects = found
    assert isinstance(calls, MappingProxyType)  # noqa: S101  for mypy
    assert isinstance(effects, ThreadEffects)  # noqa: S101  as above
    bodies = {name: each.body for name, each in calls.items() if each.body is not None}
    return CalledBodies(MappingProxyType(bodies), effects.sharing)


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
    yield module_thread_effects(document)


@combined(_signature_and_calls)
def checked_signature(found: tuple[object, ...]) -> object:
    """Returns a value that two modules share if their functions see the same names and callees."""
    signature, calls, effects = found
    return found if calls or effects != NO_EFFECTS else signature


def _module_and_calls(document: Document) -> Iterator[object]:
    yield module_facts(document)
    yield call_summaries(document)
    yield module_thread_effects(document)


@combined(_module_and_calls)
def checked_module(found: tuple[object, ...]) -> ModuleFacts:
    """Returns the facts of a module, with the effects of its functions other than their results.

    They may never return, or surely order nothing.
    """
    module, calls, effects = found
    assert isinstance(module, ModuleFacts)  # noqa: S101  for mypy
    assert isinstance(calls, MappingProxyType)  # noqa: S101  as above
    assert isinstance(effects, ThreadEffects)  # noqa: S101  as above
    ending = frozenset([name for name, each in calls.items() if not each.returns])
    plain = effects.plain.union(
        [name for name in calls if _is_plain(name, calls, effects.plain, 0)]
    )
    if not (ending or plain):
        return module
    return module._replace(
        never_returning=module.never_returning | ending,
        plain_functions=plain,
    )


def _is_plain(name: str, calls: CallSummaries, plain: AbstractSet[str], depth: int) -> bool:
    """Whether a function and all that it calls surely order no accesses of other threads.

    `plain`: functions of which that is known.
    """
    if name in plain:
        return True
    found = calls.get(name)
    if found is None or found.orders or depth == _MAX_DEPTH:
        return False
    return all(_is_plain(each, calls, plain, depth + 1) for each in found.callees)
