"""Reads the tables of `reference`: turns data of the TOML files into named tuples."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any, Final, TypeVar

from ptx_ls.isa.devices import Limits, TargetInfo, VersionInfo
from ptx_ls.isa.notation.table import AvailabilityGate
from ptx_ls.isa.reference import (
    Directive,
    Pragma,
    PredefinedName,
    PtxType,
    SpecialRegister,
    StateSpace,
)
from ptx_ls.isa.version import parse_requirement, parse_version

if TYPE_CHECKING:
    from ptx_ls.isa.certificate import Certificate
    from ptx_ls.isa.chapters import Chapter
    from ptx_ls.isa.nvvm import IntrinsicTable

Row = TypeVar("Row")

_RENAMED: Final = {
    "class": "type_class",
    "fundamental": "is_fundamental",
    "register": "is_register",
    "lenient": "is_lenient",
    "arrays": "is_element",
    "addressable": "is_addressable",
    "initializable": "is_initializable",
}
"""Keys of the data whose fields have another name."""
_VERSIONS: Final = ("since", "until", "ignored")
"""Keys whose values are versions."""


def _row(kind: Callable[..., Row], entry: Mapping[str, Any]) -> Row:
    """Returns an entry as a value of `kind`."""
    fields: dict[str, object] = {}
    for key, value in entry.items():
        if key == "gate":
            fields["gates"] = tuple(map(_gate, value))
        elif key in _VERSIONS:
            fields[key] = parse_version(value)
        else:
            fields[_RENAMED.get(key, key)] = tuple(value) if isinstance(value, list) else value
    return kind(**fields)


def _by_name(kind: Callable[..., Row], entries: Iterable[Mapping[str, Any]]) -> dict[str, Row]:
    return {entry["name"]: _row(kind, entry) for entry in entries}


def _gate(text: str) -> AvailabilityGate:
    body, _, note = text.partition(" -- ")
    lenient = body.startswith("~")
    requirements = tuple(map(parse_requirement, body.lstrip("~ ").split("|")))
    return AvailabilityGate(None, requirements, lenient, needs_operands=False, note=note)


def _special_register(type: str | Mapping[str, str], **fields: Any) -> SpecialRegister:  # noqa: A002
    """Returns a register of one type, or of types by the versions that introduced them."""
    pairs = {"1.0": type} if isinstance(type, str) else type
    types = tuple(sorted((parse_version(since), name) for since, name in pairs.items()))
    return SpecialRegister(types=types, **fields)


def _target(limits: Mapping[str, int] | None = None, **fields: Any) -> TargetInfo:
    return TargetInfo(limits=Limits(**limits) if limits else None, **fields)


def _versions(raw: Mapping[str, Any]) -> dict[tuple[int, int], VersionInfo]:
    numbered = ((parse_version(entry["name"]), entry) for entry in raw.get("version", []))
    return {number: VersionInfo(number=number, **entry) for number, entry in numbered}


def _certificates(raw: Mapping[str, Any]) -> Mapping[str, Certificate]:
    from ptx_ls.isa.certificate import read_certificates  # noqa: PLC0415  few runs need it

    return read_certificates(raw)


def _intrinsics(raw: Mapping[str, Any]) -> IntrinsicTable:
    from ptx_ls.isa.nvvm import IntrinsicTable  # noqa: PLC0415  as above

    return IntrinsicTable(raw)


def _chapters(raw: Mapping[str, Any]) -> Mapping[str, Chapter]:
    from ptx_ls.isa.chapters import read_chapters  # noqa: PLC0415  as above

    return read_chapters(raw)


READERS: Final[Mapping[str, Callable[[Mapping[str, Any]], Any]]] = {
    "special_registers": lambda raw: _by_name(_special_register, raw.get("register", ())),
    "directives": lambda raw: _by_name(Directive, raw.get("directive", ())),
    "pragmas": lambda raw: _by_name(Pragma, raw.get("pragma", ())),
    "predefined": lambda raw: _by_name(PredefinedName, raw.get("name", ())),
    "types": lambda raw: _by_name(PtxType, raw.get("type", ())),
    "state_spaces": lambda raw: _by_name(StateSpace, raw.get("state_space", ())),
    "versions": _versions,
    "targets": lambda raw: _by_name(_target, (*raw.get("target", ()), *raw.get("option", ()))),
    "certified": _certificates,
    "nvvm": _intrinsics,
    "chapters": _chapters,
    "modifiers": dict,
    "layouts": dict,
    "texture_fields": dict,
}
"""The reader of each table, by the name of its file."""
