"""Errors that ptxas reports while it reads a module, for comparisons with `-arch=compute_XX`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ptx_ls.lint.rules.functions import uncompilable
from ptx_ls.source import Severity

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ptx_ls.source import Diagnostic


def reading_errors(diagnostics: Iterable[Diagnostic]) -> list[Diagnostic]:
    """Returns the errors, except those that ptxas reports only when it generates code."""
    return [
        each
        for each in diagnostics
        if each.severity is Severity.ERROR and each.rule != uncompilable.NAME
    ]
