"""Makes the table of the fields of `initialize`, from the types of lsprotocol.

Loading these types takes ten times as long as the answer.
"""

from __future__ import annotations

import enum
from pathlib import Path
from typing import Any, Union, get_args, get_origin

import attrs
from lsprotocol import converters, types, validators

from ptx_ls.server import protocol
from ptx_ls.server.protocol.validity import Required

PATH = Path(protocol.__file__).parent / "initialize_fields.py"
_WIDTH = 100
_HEAD = '''"""The parameters of `initialize`; written by `./dev docs` from lsprotocol's types."""

from typing import Any, Final

from ptx_ls.server.protocol.validity import Required

PARAMETERS: Final[dict[str, Any]] = '''
_NAMES = {bool: "boolean", int: "integer", str: "string", Any: "any"}


def table() -> str:
    """The text of the module."""
    converters.get_converter()  # resolves the names of types
    return (
        f"{_HEAD}{_text(_fields(types.InitializeParams), 'PARAMETERS: Final[dict[str, Any]] = ')}\n"
    )


def _fields(kind: type[Any]) -> dict[str, Any]:
    return {_json_name(field.name): _field(field) for field in attrs.fields(kind)}


def _field(field: attrs.Attribute[Any]) -> Any:  # noqa: ANN401
    """The kind of a field, as `validity.py` describes it."""
    kind = _kind(field.type)
    if kind == "integer" and validators.uinteger_validator.__name__ in repr(field.validator):
        kind = "uinteger"
    return Required(kind) if field.default is attrs.NOTHING else kind


def _kind(annotation: Any) -> Any:  # noqa: ANN401
    if get_origin(annotation) is Union:
        return _one_of([each for each in get_args(annotation) if each is not type(None)])
    if _is_enumeration(annotation):
        values = sorted(each.value for each in annotation)
        return set(values) if isinstance(values[0], str) else range(values[0], values[-1] + 1)
    if isinstance(annotation, type) and attrs.has(annotation):
        return _fields(annotation)
    if get_args(annotation):  # a sequence
        return [_kind(get_args(annotation)[0])]
    return _NAMES[annotation]


def _one_of(annotations: list[Any]) -> Any:  # noqa: ANN401
    """The kind of a union. `int | SymbolKind` means any number."""
    if any(map(_is_enumeration, annotations)) and len(annotations) > 1:
        annotations = [each for each in annotations if not _is_enumeration(each)]
    kinds = [_kind(each) for each in annotations]
    if "any" in kinds:
        return "any"
    return kinds[0] if len(kinds) == 1 else tuple(kinds)


def _is_enumeration(annotation: object) -> bool:
    return isinstance(annotation, type) and issubclass(annotation, enum.Enum)


def _json_name(name: str) -> str:
    first, *words = name.split("_")
    return first + "".join(map(str.capitalize, words))


def _text(kind: Any, before: str = "", depth: int = 0) -> str:  # noqa: ANN401
    """Writes a kind as ruff formats it, after the text `before` in its line."""
    line = _in_line(kind)
    if 4 * depth + len(before) + len(line) < _WIDTH:
        return line
    inner, indent, end = depth + 1, "    " * (depth + 1), "    " * depth
    if isinstance(kind, Required):
        return f"Required(\n{indent}{_text(kind.kind, '', inner)}\n{end})"
    keys = {_in_line(name) + ": ": each for name, each in kind.items()}
    rows = [f"{indent}{key}{_text(each, key, inner)},\n" for key, each in keys.items()]
    return f"{{\n{''.join(rows)}{end}}}"


def _in_line(kind: Any) -> str:  # noqa: ANN401
    match kind:
        case str():
            return f'"{kind}"'
        case Required():
            return f"Required({_in_line(kind.kind)})"
        case dict():
            return f"{{{', '.join(f'{_in_line(it)}: {_in_line(kind[it])}' for it in kind)}}}"
        case list():
            return f"[{_in_line(kind[0])}]"
        case set():
            return f"{{{', '.join(map(_in_line, sorted(kind)))}}}"
        case tuple():
            return f"({', '.join(map(_in_line, kind))})"
    return repr(kind)  # a range
