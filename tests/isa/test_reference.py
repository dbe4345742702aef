"""Special registers, types, state spaces, versions, targets: complete, and in agreement."""

from __future__ import annotations

import pytest

from ptx_ls import isa
from ptx_ls.isa.devices import TargetInfo, VersionInfo
from ptx_ls.isa.reference import Directive, Pragma, PtxType, SpecialRegister, StateSpace

Entry = Directive | Pragma | PtxType | SpecialRegister | StateSpace | TargetInfo | VersionInfo
DATABASE = isa.database()
UNIFORM = {"thread", "warp", "cta", "cluster", "grid"}
PLACES = {"register", "variable", "parameter", "instruction"}


def check_texts(entry: Entry, *names: str) -> None:
    """That the entry has a summary of one sentence, and none of the named fields is empty."""
    assert entry.summary.endswith(".")
    assert "\n" not in entry.summary
    for name in names:
        assert getattr(entry, name), f"{name} of {entry.name}"


@pytest.mark.parametrize("name", sorted(DATABASE.special_registers))
def test_special_register(name: str) -> None:
    entry = DATABASE.special_registers[name]
    check_texts(entry, "doc", "section", "range", "example", "types")
    assert entry.uniformity in UNIFORM
    assert all(bits in DATABASE.types for _, bits in entry.types)
    assert list(entry.types) == sorted(entry.types)
    assert all(directive in DATABASE.directives for directive in entry.requires)


@pytest.mark.parametrize("name", sorted(DATABASE.directives))
def test_directive(name: str) -> None:
    entry = DATABASE.directives[name]
    check_texts(entry, "kind", "syntax", "doc")
    assert entry.example or not entry.scopes
    assert bool(entry.words) <= (entry.largest is not None)


@pytest.mark.parametrize("name", sorted(DATABASE.pragmas))
def test_pragma(name: str) -> None:
    entry = DATABASE.pragmas[name]
    check_texts(entry, "doc", "section", "syntax", "scopes", "reach", "pitfalls", "example")
    assert name in entry.example
    assert (len(entry.syntax.split()) > 1) is bool(entry.arguments)


@pytest.mark.parametrize("name", sorted(DATABASE.types))
def test_type(name: str) -> None:
    entry = DATABASE.types[name]
    check_texts(entry, "doc", "section", "places")
    assert set(entry.places) <= PLACES
    assert entry.is_register is ("register" in entry.places)
    assert entry.is_fundamental is bool({"register", "variable"} & set(entry.places))
    assert bool(entry.holder) is not entry.is_fundamental
    assert not entry.alignment or entry.type_class == "opaque" or entry.alignment * 8 == entry.bits
    assert bool(entry.format) >= (entry.type_class in ("float", "half"))


@pytest.mark.parametrize("name", sorted(DATABASE.state_spaces))
def test_state_space(name: str) -> None:
    entry = DATABASE.state_spaces[name]
    check_texts(entry, "doc", "section", "access", "sharing", "lifetime", "cuda", "pitfalls")
    assert bool(entry.window) is bool(entry.conversion)


@pytest.mark.parametrize("number", sorted(DATABASE.versions))
def test_version(number: tuple[int, int]) -> None:
    entry = DATABASE.versions[number]
    check_texts(entry, "release")
    assert bool(entry.windows) <= bool(entry.linux)
    assert not entry.linux or entry.linux.split(".")[0] >= entry.driver


def test_drivers_grow_with_versions() -> None:
    drivers = [int(each.driver) for each in DATABASE.versions.values() if each.driver]
    assert drivers == sorted(drivers)
    assert DATABASE.versions[(8, 5)].linux == "555.42.02"
    assert DATABASE.versions[(9, 0)].release == "CUDA 13.0"


@pytest.mark.parametrize("name", sorted(DATABASE.targets))
def test_target(name: str) -> None:
    entry = DATABASE.targets[name]
    check_texts(entry)
    assert entry.since in DATABASE.versions
    assert bool(entry.capability) is bool(entry.architecture)
    assert bool(entry.family) >= bool(entry.variant)
    if entry.limits is not None:
        limits = entry.limits
        assert limits.static_shared <= limits.shared <= limits.shared_sm
        assert limits.threads <= limits.threads_sm <= limits.register_file


@pytest.mark.parametrize(
    ("name", "capability", "variant", "family", "removed"),
    [
        ("sm_90", "9.0", "", "", ""),
        ("sm_90a", "9.0", "a", "9x", ""),
        ("sm_100f", "10.0", "f", "10x", ""),
        ("sm_101", "11.0", "", "11x", ""),
        ("sm_70", "7.0", "", "", "13.0"),
        ("sm_35", "3.5", "", "", "12.0"),
        ("debug", "", "", "", ""),
    ],
)
def test_targets_tell_what_they_are(
    name: str, capability: str, variant: str, family: str, removed: str
) -> None:
    entry = DATABASE.targets[name]
    found = entry.capability, entry.variant, entry.family, entry.removed
    assert found == (capability, variant, family, removed)


@pytest.mark.parametrize(
    ("digits", "is_member"),
    [("0", True), ("31", True), ("32", False), ("", False), ("01", False), ("x", False)],
)
def test_numbers_of_a_family(digits: str, *, is_member: bool) -> None:
    assert DATABASE.special_registers["%envreg"].has_number(digits) is is_member


def test_type_by_version() -> None:
    register = DATABASE.special_registers["%gridid"]
    types = [register.type_at(version) for version in ((1, 0), (2, 3), (3, 0), None)]
    assert types == [".u16", ".u32", ".u64", ".u64"]
