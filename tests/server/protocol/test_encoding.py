"""JSON that is put together from parts reads as the whole value."""

from __future__ import annotations

import json
from typing import Any

import pytest

from ptx_ls.server.protocol.encoding import Encoded, encoded_list, of_list, of_object, with_field


def check_value(encoded: Encoded, expected: object) -> None:
    """The text of a value, sent whole."""
    assert json.loads(encoded.text) == expected


@pytest.mark.parametrize("items", [[], [1], [{"a": [1]}, "x,y", None]])
def test_lists(items: list[Any]) -> None:
    encoded = encoded_list(items)
    assert encoded.is_list
    check_value(encoded, items)
    check_value(encoded_list(items, str), [*map(str, items)])
    check_value(with_field({}, "items", encoded), {"items": items})
    check_value(with_field({"n": 1}, "items", encoded), {"n": 1, "items": items})


def test_parts() -> None:
    parts = list(of_list(["1", "2", "3"]).parts(2))
    check_value(parts[0], [1, 2])
    check_value(parts[1], [3])


def test_objects() -> None:
    encoded = with_field({"kind": "full"}, "items", of_list(["1"]))
    check_value(encoded.prefixed_by({"uri": "a"}), {"uri": "a", "kind": "full", "items": [1]})
    check_value(of_object({"a": 1}).prefixed_by({"b": 2}), {"a": 1, "b": 2})
    assert not encoded.is_list
