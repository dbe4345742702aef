"""What the pages of registers, directives, types and the like have in common."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Final

from ptx_ls.handbook.availability import Need, need
from ptx_ls.handbook.page import Block, Bullets, Code, Page, Text
from ptx_ls.handbook.sentences import manual
from ptx_ls.handbook.wording import code, listed

if TYPE_CHECKING:
    from ptx_ls.isa.reference import Gates

SCOPES: Final = {
    "module": "in a module, outside of functions",
    "header": "between the head of a function and its body",
    "body": "in a body",
    "function": "in a function",
    "parameter": "in a parameter",
    "declaration": "in a declaration",
    "attribute": "inside `.attribute(...)`",
}


def needs_of_gates(gates: Gates) -> tuple[Need, ...]:
    """Gates of a register, directive, pragma, type or space that ask for anything."""
    return tuple(found for found in map(need, gates) if found.text)


def places(scopes: Iterable[str], owners: Iterable[str] = ()) -> str:
    """Where something may stand, of what; "" where that does not matter."""
    words = [SCOPES.get(scope, scope) for scope in scopes]
    if not words:
        return ""
    of = f", of {listed(map(code, owners))}" if tuple(owners) else ""
    return f"Stands {listed(words)}{of}."


def body(
    kind: str,
    summary: str,
    doc: str,
    items: Iterable[str],
    *,
    syntax: str = "",
    section: str = "",
) -> list[Block]:
    """The blocks of a page: summary, kind and the manual's section, syntax, text, facts."""
    origin = " · ".join(filter(None, (kind, manual((section,)) if section else "")))
    blocks: list[Block] = [Text(f"**{summary}**"), Text(origin)]
    if syntax:
        blocks.append(Code(syntax))
    if doc:
        blocks.append(Text(doc))
    shown = tuple(filter(None, items))
    if shown:
        blocks.append(Bullets(shown))
    return blocks


def page(name: str, blocks: Iterable[Block]) -> Page:
    """A page with a name for its title."""
    return Page(code(name), tuple(blocks))
