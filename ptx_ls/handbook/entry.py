"""An answer to a name: its kind, the facts about it, and its page."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields, is_dataclass
from typing import Any

from ptx_ls.handbook.page import Page


@dataclass(frozen=True, slots=True)
class Entry:
    """The handbook's knowledge of a name.

    `kind` is `instruction`, `special register`, `predefined name`, `directive`, `pragma`, `type`,
    `state space`, `version`, `target` or `modifier`. `facts` is a dataclass or a dictionary; the
    names of its fields are the keys of the JSON output.
    """

    kind: str
    name: str
    summary: str
    facts: object
    page: Page

    def as_data(self) -> dict[str, Any]:
        """Returns the facts as values that JSON can represent."""
        data = plain(self.facts)
        return {"kind": self.kind, **data}


def plain(value: object) -> Any:  # noqa: ANN401  # JSON is of any type
    """Converts dataclasses and named tuples to dictionaries, other tuples to lists."""
    if is_dataclass(value) and not isinstance(value, type):
        return {each.name: plain(getattr(value, each.name)) for each in fields(value)}
    if isinstance(value, tuple) and hasattr(value, "_asdict"):
        value = value._asdict()
    if isinstance(value, Mapping):
        return {str(key): plain(each) for key, each in value.items()}
    if isinstance(value, (tuple, list, set, frozenset)):
        return [plain(each) for each in value]
    return value
