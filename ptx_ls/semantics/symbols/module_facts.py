"""The interfaces of a document's functions, and the module that they make."""

from __future__ import annotations

from functools import partial
from itertools import chain
from typing import TYPE_CHECKING

from ptx_ls.document.facts import combined, fact
from ptx_ls.semantics.calls.call_graph import calls_of
from ptx_ls.semantics.symbols.interface import Interface, interface_of
from ptx_ls.semantics.symbols.module import ModuleFacts, module_of, region_facts
from ptx_ls.semantics.symbols.module_names import outer_facts
from ptx_ls.semantics.symbols.producer import is_generated
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
    """What a function says to the rest of the module."""
    text = region_text(function)
    is_section = function.head is Kind.SECTION
    facts = region_facts(function) if is_section else outer_facts(function)
    directives = tuple(directives_in(text))
    calls = calls_of(text, directives, facts, partial(region_facts, function))
    return interface_of(facts, directives, calls)


def _interface_of_each(group: InnerNode[Function, Position]) -> Iterator[Interface]:
    return map(interface, group.leaves())


@combined(_interface_of_each)
def interfaces(found: tuple[Interface, ...]) -> tuple[Interface, ...]:
    """The interfaces of neighbouring functions."""
    return found


def _interfaces_of_groups(document: Document) -> Iterator[tuple[Interface, ...]]:
    return (interfaces(group) for _, group in document.groups())


@combined(_interfaces_of_groups)
def module_facts(groups: tuple[tuple[Interface, ...], ...]) -> ModuleFacts:
    """Returns the facts of a module, from the interfaces of its functions."""
    found = [*chain.from_iterable(groups)]
    return module_of(found)


def _module_and_producer(document: Document) -> Iterator[object]:
    yield module_facts(document)
    yield is_generated(document)


class ModuleSignature:
    """The part of a module that matters to its functions. Equal if that is the same."""

    __slots__ = ("_by_compiler", "_module")

    def __init__(self, module: ModuleFacts, *, by_compiler: bool) -> None:
        self._module, self._by_compiler = module, by_compiler

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, ModuleSignature)
            and self._by_compiler == other._by_compiler
            and self._module.is_alike(other._module)
        )

    __hash__ = None  # type: ignore[assignment]  # a module has none


@combined(_module_and_producer)
def module_signature(found: tuple[object, ...]) -> ModuleSignature:
    """Equal for modules whose functions see the same context and the same module symbols."""
    module, by_compiler = found
    assert isinstance(module, ModuleFacts)  # noqa: S101  for mypy
    return ModuleSignature(module, by_compiler=bool(by_compiler))
