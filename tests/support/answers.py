"""Everything that an editor can ask about a document and a place in it, as plain values."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, Final, TypeVar

from ptx_ls.document.document import Document
from ptx_ls.features.actions import module_needs
from ptx_ls.features.actions.action import Renaming
from ptx_ls.features.actions.listing import refactors
from ptx_ls.features.actions.suppress import SuppressionScope, suppression
from ptx_ls.features.completion.completion import completions
from ptx_ls.features.control_flow.flow_text import flow_at
from ptx_ls.features.control_flow.unreachable import unreachable
from ptx_ls.features.format_on_type import format_on_type
from ptx_ls.features.hints import inlay_hints
from ptx_ls.features.hints.code_lenses import LensKind, lenses, name_text, resources_text
from ptx_ls.features.hints.hint import HintKind
from ptx_ls.features.hints.inlay_hints import hints
from ptx_ls.features.hover.describe_item import resolve
from ptx_ls.features.hover.hover import hover, picture
from ptx_ls.features.hover.register_value import register_at, register_value
from ptx_ls.features.navigation import call_hierarchy, goto, value_flow
from ptx_ls.features.navigation.goto_source import location_above, source_place
from ptx_ls.features.navigation.highlight import highlights
from ptx_ls.features.navigation.linkage import linked_at
from ptx_ls.features.navigation.references import references
from ptx_ls.features.navigation.source_links import (
    MAX_LINKS,
    file_names,
    location_links,
    named_links,
)
from ptx_ls.features.rename import rename
from ptx_ls.features.rename.linked_editing import linked
from ptx_ls.features.requirements.requirements import requirements
from ptx_ls.features.signature.signature_help import signature_help
from ptx_ls.features.structure.document_symbols import document_symbols
from ptx_ls.features.structure.folding import folds
from ptx_ls.features.structure.module_symbols import module_symbols
from ptx_ls.features.structure.selection import selections
from ptx_ls.features.tokens.semantic_tokens import Highlighter
from ptx_ls.features.tokens.token_patterns import Palette
from ptx_ls.features.tokens.token_rows import rows_of
from ptx_ls.formatting.style import FormatStyle
from ptx_ls.semantics.analysis import Analysis
from ptx_ls.semantics.symbols.references.occurrences import occurrences
from ptx_ls.source import Range

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ptx_ls.features.actions.action import Action
    from ptx_ls.features.navigation.source_links import SourceLink
    from ptx_ls.lint import LintSession
    from ptx_ls.source import Position, TextEdit

Result = TypeVar("Result")
_NEEDED: Final = requirements(
    ".version 6.0\n.target sm_50\n.address_size 64\n.entry k() { fence.proxy.async; ret; }\n"
)
"""The requirements of a module that needs a newer version and target than it declares."""
_FEW: Final = 3
_MAX_ITEMS: Final = 40
_AROUND: Final = 40


def of_document(document: Document, highlighter: Highlighter) -> dict[str, object]:
    """Returns the answers about a whole document; `highlighter` can be used for others, too."""
    analysis = Analysis(document)
    shown = lenses(document, list(LensKind)).found
    return {
        "lenses": shown,
        "lens texts": [
            (name_text(analysis, it.range.start), resources_text(analysis, it.range.start))
            for it in shown
        ],
        "folds": folds(document),
        "symbols": document_symbols(document),
        "module symbols": list(module_symbols(document)),
        "links": links_of(document),
        "tokens": rows_of(highlighter.rows(document)),
        "unreachable": [unreachable(document, it).lines for it in range(document.n_leaves)],
        "header": [
            (action.title, list(edits_of_action(action)))
            for name in (module_needs.VERSION, module_needs.TARGET)
            for action in module_needs.choices(analysis, _NEEDED, name)
        ],
    }


def value_of(analysis: Analysis, position: Position) -> str:
    """Returns what a hover says of the value of the register at a place; "" if there is none."""
    register = register_at(analysis, position)
    return "" if register is None else register_value(analysis, register)


def links_of(document: Document) -> list[SourceLink]:
    """Returns the links to sources in a document, in order."""
    found = named_links(document) + location_links(document, file_names(document))
    return sorted(found[:MAX_LINKS], key=lambda link: link.range.start)


def at_place(document: Document, position: Position) -> dict[str, object]:
    """Returns the answers at a place."""
    analysis = Analysis(document)
    position = document.clamped(position)
    first, last = max(0, position.line - _AROUND), position.line + _AROUND
    items = completions(analysis, position).items[:_MAX_ITEMS]
    flow = flow_at(analysis, position)
    declared = call_hierarchy.prepare(analysis, position)
    return {
        "hover": hover(analysis, position),
        "picture": picture(analysis, position),
        "value": value_of(analysis, position),
        "value flow": [
            (
                it,
                value_flow.sources(analysis, it.range.start)[:_FEW],
                value_flow.readers(analysis, it.range.start)[:_FEW],
            )
            for it in value_flow.prepare(analysis, position)[:_FEW]
        ],
        "completion": items,
        "resolved": [resolve(item.data, analysis, position) for item in items[:_FEW]],
        "signature": signature_help(analysis, position),
        "definition": goto.definition(analysis, position),
        "declaration": goto.declaration(analysis, position),
        "type": goto.type_definition(analysis, position),
        "implementation": goto.implementation(analysis, position),
        "source": source_place(analysis, position),
        "location": location_above(document, position.line),
        "highlights": highlights(analysis, position),
        "selections": selections(analysis, position),
        "linked": linked(analysis, position),
        "linkage": linked_at(analysis, position),
        "references": references(analysis, position, include_declaration=True),
        "hints": _hints(analysis, first, min(last, len(document.lines))),
        "flow": flow and (flow.name, flow.start, flow.lines, flow.graph.starts, flow.graph.stops),
        "on type": [format_on_type(document, position, typed, FormatStyle()) for typed in ";}\n"],
        "calls": declared,
        "rename": _rename(analysis, position),
        "header directive": module_needs.directive_at(analysis, Range(position, position)),
        "actions": _actions(analysis, position),
    }


def of_check(document: Document, session: LintSession) -> dict[str, object]:
    """Returns what a session finds in a document, of which it may have checked earlier versions."""
    while (work := session.pending()) is not None:
        work.run(lambda: False)
    found = session.diagnostics()
    analysis = Analysis(document)
    return {
        "diagnostics": found,
        "within": [session.within(line, line + 1) for line in range(0, document.n_lines, _AROUND)],
        "suppressed": session.suppressed(),
        "suppressions": [
            suppression(analysis, one, scope) for one in found[:_FEW] for scope in SuppressionScope
        ],
    }


def edits_of_action(action: Action) -> Sequence[TextEdit] | str:
    """Returns the edits of an action, or why it is disabled."""
    if action.disabled:
        return action.disabled
    return action.work() if not isinstance(action.work, Renaming) else repr(action.work)


def _actions(analysis: Analysis, position: Position) -> list[object]:
    line = Range(position, analysis.document.clamped(position._replace(line=position.line + 2)))
    return [
        (action.title, action.kind, edits_of_action(action))
        for selection in (Range(position, position), line)
        for action in refactors(analysis, selection)
    ]


def _hints(analysis: Analysis, first: int, stop: int) -> object:
    found = hints(analysis, first, stop, list(HintKind))
    return [(hint, inlay_hints.resolve(hint.data)) for hint in found]


def _rename(analysis: Analysis, position: Position) -> object:
    with suppress(rename.RefusalError):
        asked = rename.prepare(analysis, position)
        if asked is None:
            return None
        places = sorted(occurrences(analysis, asked.wanted.declared, asked.name))
        rename.check(analysis, asked, "renamed", places)
        return list(rename.replacements(analysis, asked, "renamed", places))
    return "refused"


def highlighter() -> Highlighter:
    """Returns a highlighter that finds all tokens."""
    return Highlighter(Palette(has_comments=True))
