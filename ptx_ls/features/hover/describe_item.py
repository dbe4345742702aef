"""The documentation of completion items, made when an editor asks for it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ptx_ls import isa
from ptx_ls.features import markup
from ptx_ls.features.completion.snippets import idioms, snippet
from ptx_ls.features.hover import (
    describe_debug,
    describe_directive,
    describe_reference,
    describe_suppression,
    describe_symbol,
)
from ptx_ls.features.hover.instructions import describe_instruction
from ptx_ls.features.markup import Markdown
from ptx_ls.handbook.instructions import meaning

if TYPE_CHECKING:
    from collections.abc import Callable

    from ptx_ls.semantics.analysis import Analysis
    from ptx_ls.source import Position


def resolve(data: object, analysis: Analysis | None, position: Position) -> Markdown | None:
    """Explains an item by its `data`; returns None if there is nothing to say.

    `analysis` and `position` are those for which it was offered; `analysis` is None if the document
    is closed.
    """
    if not isinstance(data, str):
        return None
    kind, _, name = data.partition(" ")
    if kind == "symbol":
        return _symbol(name, analysis, position)
    if kind == "special":
        return _special(name, analysis)
    find = _TEXTS.get(kind)
    return find(name) if find is not None else None


def _opcode(name: str) -> Markdown | None:
    found = isa.database().instruction(name)
    return describe_instruction.opcode(found) if found is not None else None


def _modifier(name: str) -> Markdown | None:
    opcode, slot, modifier = (*name.split(" "), "", "")[:3]
    found = isa.database().instruction(opcode)
    if found is None:
        return None
    head = markup.filled("{}: modifier of {}", markup.code(modifier), markup.code(opcode))
    return markup.paragraphs(head, markup.own(meaning(found, modifier, slot)))


def _dotted(name: str) -> Markdown | None:
    return (
        describe_directive.dotted(name)
        or describe_symbol.dotted(name)
        or describe_debug.section(name)
    )


def _idiom(name: str) -> Markdown | None:
    found = idioms.find(name)
    if found is None:
        return None
    return markup.paragraphs(markup.own(found.summary), markup.block(snippet.plain(found.template)))


def _symbol(name: str, analysis: Analysis | None, position: Position) -> Markdown | None:
    declared = analysis.lookup(name, position) if analysis is not None else None
    if analysis is None or declared is None:
        return None
    return describe_symbol.symbol(analysis, declared, name, position)


def _special(name: str, analysis: Analysis | None) -> Markdown | None:
    base = name.partition(".")[0]
    register = analysis.special_register(base) if analysis is not None else None
    if analysis is None or register is None:
        return None
    return describe_reference.special_register(analysis, register, name)


_TEXTS: Final[dict[str, Callable[[str], Markdown | None]]] = {
    "opcode": _opcode,
    "modifier": _modifier,
    "directive": _dotted,
    "target": describe_reference.target,
    "version": describe_reference.version,
    "pragma": describe_directive.pragma,
    "idiom": _idiom,
    "rule": describe_suppression.rule,
}
