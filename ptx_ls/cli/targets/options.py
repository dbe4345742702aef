"""The options that check files against targets and versions other than their own."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, TypeVar

from ptx_ls.cli.arguments import UsageError
from ptx_ls.cli.console import escaped
from ptx_ls.files.configuration.kinds import InvalidValueError, require_target, require_version

if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Callable

    from ptx_ls.cli.arguments import ArgumentParser
    from ptx_ls.files.configuration.settings import ProjectConfiguration
    from ptx_ls.lint.assumed import AssumedHeader

Version = tuple[int, int]
Value = TypeVar("Value")


def add_target_options(parser: ArgumentParser) -> None:
    """Adds the options."""
    group = parser.add_argument_group("targets and versions")
    group.add_argument(
        "--target",
        action="append",
        type=_targets,
        metavar="sm_N,...",
        help="check each file against these targets instead of its `.target`",
    )
    group.add_argument(
        "--isa-version",
        type=_version,
        metavar="V",
        help="check each file against PTX ISA V instead of its `.version`",
    )
    group.add_argument(
        "--max-version",
        type=_version,
        metavar="V",
        help="report features that need a PTX ISA version newer than V",
    )
    group.add_argument(
        "--toolkit",
        type=_toolkit,
        metavar="V",
        help="report features that CUDA Toolkit V, such as 12.4, does not support",
    )
    group.add_argument(
        "--driver",
        type=_driver,
        metavar="V",
        help=("report features that driver V, such as 550 or 550.54.14, does not support"),
    )


def target_values(options: Namespace) -> dict[str, object]:
    """Returns the values of the options, by the keys that a configuration has for them.

    Raises:
        UsageError: if two of the options contradict each other.
    """
    limits = {
        "--max-version": options.max_version,
        "--toolkit": options.toolkit,
        "--driver": options.driver,
    }
    given = {name: value for name, value in limits.items() if value is not None}
    if given and options.isa_version is not None:
        raise UsageError(f"--isa-version cannot be combined with {next(iter(given))}")
    values: dict[str, object] = {}
    if options.target is not None:
        values["target"] = tuple(dict.fromkeys(one for each in options.target for one in each))
    if options.isa_version is not None:
        values["isa-version"] = options.isa_version
    if given:
        values["max-version"] = min(given.values())
    return values


def assumed_header(configuration: ProjectConfiguration) -> AssumedHeader | None:
    """Returns what a file is checked against; None for its own version and target."""
    targets = configuration.get("lint", "target", ())
    version = configuration.get("lint", "isa-version")
    max_version = configuration.get("lint", "max-version")
    if not targets and version is None and max_version is None:
        return None
    from ptx_ls.lint.assumed import AssumedHeader

    return AssumedHeader(targets, version, max_version)


def _targets(text: str) -> tuple[str, ...]:
    names = tuple(name.strip() for name in text.split(",") if name.strip())
    if not names:
        raise argparse.ArgumentTypeError("expected target names, found nothing")
    for name in names:
        _checked(require_target, name)
    return names


def _version(text: str) -> Version:
    return _checked(require_version, text)


def _toolkit(text: str) -> Version:
    from ptx_ls.isa.releases import version_of_toolkit

    return _released(version_of_toolkit, text)


def _driver(text: str) -> Version:
    from ptx_ls.isa.releases import version_of_driver

    return _released(version_of_driver, text)


def _checked(require: Callable[[str], Value], text: str) -> Value:
    try:
        return require(text)
    except InvalidValueError as error:
        raise argparse.ArgumentTypeError(f"expected {escaped(str(error))}") from None


def _released(version_of: Callable[[str], Version], text: str) -> Version:
    try:
        return version_of(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(escaped(str(error))) from None
