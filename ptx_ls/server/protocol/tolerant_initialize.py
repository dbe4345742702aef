"""Reads `initialize` without its invalid parts, as one bad capability must not end the session."""

from __future__ import annotations

import logging
import re
from typing import TYPE_CHECKING, Any, Final, TypeVar

from cattrs import transform_error

if TYPE_CHECKING:
    from collections.abc import Callable

Converted = TypeVar("Converted")

_log = logging.getLogger(__name__)

_MAX_FAULTS: Final = 40
"""Maximum number of invalid parts to omit before the message is rejected."""
_STEP: Final = re.compile(r"[\w$]+")


def convert(message: dict[str, Any], structure: Callable[[dict[str, Any]], Converted]) -> Converted:
    """Returns the result of `structure` for a message without its invalid parameters.

    Raises:
        Exception: the one that `structure` raises, if omitting parameters does not help.
    """
    for _ in range(_MAX_FAULTS):
        try:
            return structure(message)
        except Exception as error:
            fault = transform_error(error, path="message")[0]  # others may concern the same part
            left = _without(message, _path(fault))
            if left == message:
                raise
            _log.warning("ignored a part of initialize: %s", fault)
            message = left
    return structure(message)


def _path(fault: str) -> list[str]:
    """Returns the path to the invalid part, as in JSON: `a.b_c[0].d` gives `a`, `bC`, `0`, `d`."""
    _, _, path = fault.rpartition(" @ ")
    return [re.sub(r"_(\w)", lambda it: it[1].upper(), step) for step in _STEP.findall(path)][1:]


def _without(value: Any, path: list[str], depth: int = 0) -> Any:  # noqa: ANN401
    """Returns a copy without the part at a path; `params` and `capabilities` remain, if empty."""
    if not path or not isinstance(value, dict):
        return value
    key, rest = path[0], path[1:]
    if key not in value:
        return value
    inner = _without(value[key], rest, depth + 1)
    if inner != value[key] or depth == 0:  # `params` itself must remain
        return {**value, key: inner}
    if key == "capabilities" and depth == 1:
        return {**value, key: {}} if value[key] != {} else value
    return {name: kept for name, kept in value.items() if name != key}
