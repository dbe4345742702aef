"""Directives, pragmas and predefined names: data and pages."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ptx_ls.handbook.chapters.links import chapter_links
from ptx_ls.handbook.reference_body import entry, needs_of_gates, places
from ptx_ls.handbook.wording.phrases import code
from ptx_ls.handbook.wording.sentences import ended, need_sentence
from ptx_ls.isa.version import describe_version
from ptx_ls.source.english import listed

if TYPE_CHECKING:
    from ptx_ls.handbook.page import Entry
    from ptx_ls.isa.reference import Directive, Pragma, PredefinedName


_DIRECTIVE_KEYS: Final = (
    "doc syntax arguments scopes owners repeats conflicts requires positive until "
    "deprecated gates pitfalls example section"
)
"""Keys of the JSON output, in addition to `name` and `summary`."""


_PRAGMA_KEYS: Final = "doc syntax arguments scopes owners reach gates pitfalls example section"
"""Keys of the JSON output, in addition to `name` and `summary`."""


_PREDEFINED_KEYS: Final = "doc syntax type value gates pitfalls example section"
"""Keys of the JSON output, in addition to `name` and `summary`."""


def directive(found: Directive) -> Entry:
    """Returns the entry of a directive."""
    items = [
        places(found.scopes, found.owners),
        "May be given several times." if found.repeats else "",
        f"Cannot be combined with {listed(map(code, found.conflicts))}." if found.conflicts else "",
        f"Requires {listed(map(code, found.requires), 'and')}." if found.requires else "",
        "Every argument must be at least 1." if found.positive else "",
        *map(need_sentence, needs_of_gates(found.gates)),
        f"Removed in PTX ISA {describe_version(found.until)}." if found.until else "",
        ended(f"Deprecated: {found.deprecated}") if found.deprecated else "",
        *(f"See {link}." for link in chapter_links(found.name)),
    ]
    return entry(
        "directive",
        found,
        items,
        _DIRECTIVE_KEYS,
        origin=f"Directive, {found.kind}" if found.kind else "",
        syntax=found.syntax or found.name,
        category=found.kind,
    )


def pragma(found: Pragma) -> Entry:
    """Returns the entry of a pragma."""
    items = [
        places(found.scopes, found.owners),
        f"Applies to {found.reach}." if found.reach else "",
        *map(need_sentence, needs_of_gates(found.gates)),
    ]
    syntax = f".pragma {found.syntax or found.name};"
    return entry("pragma", found, items, _PRAGMA_KEYS, syntax=syntax)


def predefined(found: PredefinedName) -> Entry:
    """Returns the entry of a predefined name."""
    items = [
        f"Value: {found.value} on all targets so far." if found.value is not None else "",
        f"Type {code(found.type)}." if found.type else "",
        *map(need_sentence, needs_of_gates(found.gates)),
    ]
    return entry(
        "predefined name",
        found,
        items,
        _PREDEFINED_KEYS,
        origin=f"Predefined {found.kind}",
        syntax=found.syntax,
        category=found.kind,
    )
