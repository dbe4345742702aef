"""What the functions of a document say to each other, and what they say together."""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING

from ptx_ls.document.facts import combined, fact
from ptx_ls.semantics.calls.call_graph import Calls, calls_of
from ptx_ls.semantics.symbols.module import ModuleFacts, module_of, region_facts
from ptx_ls.semantics.symbols.producer import is_generated
from ptx_ls.semantics.symbols.region_text import region_text

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ptx_ls.document.branch import InnerNode
    from ptx_ls.document.document import Document
    from ptx_ls.document.function import Function
    from ptx_ls.semantics.symbols.region import RegionFacts
    from ptx_ls.source import Position


class Interface:
    """What a function says to the rest of the module. Equal where that is the same.

    Attributes:
        facts: what its lines declare, of which only a part matters to others.
        calls: what it calls.
    """

    __slots__ = ("calls", "facts")

    def __init__(self, facts: RegionFacts, calls: Calls) -> None:
        self.facts, self.calls = facts, calls

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, Interface)
            and _is_alike(self.facts, other.facts)
            and self.calls == other.calls
        )

    __hash__ = None  # type: ignore[assignment]  # facts have none


def _is_alike(one: RegionFacts, other: RegionFacts) -> bool:
    """Whether two readings of a function say the same to the module around it."""
    return one is other or (
        one.exports == other.exports
        and one.function == other.function
        and one.doubtful == other.doubtful
        and not (one.has_section or other.has_section)
        and _directives(one) == _directives(other)
    )


def _directives(facts: RegionFacts) -> list[tuple[str, str]]:
    """Those that mean something to other functions: of a pragma, `Calls` has what does."""
    return [(each.name, each.text) for each in facts.directives if each.name != ".pragma"]


@fact
def interface(function: Function) -> Interface:
    """What a function says to the rest of the module."""
    facts = region_facts(function)
    return Interface(facts, calls_of(region_text(function), facts))


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
    """What the functions of a document say together."""
    found = [*chain.from_iterable(groups)]
    return module_of([each.facts for each in found], [each.calls for each in found])


def _module_and_producer(document: Document) -> Iterator[object]:
    yield module_facts(document)
    yield is_generated(document)


@combined(_module_and_producer)
def module_signature(found: tuple[object, ...]) -> object:
    """Equal for modules whose functions see the same context and the same module symbols."""
    module, by_compiler = found
    assert isinstance(module, ModuleFacts)  # noqa: S101  for mypy
    names = frozenset(
        (name, tuple([place.symbol.interface for place in places]))
        for name, places in module.names.items()
    )
    own = module.context, module.doubtful, module.has_section, module.has_file, module.graph
    return names, module.section_labels, module.metadata, module.changed, by_compiler, *own
