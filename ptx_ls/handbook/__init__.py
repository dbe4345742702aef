"""The ISA database as pages: what each instruction, register, directive and type is, in words.

`describe` answers a name with entries: facts with stable keys for tools (`Entry.as_data`), and a
page of headings, texts and tables that `markdown` and the terminal show. Nothing here knows of
documents.
"""

from __future__ import annotations

from ptx_ls.handbook.entry import Entry
from ptx_ls.handbook.lookup import UnknownNameError, describe, names

__all__ = ["Entry", "UnknownNameError", "describe", "names"]
