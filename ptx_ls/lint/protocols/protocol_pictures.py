"""Draws the protocols that a rule is about into its page."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Final

from ptx_ls.protocols.definition import protocol, protocol_names
from ptx_ls.source.site import SITE

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ptx_ls.protocols.definition import Protocol

_EXAMPLE: Final = "## Example\n"
_PICTURE: Final = "```text\n"


def with_protocols(rule: str, page: str) -> str:
    """Returns the page of a rule with the protocols that it belongs to, before its first example.

    A page that has a picture of its own only gets links.
    """
    names = _protocols_of_rules().get(rule, ())
    if not names:
        return page
    has_picture = _PICTURE in page
    parts = [_section(protocol(name), is_drawn=not has_picture) for name in names]
    section = "## Protocol\n" + "\n\n".join(parts)
    return page.replace(_EXAMPLE, f"{section}\n\n{_EXAMPLE}", 1)


@cache
def _protocols_of_rules() -> Mapping[str, tuple[str, ...]]:
    """Returns the names of the protocols that each rule belongs to."""
    found: dict[str, list[str]] = {}
    for name in protocol_names():
        for misuse in protocol(name).misuses:
            own = found.setdefault(misuse.rule, [])
            if name not in own:
                own.append(name)
    return {rule: tuple(names) for rule, names in found.items()}


def _section(made: Protocol, *, is_drawn: bool) -> str:
    address = f"{SITE}/protocols/{made.name.replace('_', '-')}"
    link = f"All states and events: [{made.title}]({address})."
    return f"{link}\n\n{_PICTURE}{made.picture}\n```" if is_drawn else link
