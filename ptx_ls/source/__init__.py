"""Positions, ranges, line ends, encodings, URIs and diagnostics of any text, PTX or not."""

from ptx_ls.source.diagnostic import (
    Applicability,
    Diagnostic,
    Fix,
    Offers,
    RelatedRange,
    Severity,
    Single,
    Tag,
    TextEdit,
    least,
    separate,
)
from ptx_ls.source.position import LineSpan, Position, Range

__all__ = [
    "Applicability",
    "Diagnostic",
    "Fix",
    "LineSpan",
    "Offers",
    "Position",
    "Range",
    "RelatedRange",
    "Severity",
    "Single",
    "Tag",
    "TextEdit",
    "least",
    "separate",
]
