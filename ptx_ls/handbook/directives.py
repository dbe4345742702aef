"""Directives and pragmas: facts and pages."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ptx_ls.handbook.availability import Need
from ptx_ls.handbook.entry import Entry
from ptx_ls.handbook.page import Bullets, Code, Text
from ptx_ls.handbook.reference_body import body, needs_of_gates, page, places
from ptx_ls.handbook.sentences import ended, need_sentence
from ptx_ls.handbook.wording import code, listed
from ptx_ls.isa.version import describe_version

if TYPE_CHECKING:
    from ptx_ls.isa.reference import Directive, Pragma


@dataclass(frozen=True, slots=True)
class DirectiveFacts:
    """A directive."""

    name: str
    summary: str
    doc: str
    category: str
    syntax: str
    scopes: tuple[str, ...]
    owners: tuple[str, ...]
    repeats: bool
    conflicts: tuple[str, ...]
    requires: tuple[str, ...]
    pitfalls: tuple[str, ...]
    example: str
    needs: tuple[Need, ...]
    removed: str
    """The PTX ISA version that has it no more, or ""."""
    deprecated: str
    section: str


@dataclass(frozen=True, slots=True)
class PragmaFacts:
    """A pragma."""

    name: str
    summary: str
    doc: str
    syntax: str
    scopes: tuple[str, ...]
    needs: tuple[Need, ...]
    section: str


def directive(found: Directive) -> Entry:
    """A directive."""
    facts = DirectiveFacts(
        found.name,
        found.summary,
        found.doc,
        found.kind,
        found.syntax,
        found.scopes,
        found.owners,
        found.repeats,
        found.conflicts,
        found.requires,
        found.pitfalls,
        found.example.strip(),
        needs_of_gates(found.gates),
        describe_version(found.until) if found.until else "",
        found.deprecated,
        found.section,
    )
    items = [
        places(facts.scopes, facts.owners),
        "The same place may hold it several times." if facts.repeats else "",
        f"Not together with {listed(map(code, facts.conflicts))}." if facts.conflicts else "",
        f"Only together with {listed(map(code, facts.requires))}." if facts.requires else "",
        *map(need_sentence, facts.needs),
        f"Gone from PTX ISA {facts.removed} on." if facts.removed else "",
        ended(f"Deprecated: {facts.deprecated}") if facts.deprecated else "",
    ]
    blocks = body(
        "Directive",
        facts.summary,
        facts.doc,
        items,
        syntax=facts.syntax or facts.name,
        section=facts.section,
    )
    if facts.pitfalls:
        blocks += [Text("Pitfalls:"), Bullets(facts.pitfalls)]
    if facts.example:
        blocks += [Text("Example:"), Code(facts.example)]
    return Entry("directive", found.name, found.summary, facts, page(found.name, blocks))


def pragma(found: Pragma) -> Entry:
    """A pragma."""
    facts = PragmaFacts(
        found.name,
        found.summary,
        found.doc,
        found.syntax,
        found.scopes,
        needs_of_gates(found.gates),
        found.section,
    )
    items = [places(facts.scopes), *map(need_sentence, facts.needs)]
    syntax = f".pragma {facts.syntax or found.name};"
    blocks = body("Pragma", facts.summary, facts.doc, items, syntax=syntax, section=facts.section)
    return Entry("pragma", found.name, found.summary, facts, page(found.name, blocks))
