"""Suppresses a diagnostic by a comment; see docs/suppression.md."""

from __future__ import annotations

from enum import Enum
from typing import TYPE_CHECKING, Final

from ptx_ls.lint.suppression.writing import FoundHere, SuppressionWriter

if TYPE_CHECKING:
    from ptx_ls.semantics.analysis import Analysis
    from ptx_ls.source import Diagnostic, TextEdit

_OF_HEADER: Final = "module-header"
"""The rule about directives before all functions; the first function is where they are missing."""


class SuppressionScope(Enum):
    """Where a rule is ignored; the value is the end of the title of the action."""

    LINE = "here"
    FUNCTION = "in this function"
    FILE = "in this file"


def title(found: Diagnostic, scope: SuppressionScope) -> str:
    """Returns the title of the action; it says if ptxas still rejects the module."""
    warning = " (ptxas still rejects the file)" if found.is_rejected else ""
    return f"Ignore `{found.rule}` {scope.value}{warning}"


def suppression(
    analysis: Analysis, found: Diagnostic, scope: SuppressionScope = SuppressionScope.LINE
) -> TextEdit | None:
    """Returns the edit that suppresses the rule of a diagnostic; None if the scope does not fit."""
    writer = SuppressionWriter(analysis.document)
    place = analysis.document.clamped(found.range.start)
    if scope is SuppressionScope.FILE:
        return writer.in_file(found.rule)
    if scope is SuppressionScope.FUNCTION:
        is_of_module = found.rule == _OF_HEADER
        return None if is_of_module else writer.in_function(place.line, found.rule)
    return writer.on_lines([FoundHere(place, found.rule)])[0]
