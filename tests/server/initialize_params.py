"""Parameters of `initialize`, as any client may send them."""

from __future__ import annotations

from copy import deepcopy
from typing import Any, Final

from hypothesis import strategies as st

from ptx_ls.server.protocol.initialize_fields import PARAMETERS
from ptx_ls.server.protocol.validity import Required

_ENCODINGS: Final = ["utf-8", "utf-16", "utf-32", "utf-7"]
_TYPES: Final = ["opcode", "keyword", "register", "kernel"]
_NAMES: Final = st.sampled_from([*_ENCODINGS, *_TYPES, "declaration", ""])
_JUNK: Final[st.SearchStrategy[Any]] = st.sampled_from(
    [None, True, False, 0, 1, -1, 27, 2**31, 2**40, 1.5, "", "yes", "utf-8", [], ["a"], [1], {}]
)


def _of(kind: Any) -> st.SearchStrategy[Any]:  # noqa: ANN401
    """Values of a kind; see `validity.py`."""
    match kind:
        case "any":
            return st.sampled_from([None, True, 3, "x", [1], {"a": {}}])
        case "boolean":
            return st.booleans()
        case "integer" | "uinteger":
            return st.integers(0, 2**31 - 1)
        case "string":
            return _NAMES
        case set() | range():
            return st.sampled_from(sorted(kind))
        case list():
            return st.lists(_of(kind[0]), max_size=3)
        case tuple():
            return st.one_of(*map(_of, kind))
    required = {name: _of(it.kind) for name, it in kind.items() if isinstance(it, Required)}
    others = {name: st.none() | _of(it) for name, it in kind.items() if name not in required}
    return st.fixed_dictionaries(required, optional=others)


_FIELDS: Final = dict(PARAMETERS)
_CAPABILITIES: Final = _FIELDS.pop("capabilities")
_OPTIONS: Final = st.sampled_from(
    [
        None,
        {},
        {"restricted": True},
        {"restricted": False, "diagnostics": {"workspace": True}},
        {"inlayHints": dict.fromkeys(["literals", "specialRegisters", "locations"], False)},
        {"ptx": {"codeLens": {"references": False}}},
        {"diagnostics": {"delay": "soon"}},
        [1],
        "ptx",
    ]
)

CAPABILITIES: Final = _of(_CAPABILITIES.kind)
"""Valid capabilities of a client."""
VALID: Final = st.builds(
    lambda rest, able, options: {
        **{name: value for name, value in rest.items() if name != "processId"},
        "capabilities": able,
        "initializationOptions": options,
    },
    _of(_FIELDS),
    CAPABILITIES,
    _OPTIONS,
)
"""Valid parameters, without a process to watch."""


@st.composite
def any_params(draw: st.DrawFn) -> Any:  # noqa: ANN401
    """Parameters of which some parts may be invalid or missing."""
    params = deepcopy(draw(VALID))  # the strategy shares its values
    for _ in range(draw(st.integers(0, 3))):
        _change(draw, params)
    return params


def _change(draw: st.DrawFn, value: Any) -> None:  # noqa: ANN401
    """Replaces or removes a part somewhere in a value."""
    while isinstance(value, dict | list) and value:
        keys = sorted(value) if isinstance(value, dict) else range(len(value))
        key = draw(st.sampled_from(keys))
        if not isinstance(value[key], dict | list) or not value[key] or draw(st.booleans()):
            if draw(st.booleans()):
                value[key] = deepcopy(draw(_JUNK))
            else:
                del value[key]
            return
        value = value[key]
