"""Common parts of the pages and the data of all names that are not instructions."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, Final

from ptx_ls.handbook.page import Block, Bullets, Code, Entry, Page, Text, plain
from ptx_ls.handbook.wording.availability import AvailabilityFacts, need
from ptx_ls.handbook.wording.phrases import code
from ptx_ls.handbook.wording.sentences import manual
from ptx_ls.isa.version import describe_version
from ptx_ls.source.english import listed

if TYPE_CHECKING:
    from ptx_ls.isa.reference import (
        Directive,
        Gates,
        Pragma,
        PredefinedName,
        PtxType,
        SpecialRegister,
        StateSpace,
    )

SCOPES: Final = {
    "module": "at module level",
    "header": "between the header and the body of a function",
    "body": "in a body",
    "function": "in a function",
    "parameter": "in a parameter list",
    "declaration": "in a declaration",
    "attribute": "inside `.attribute(...)`",
}
_VERSIONS: Final = ("since", "until")


def needs_of_gates(gates: Gates) -> tuple[AvailabilityFacts, ...]:
    """Returns the requirements of a register, directive, pragma, type or space, if any."""
    return tuple(found for found in map(need, gates) if found.text)


def data_of(value: object, keys: str, **more: object) -> dict[str, Any]:
    """Returns some fields of a value of `ptx_ls.isa.reference` as values for JSON.

    Versions become text, and `gates` becomes `needs`. `more` is added.
    """
    found: dict[str, Any] = {}
    for key in ("name", "summary", *keys.split()):
        item = getattr(value, key)
        if key == "gates":
            found["needs"] = plain(needs_of_gates(item))
        elif key in _VERSIONS:
            found[key] = describe_version(item) if item else ""
        elif key == "types":
            found[key] = [{"since": describe_version(since), "type": name} for since, name in item]
        else:
            found[key] = plain(item)
    return {**found, **{key: plain(item) for key, item in more.items()}}


def places(scopes: Iterable[str], owners: Iterable[str] = ()) -> str:
    """Describes where something is allowed; "" if no scopes are given."""
    words = [SCOPES.get(scope, scope) for scope in scopes]
    if not words:
        return ""
    of = f", only for {listed(map(code, owners))}" if tuple(owners) else ""
    return f"Allowed {listed(words)}{of}."


def body(
    origin: tuple[str, str], summary: str, doc: str, items: Iterable[str], *, syntax: str = ""
) -> list[Block]:
    """Returns the blocks of a page: summary, kind and section (`origin`), syntax, text, facts."""
    kind, section = origin
    line = " · ".join(filter(None, (kind, manual((section,)) if section else "")))
    blocks: list[Block] = [Text(f"**{summary}**"), Text(line)]
    if syntax:
        blocks.append(Code(syntax))
    if doc:
        blocks.append(Text(doc))
    shown = tuple(filter(None, items))
    if shown:
        blocks.append(Bullets(shown))
    return blocks


def advice(pitfalls: Iterable[str], example: str) -> list[Block]:
    """Returns pitfalls and an example, if there are any."""
    blocks: list[Block] = []
    warnings = tuple(pitfalls)
    if warnings:
        blocks += [Text("Pitfalls:"), Bullets(warnings)]
    if example:
        blocks += [Text("Example:"), Code(example.strip())]
    return blocks


def page(name: str, blocks: Iterable[Block]) -> Page:
    """Returns a page with a name as its title."""
    return Page(code(name), tuple(blocks))


def entry(  # each is a part of the page
    kind: str,
    found: SpecialRegister | PredefinedName | Directive | Pragma | PtxType | StateSpace,
    items: Iterable[str],
    keys: str,
    *,
    origin: str = "",
    syntax: str = "",
    **more: object,
) -> Entry:
    """Returns the entry of a name; `kind` is its kind, which `origin` describes on the page.

    For `keys` and `more` see `data_of`.
    """
    blocks = [
        *body(
            (origin or kind.capitalize(), found.section),
            found.summary,
            found.doc,
            items,
            syntax=syntax,
        ),
        *advice(getattr(found, "pitfalls", ()), getattr(found, "example", "")),
    ]
    data = data_of(found, keys, **more)
    return Entry(kind, found.name, found.summary, data, page(found.name, blocks))
