"""The findings of a check of a file."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ptx_ls.source.named_tuple import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ptx_ls.source import Diagnostic, Severity


class FileFindings(NamedTuple):
    """The diagnostics of a file before any are selected.

    `suppressed`: how many more of each severity comments suppress.
    """

    diagnostics: list[Diagnostic]
    suppressed: Mapping[Severity, int]
