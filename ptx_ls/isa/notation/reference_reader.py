"""Reads the tables of `reference`: turns data of the TOML files into frozen values."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from ptx_ls.isa.devices import Limits, TargetInfo, VersionInfo
from ptx_ls.isa.notation.table import AvailabilityGate
from ptx_ls.isa.reference import (
    Directive,
    Gates,
    Pragma,
    PredefinedName,
    PtxType,
    SpecialRegister,
    StateSpace,
)
from ptx_ls.isa.version import parse_target, parse_version


def _gates(texts: list[str]) -> Gates:
    return tuple(_gate(text) for text in texts)


def _gate(text: str) -> AvailabilityGate:
    body, _, note = text.partition(" -- ")
    lenient = body.startswith("~")
    requirements = []
    for part in body.lstrip("~ ").split("|"):
        version = (1, 0)
        targets = []
        for word in part.replace(",", " ").replace("ptx ", "ptx_").split():
            target = parse_target(word)
            if word.startswith("ptx_"):
                version = parse_version(word.removeprefix("ptx_"))
            elif target is not None and target > (10, ""):
                targets.append(target)
        requirements.append((version, tuple(targets)))
    return AvailabilityGate(None, tuple(requirements), lenient, needs_operands=False, note=note)


def _special_registers(raw: Mapping[str, Any]) -> dict[str, SpecialRegister]:
    found = {}
    for entry in raw.get("register", []):
        types = entry["type"]
        pairs = {"1.0": types} if isinstance(types, str) else types
        found[entry["name"]] = SpecialRegister(
            name=entry["name"],
            types=tuple(sorted((parse_version(since), name) for since, name in pairs.items())),
            summary=entry["summary"],
            doc=entry.get("doc", ""),
            section=entry.get("section", ""),
            dimensions=tuple(entry.get("dimensions", ())),
            count=entry.get("count", 0),
            cuda=entry.get("cuda", ""),
            volatile=entry.get("volatile", False),
            uniformity=entry.get("uniformity", ""),
            range=entry.get("range", ""),
            pitfalls=tuple(entry.get("pitfalls", ())),
            requires=tuple(entry.get("requires", ())),
            example=entry.get("example", ""),
            gates=_gates(entry.get("gate", [])),
        )
    return found


def _directives(raw: Mapping[str, Any]) -> dict[str, Directive]:
    tuples = ("scopes", "owners", "conflicts", "requires", "pitfalls", "words")
    found = {}
    for entry in raw.get("directive", []):
        fields: dict[str, Any] = {
            key: tuple(value) if key in tuples else value
            for key, value in entry.items()
            if key != "gate"
        }
        for key in ("until", "ignored"):
            if key in fields:
                fields[key] = parse_version(fields[key])
        gates = _gates(entry.get("gate", []))
        found[entry["name"]] = Directive(**fields, gates=gates)
    return found


def _pragmas(raw: Mapping[str, Any]) -> dict[str, Pragma]:
    found = {}
    for entry in raw.get("pragma", []):
        tuples = ("scopes", "owners", "pitfalls")
        fields: dict[str, Any] = {
            key: tuple(value) if key in tuples else value
            for key, value in entry.items()
            if key != "gate"
        }
        found[entry["name"]] = Pragma(**fields, gates=_gates(entry.get("gate", [])))
    return found


def _predefined(raw: Mapping[str, Any]) -> dict[str, PredefinedName]:
    found = {}
    for entry in raw.get("name", []):
        fields = {key: value for key, value in entry.items() if key not in ("gate", "pitfalls")}
        found[entry["name"]] = PredefinedName(
            **fields,
            pitfalls=tuple(entry.get("pitfalls", ())),
            gates=_gates(entry.get("gate", [])),
        )
    return found


def _types(raw: Mapping[str, Any]) -> dict[str, PtxType]:
    return {
        entry["name"]: PtxType(
            name=entry["name"],
            bits=entry["bits"],
            type_class=entry["class"],
            is_fundamental=entry["fundamental"],
            is_register=entry["register"],
            summary=entry["summary"],
            gates=_gates(entry.get("gate", [])),
            doc=entry.get("doc", ""),
            section=entry.get("section", ""),
            alignment=entry.get("alignment", 0),
            is_lenient=entry.get("lenient", False),
            is_element=entry.get("arrays", False),
            places=tuple(entry.get("places", ())),
            holder=entry.get("holder", ""),
            format=entry.get("format", ""),
        )
        for entry in raw.get("type", [])
    }


def _state_spaces(raw: Mapping[str, Any]) -> dict[str, StateSpace]:
    return {
        entry["name"]: StateSpace(
            name=entry["name"],
            summary=entry["summary"],
            is_addressable=entry["addressable"],
            is_initializable=entry["initializable"],
            access=entry["access"],
            sharing=entry["sharing"],
            scopes=tuple(entry["scopes"]),
            section=entry["section"],
            deprecated=entry.get("deprecated", ""),
            gates=_gates(entry.get("gate", [])),
            doc=entry.get("doc", ""),
            pitfalls=tuple(entry.get("pitfalls", ())),
            window=entry.get("window", ""),
            conversion=entry.get("conversion", ""),
            lifetime=entry.get("lifetime", ""),
            qualifiers=tuple(entry.get("qualifiers", ())),
            cuda=entry.get("cuda", ""),
        )
        for entry in raw.get("state_space", [])
    }


def _versions(raw: Mapping[str, Any]) -> dict[tuple[int, int], VersionInfo]:
    found = {}
    for entry in raw.get("version", []):
        number = parse_version(entry["name"])
        found[number] = VersionInfo(number=number, **entry)
    return found


def _targets(raw: Mapping[str, Any]) -> dict[str, TargetInfo]:
    found = {}
    for entry in [*raw.get("target", []), *raw.get("option", [])]:
        until = entry.get("until")
        found[entry["name"]] = TargetInfo(
            name=entry["name"],
            since=parse_version(entry["since"]),
            architecture=entry.get("architecture", ""),
            renamed=entry.get("renamed", ""),
            until=parse_version(until) if until else None,
            summary=entry.get("summary", ""),
            capability=entry.get("capability", ""),
            products=tuple(entry.get("products", ())),
            family=entry.get("family", ""),
            removed=entry.get("removed", ""),
            limits=Limits(**entry["limits"]) if "limits" in entry else None,
        )
    return found


def _texts(raw: Mapping[str, Any]) -> Mapping[str, Any]:
    return raw


READERS: Mapping[str, Callable[[Mapping[str, Any]], Any]] = {
    "special_registers": _special_registers,
    "directives": _directives,
    "pragmas": _pragmas,
    "predefined": _predefined,
    "types": _types,
    "state_spaces": _state_spaces,
    "versions": _versions,
    "targets": _targets,
    "modifiers": _texts,
}
