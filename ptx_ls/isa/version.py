"""PTX ISA versions and targets, and which targets have the features of others.

A requirement is a version and a list of targets, one of which is required. `sm_90` is met by every
target with a number of 90 or more, `sm_100f` by targets of its family that have a number of 100 or
more and end in `f` or `a`, and `sm_100a` only by itself.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

from ptx_ls.isa.notation.table import Requirement
from ptx_ls.source.english import listed
from ptx_ls.source.numerals import decimal

_RENAMED = {101: 110}
UNRELEASED = frozenset({(5, 1)})
"""Versions that ptxas accepts, although they have no manual."""


def parse_version(text: str) -> tuple[int, int]:
    """Reads `"8.5"` as `(8, 5)`. Raises ValueError if the text is not two numbers."""
    major, _, minor = text.partition(".")
    return int(major), int(minor)


@lru_cache(maxsize=1 << 10)
def parse_target(name: str) -> tuple[int, str] | None:
    """Reads `"sm_90a"` as `(90, "a")`; a renamed target has its newest number.

    `compute_90` is read as `sm_90`. Returns None for anything else, such as `debug`.
    """
    prefix, _, number = name.partition("_")
    if prefix not in ("sm", "compute"):
        return None
    suffix = number[-1:] if number[-1:] in ("a", "f") else ""
    digits = number[: len(number) - len(suffix)]
    if not digits.isdecimal():
        return None
    value = decimal(digits)
    return _RENAMED.get(value, value), suffix


def parse_requirement(text: str) -> Requirement:
    """Reads `ptx 8.0, sm_90` or `ptx 8.8, on sm_100f sm_120f`; raises ValueError otherwise."""
    version = (1, 0)
    targets: list[tuple[int, str]] = []
    for word in text.replace(",", " ").replace("ptx ", "ptx_").split():
        if word == "on":
            continue
        target = parse_target(word)
        if word.startswith("ptx_"):
            version = parse_version(word.removeprefix("ptx_"))
        elif target is not None:
            targets.append(target)
        else:
            raise ValueError(f"cannot read {word!r} in the requirement {text!r}")
    return version, tuple(target for target in targets if target > (10, ""))


def target_read_as(name: str) -> str | None:
    """Returns the architecture that ptxas reads a name as: `"sm_90"` for `"compute_90x"`.

    It reads the number and a final `a` or `f`, and ignores leading zeros and everything in between.
    Returns None for a name that does not begin like an architecture.
    """
    prefix, _, number = name.partition("_")
    rest = number.lstrip("0123456789")
    digits = number.removesuffix(rest)
    if prefix not in ("sm", "compute") or not digits:
        return None
    return f"sm_{decimal(digits)}{rest[-1:] if rest.endswith(('a', 'f')) else ''}"


def module_target(names: tuple[str, ...]) -> tuple[int, str] | None:
    """Returns the architecture in the names of a `.target` directive; None if there is none."""
    for name in names:
        target = parse_target(name)
        if target is not None:
            return target
    return None


def runs_on(target: tuple[int, str], required: tuple[int, str]) -> bool:
    """Whether code for the target `required` also runs on `target`."""
    number, suffix = target
    required_number, required_suffix = required
    if not required_suffix:
        return number >= required_number
    if required_suffix == "a":
        return target == required
    return bool(suffix) and number // 10 == required_number // 10 and number >= required_number


def meets_target(target: tuple[int, str], requirement: Requirement) -> bool:
    """Whether the target meets one of a requirement's targets; the version is not compared."""
    targets = requirement[1]
    return not targets or any(runs_on(target, required) for required in targets)


def describe_version(version: tuple[int, int]) -> str:
    """Returns `(8, 5)` as `"8.5"`."""
    return f"{version[0]}.{version[1]}"


def describe_target(target: tuple[int, str]) -> str:
    """Returns `(90, "a")` as `"sm_90a"`."""
    return f"sm_{target[0]}{target[1]}"


def describe_needs(requirements: Iterable[Requirement]) -> str:
    """Describes requirements: `"PTX ISA 8.0 and sm_90 or newer"`, `"the family sm_100f"`."""
    return ", or ".join(filter(None, map(_need, requirements)))


def _need(requirement: Requirement) -> str:
    version, targets = requirement
    names = {
        suffix: [describe_target(target) for target in targets if target[1] == suffix]
        for suffix in ("", "a", "f")
    }
    names[""] = [name for name in names[""] if name != describe_target((10, ""))]
    where = [f"{listed(names[''])} or newer"] if names[""] else []
    where += names["a"]
    where += [f"the family {listed(names['f'])}"] if names["f"] else []
    parts = [f"PTX ISA {describe_version(version)}"] if version > (1, 0) else []
    joint = " and " if names[""] else " on "
    return joint.join([*parts, " or ".join(where)] if where else parts)
