"""Checks the parameters of `initialize` without the types of LSP, which take long to load."""

from __future__ import annotations

from typing import Any, Final

from ptx_ls.source.named_tuple import NamedTuple

_MAX_UINTEGER: Final = (1 << 31) - 1


class Required(NamedTuple):
    """The kind of a field that may not be missing."""

    kind: object


def is_valid(value: object, kind: Any) -> bool:  # noqa: ANN401
    """Whether a JSON value is of a kind, as those in `initialize_fields.py`.

    A kind is the name of a type, a set or range of values, a list of the kind of its items, a tuple
    of kinds to choose from, or a dictionary of the kinds of known fields. This is stricter than
    lsprotocol, which converts some values of another type.
    """
    match kind:
        case str():
            return _is_of_type(value, kind)
        case set():
            return isinstance(value, str) and value in kind
        case range():
            return _is_of_type(value, "integer") and value in kind
        case list():
            return isinstance(value, list) and all(is_valid(each, kind[0]) for each in value)
        case tuple():
            return any(is_valid(value, each) for each in kind)
    return isinstance(value, dict) and all(
        _is_valid_field(value.get(name), each) for name, each in kind.items()
    )


def _is_valid_field(value: object, kind: object) -> bool:
    if isinstance(kind, Required):
        return is_valid(value, kind.kind)
    return value is None or is_valid(value, kind)


def _is_of_type(value: object, name: str) -> bool:
    match name:
        case "any":
            return True
        case "boolean":
            return isinstance(value, bool)
        case "string":
            return isinstance(value, str)
        case "integer":
            return isinstance(value, int) and not isinstance(value, bool)
        case "uinteger":
            return _is_of_type(value, "integer") and 0 <= value <= _MAX_UINTEGER  # type: ignore[operator]
    raise ValueError(name)
