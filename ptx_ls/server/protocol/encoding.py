"""Results that are encoded as JSON in advance, as encoding a long result blocks the event loop."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, TypeVar

from ptx_ls.source.named_tuple import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

Item = TypeVar("Item")


class Encoded(NamedTuple):
    """A value as JSON, in parts that are joined when it is sent: `head`, `rows`, `tail`."""

    head: str
    rows: Sequence[str] = ()
    tail: str = ""

    @property
    def text(self) -> str:
        """The JSON: the rows, separated by commas, between `head` and `tail`."""
        if not self.rows:
            return self.head + self.tail
        parts = list(self.rows)
        parts[0] = self.head + parts[0]
        parts[-1] += self.tail
        return ",".join(parts)  # the only copy of what may be megabytes

    @property
    def is_list(self) -> bool:
        """Whether each row is an item of a list."""
        return self.head == "["

    def parts(self, size: int) -> Iterator[Encoded]:
        """Yields lists with at most `size` of the rows each."""
        for first in range(0, len(self.rows), size):
            yield self._replace(rows=self.rows[first : first + size])

    def prefixed_by(self, fields: dict[str, Any]) -> Encoded:
        """Returns this object with `fields` before its own fields; neither may be empty."""
        return self._replace(head=f"{json.dumps(fields)[:-1]},{self.head[1:]}")


def of_object(fields: dict[str, Any]) -> Encoded:
    """Encodes an object."""
    return Encoded(json.dumps(fields))


def of_list(rows: Sequence[str]) -> Encoded:
    """Returns a list whose items are already JSON."""
    return Encoded("[", rows, "]")


def encoded_list(items: Iterable[Item], converted: Callable[[Item], Any] | None = None) -> Encoded:
    """Encodes a list of the items, each converted by `converted` if given."""
    values = items if converted is None else map(converted, items)
    return of_list([json.dumps(value) for value in values])


def with_field(fields: dict[str, Any], key: str, value: Encoded) -> Encoded:
    """Encodes an object, and adds a field whose value is already JSON."""
    joint = "," if fields else ""
    head = f"{json.dumps(fields)[:-1]}{joint}{json.dumps(key)}:{value.head}"
    return Encoded(head, value.rows, f"{value.tail}}}")
