"""The rule unused-label."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ptx_ls.flow.graphs import graph_of
from ptx_ls.lint.rule import CheckInput, Finding, RuleContext, rule
from ptx_ls.semantics.symbols.label_lists import listed_labels
from ptx_ls.semantics.symbols.references.mentions import is_mentioned
from ptx_ls.semantics.symbols.symbols import KINDS_BY_DIRECTIVE, SymbolKind
from ptx_ls.semantics.understood import is_understood
from ptx_ls.source import Severity, Tag
from ptx_ls.source.named_tuple import NamedTuple
from ptx_ls.syntax.dotted import opcode_of
from ptx_ls.syntax.record import Kind

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ptx_ls.document.coordinates import FunctionPosition, FunctionSpan
    from ptx_ls.semantics.symbols.region_text import RegionText
    from ptx_ls.semantics.symbols.symbols import Symbol

_TARGETS: Final = ".branchtargets"
_NAMED: Final = tuple(KINDS_BY_DIRECTIVE.values())


class UnusedLabel(NamedTuple):
    """A label that nothing mentions. `statement`: what to remove, if it is only the label."""

    name: str
    kind: str
    statement: FunctionSpan | None
    start: FunctionPosition
    end: FunctionPosition


def find(seen: CheckInput) -> Iterator[UnusedLabel]:
    """Yields the labels of a function that nothing mentions."""
    text = seen.text
    if seen.module.has_section or not is_understood(seen.function, text):
        return  # debug data may mention any label
    graph = graph_of(seen.function, seen.module.never_returning)
    names = seen.facts.label_names - {branch.target for branch in graph.branches} - _listed(text)
    named = {each.name for each in seen.facts.listed if each.kind in _NAMED}
    for name in sorted(names | named):
        for symbol in seen.facts.named.of(name):
            if symbol.kind not in (*_NAMED, SymbolKind.LABEL) or is_mentioned(text, symbol):
                continue
            statement = _statement(text, symbol) if symbol.kind is SymbolKind.LABEL else None
            yield UnusedLabel(name, symbol.kind.value, statement, symbol.start, symbol.end)


def _listed(text: RegionText) -> set[str]:
    """Returns the labels in lists of branch targets, some of which are written as a range."""
    directives = text.of_kind(Kind.DIRECTIVE)
    lists = (each.text for each in directives if opcode_of(each.text) == _TARGETS)
    return {name for each in lists for name in listed_labels(each)}


def _statement(text: RegionText, label: Symbol) -> FunctionSpan | None:
    """Returns the place of a label with its colon."""
    for found in text.statements((label.start[0],)):
        if found.start == label.start:
            return found.start, found.end
    return None


@rule(
    "unused-label",
    on=UnusedLabel,
    severity=Severity.INFORMATION,
    find=find,
    in_compiler_output=None,
)
def unused_label(mismatch: UnusedLabel, context: RuleContext) -> Finding:
    """Reports a label, call prototype or label list that no instruction uses.

    ## Why is this bad?
    The label has no effect. Perhaps a branch to the label is missing, or leads to another label.

    ## Example
    ```ptx
    .visible .entry kernel()
    {
    done:
        ret;
    }
    ```

    Use instead:
    ```ptx
    .visible .entry kernel()
    {
        ret;
    }
    ```
    """
    from ptx_ls.lint.fixes.statements import without_statement  # noqa: PLC0415  not for correct code

    span = mismatch.statement
    return Finding(
        f"{mismatch.kind} `{mismatch.name}` is never used",
        repairs=() if span is None else without_statement(*span, context, "the label"),
        tags=frozenset({Tag.UNNECESSARY}),
    )
