"""Makes docs/features.md: which LSP requests ptx-ls answers, compared with other language servers.

The methods of other servers were read from their sources, and are in docs/features.tsv. The
server itself is asked which methods it answers; methods that it sends are searched in its source.
"""

from __future__ import annotations

import csv
import re
from itertools import groupby
from typing import TYPE_CHECKING, Final

from lsprotocol import types

from docs.folders import DOCS, ROOT
from docs.generators.unwrapping import unwrapped
from ptx_ls.server.language_server import PtxServer

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

DATA: Final = DOCS / "features.tsv"
PAGE: Final = DOCS / "features.md"
_SERVER: Final = ROOT / "ptx_ls" / "server"
_PEERS: Final = ("rust-analyzer", "clangd", "gopls", "asm-lsp", "wat_server")
_MARKS: Final = {"yes": "yes", "no": ""}
_NOTE: Final = "<!-- Written by `./dev docs` from docs/features.tsv; change it there. -->\n"
_TEXT: Final = """\
# Features of the server

This page lists the requests and notifications of the Language Server Protocol that ptx-ls and five
other servers support. The columns of the other servers are from their sources in 2026.
rust-analyzer, clangd and gopls are for far larger languages than PTX; asm-lsp and wat_server are
the most similar servers. "yes" means only that a server supports a method, not how well.
"""
_HOWEVER: Final = """\
## Features that other servers have and ptx-ls lacks

- clangd, gopls and wat_server support type hierarchies. PTX has no subtypes.
- rust-analyzer, gopls and clangd can extract and inline functions or variables. rust-analyzer has
  more than a hundred refactorings, and wat_server has about twenty. ptx-ls has only a dozen small
  refactorings.
- rust-analyzer has postfix completion (`.if`, `.match`) and adds imports. PTX has no expressions to
  complete in this way, and no imports.
- clangd keeps its index on disk; ptx-ls keeps it only in memory.
- asm-lsp supports the assembly languages of many machines; ptx-ls supports only PTX.
- Other servers request the workspace folders. ptx-ls does not, because editors send them with
  `initialize` and in notifications.
- Many people have used gopls and rust-analyzer for years. ptx-ls is new.
- ptx-ls does not run code on a device, so it has no run, test or debug lenses.
"""


def rows() -> list[Mapping[str, str]]:
    """The rows of the data by column."""
    with DATA.open(encoding="utf-8", newline="") as lines:
        return list(csv.DictReader(lines, delimiter="\t"))


def answered() -> frozenset[str]:
    """The methods that the server takes from a client."""
    return PtxServer(lambda _code: None).connection.features.methods


def sent() -> frozenset[str]:
    """The methods that the source of the server sends to a client, by the names they have there."""
    source = "".join(path.read_text("utf-8") for path in sorted(_SERVER.rglob("*.py")))
    return frozenset(
        method
        for name, method in vars(types).items()
        if isinstance(method, str)
        and method in types.METHOD_TO_TYPES
        and types.message_direction(method) != "clientToServer"
        and re.search(rf"\btypes\.{name}\b", source)
    )


def page() -> str:
    """The whole page."""
    known = answered() | sent()
    parts = [_NOTE, unwrapped(_TEXT)]
    every = rows()
    groups = list(dict.fromkeys(row["group"] for row in every))
    every.sort(key=lambda row: groups.index(row["group"]))
    for group, lines in groupby(every, key=lambda row: row["group"]):
        parts.append(f"## {group}\n\n" + "\n".join(_table(lines, known)) + "\n")
    parts.append(unwrapped(_HOWEVER))
    return "\n".join(parts)


def _table(lines: Iterable[Mapping[str, str]], known: frozenset[str]) -> Iterator[str]:
    yield f"| method | ptx-ls | result or effect | {' | '.join(_PEERS)} |"
    yield "| --- | --- | --- |" + " --- |" * len(_PEERS)
    for row in lines:
        has = row["method"] in known
        words = row["words"] if has else ""
        peers = " | ".join(_MARKS[row[peer]] for peer in _PEERS)
        yield f"| `{row['method']}` | {'yes' if has else ''} | {words} | {peers} |"
