"""Parameters that are valid by the table mean the same to lsprotocol."""

from __future__ import annotations

from functools import partial
from typing import Any, Final

import pytest
from hypothesis import given
from lsprotocol import converters, types
from pygls.capabilities import get_capability

from ptx_ls.server.client_state.abilities import ClientAbilities
from ptx_ls.server.protocol.initialize_fields import PARAMETERS
from ptx_ls.server.protocol.validity import is_valid
from tests.server.initialize_params import CAPABILITIES, VALID, any_params

CONVERTER: Final = converters.get_converter()


def check_read(params: Any) -> None:  # noqa: ANN401
    """Checks that lsprotocol finds all parts of valid parameters."""
    assert is_valid(params, PARAMETERS)
    structured = CONVERTER.structure(params, types.InitializeParams)
    assert without_nulls(CONVERTER.unstructure(structured)) == without_nulls(params)


def without_nulls(value: Any) -> Any:  # noqa: ANN401
    """A value without fields that are null, which is the same as without a value."""
    if isinstance(value, dict):
        return {name: without_nulls(it) for name, it in value.items() if it is not None}
    return [without_nulls(it) for it in value] if isinstance(value, list) else value


@given(VALID)
def test_what_is_valid_is_read_in_full(params: Any) -> None:  # noqa: ANN401
    check_read(params)


@given(any_params())
def test_what_still_counts_as_valid_is_read_in_full(params: Any) -> None:  # noqa: ANN401
    if is_valid(params, PARAMETERS):
        check_read(params)


@given(CAPABILITIES)
def test_abilities_are_the_same_in_json_and_in_types(able: Any) -> None:  # noqa: ANN401
    structured = CONVERTER.structure(able, types.ClientCapabilities)
    assert ClientAbilities.of(partial(get_capability, structured)) == ClientAbilities.of_json(able)


@pytest.mark.parametrize(
    ("value", "kind", "expected"),
    [
        (True, "integer", False),
        (True, "uinteger", False),
        (True, range(3), False),
        (-1, "integer", True),
        (-1, "uinteger", False),
        (2**31, "uinteger", False),
        (1.0, "integer", False),
        (None, "any", True),
        (None, "string", False),
        (["a"], {"a"}, False),
        ("a", ["string"], False),
        (["a", 1], ["string"], False),
        (1, ("integer", "string"), True),
        (None, {}, False),
        ({"unknown": 1}, {"a": "string"}, True),
        ({"a": None}, {"a": "string"}, True),
        ({"a": 1}, {"a": "string"}, False),
    ],
)
def test_kinds(value: Any, kind: Any, *, expected: bool) -> None:  # noqa: ANN401
    assert is_valid(value, kind) is expected
