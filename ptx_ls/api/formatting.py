"""Formats a module."""

from __future__ import annotations

from ptx_ls.document.document import Document
from ptx_ls.formatting import FormatStyle
from ptx_ls.formatting.formatter import formatted_document, refusal

__all__ = ["FormatStyle", "format"]


def format(text: str, style: FormatStyle | None = None) -> str:  # noqa: A001  `ptx_ls.format`
    r"""Returns a module with its columns aligned; only white space changes.

    >>> format(".version 8.0\n.target sm_90\n.func f()\n{\nret ;\n}\n").splitlines()[-2]
    '    ret;'

    Args:
        text: the module.
        style: how to align; that of `ptx-ls format` by default.

    Raises:
        ValueError: if the text cannot be read as PTX; the message says why.
    """
    document = Document.read(text)
    reason = refusal(document)
    if reason:
        raise ValueError(f"cannot be formatted: {reason}")
    return formatted_document(document, FormatStyle() if style is None else style)
