"""The interfaces of a document's functions, and the facts of the module that they form."""

from __future__ import annotations

from functools import partial
from itertools import chain
from typing import TYPE_CHECKING

from ptx_ls.document.facts import combined, fact
from ptx_ls.semantics.calls.call_graph import calls_of
from ptx_ls.semantics.symbols.compiler_output import (
    MAX_BANNER_LINES,
    MAX_HANDWRITTEN_LINES,
    has_banner,
    has_names_of_compiler,
)
from ptx_ls.semantics.symbols.interface import Interface, interface_of
from ptx_ls.semantics.symbols.internal_names import internal_names, mentioned
from ptx_ls.semantics.symbols.module import ModuleFacts, module_of, region_facts
from ptx_ls.semantics.symbols.module_names import outer_facts
from ptx_ls.semantics.symbols.region_reader import directives_in
from ptx_ls.semantics.symbols.region_text import region_text
from ptx_ls.syntax.record import Kind

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ptx_ls.document.branch import InnerNode
    from ptx_ls.document.document import Document
    from ptx_ls.document.function import Function
    from ptx_ls.source import Position


@fact
def interface(function: Function) -> Interface:
    """Returns the interface of a function to the rest of the module."""
    text = region_text(function)
    known = region_facts.known(function)
    if known is None and function.head is Kind.SECTION:
        known = region_facts(function)
    facts = outer_facts(function) if known is None else known
    directives = tuple(directives_in(text) if known is None else known.directives)
    calls = calls_of(text, directives, facts, partial(region_facts, function))
    return interface_of(facts, directives, calls)


def _interface_of_each(group: InnerNode[Function, Position]) -> Iterator[Interface]:
    return map(interface, group.leaves())


@combined(_interface_of_each)
def interfaces(found: tuple[Interface, ...]) -> tuple[Interface, ...]:
    """Returns the interfaces of a group of neighbouring functions."""
    return found


def _interfaces_of_groups(document: Document) -> Iterator[tuple[Interface, ...]]:
    return (interfaces(group) for _, group in document.groups())


@combined(_interfaces_of_groups)
def module_facts(groups: tuple[tuple[Interface, ...], ...]) -> ModuleFacts:
    """Returns the facts of a module, from the interfaces of its functions."""
    found = [*chain.from_iterable(groups)]
    return module_of(found)


@fact
def _has_banner_or_is_long(document: Document) -> bool:
    """Whether a module names its compiler in its first lines, or is too long to be handwritten."""
    is_long = document.n_lines > MAX_HANDWRITTEN_LINES
    return is_long or has_banner(document.lines[:MAX_BANNER_LINES])


def _banner_and_module(document: Document) -> Iterator[object]:
    yield _has_banner_or_is_long(document)
    yield module_facts(document)


@combined(_banner_and_module)
def is_generated(found: tuple[object, ...]) -> bool:
    """Whether a compiler wrote a module."""
    is_named, module = found
    assert isinstance(module, ModuleFacts)  # noqa: S101  for mypy
    return bool(is_named) or has_names_of_compiler(module)


def seems_generated(document: Document) -> bool:
    """Does what `is_generated` does, but not by names until the module has been read."""
    if module_facts.known(document) is None:
        return _has_banner_or_is_long(document)
    return is_generated(document)


def _module_alone(document: Document) -> Iterator[ModuleFacts]:
    yield module_facts(document)


@combined(_module_alone)
def _internal(found: tuple[ModuleFacts, ...]) -> frozenset[str]:
    """Returns the names that only the module itself can use."""
    places = chain.from_iterable(found[0].names.values())
    return internal_names(place.symbol for place in places)


def _internal_and_mentioned(document: Document) -> Iterator[frozenset[str]]:
    names = frozenset[str]() if is_generated(document) else _internal(document)
    yield names
    if names:
        yield from (mentioned(function, names) for function in document.leaves())


@combined(_internal_and_mentioned)
def unused_names(found: tuple[frozenset[str], ...]) -> frozenset[str]:
    """Returns the names of functions and variables that nothing in a module can use.

    Returns none for compiler output.
    """
    names, *others = found
    return names.difference(*others)


def _module_and_what_it_lacks(document: Document) -> Iterator[object]:
    yield module_facts(document)
    yield is_generated(document)
    yield unused_names(document)


class ModuleSignature:
    """The part of a module that its functions depend on; equal if it is the same in two modules."""

    __slots__ = ("_by_compiler", "_module", "_unused")

    def __init__(self, module: ModuleFacts, unused: frozenset[str], *, by_compiler: bool) -> None:
        """`unused`: as in `unused_names`. `by_compiler`: whether a compiler wrote the module."""
        self._module, self._unused, self._by_compiler = module, unused, by_compiler

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, ModuleSignature)
            and self._by_compiler == other._by_compiler
            and self._unused == other._unused
            and self._module.is_alike(other._module)
        )

    __hash__ = None  # type: ignore[assignment]  # a module has none


@combined(_module_and_what_it_lacks)
def module_signature(found: tuple[object, ...]) -> ModuleSignature:
    """Returns a value that two modules share if their functions see the same contexts and names."""
    module, by_compiler, unused = found
    assert isinstance(module, ModuleFacts)  # noqa: S101  for mypy
    assert isinstance(unused, frozenset)  # noqa: S101  as above
    return ModuleSignature(module, unused, by_compiler=bool(by_compiler))
