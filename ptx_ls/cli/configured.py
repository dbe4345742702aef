"""The options that choose a configuration, and the files that it leaves out."""

from __future__ import annotations

import argparse
import os
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from ptx_ls.cli import console, inputs
from ptx_ls.cli.arguments import STANDARD_STREAM, UNNAMED, UsageError
from ptx_ls.files.configuration.discovery import Configurations
from ptx_ls.files.configuration.exclusion import Exclusion
from ptx_ls.files.configuration.keys import FORMAT, LINT
from ptx_ls.files.configuration.kinds import InvalidValueError, require_pattern, require_rule
from ptx_ls.files.configuration.reading import Values

if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Mapping

    from ptx_ls.cli.arguments import ArgumentParser
    from ptx_ls.cli.inputs import Input, Unreadable
    from ptx_ls.files.configuration.settings import ProjectConfiguration

_NOTHING: Final[Mapping[str, object]] = MappingProxyType({})


def add_configuration_options(parser: ArgumentParser) -> None:
    """Adds the options of every command that a configuration file has keys for."""
    group = parser.add_argument_group("configuration")
    group.add_argument(
        "--config",
        metavar="FILE",
        help="use this file instead of the nearest `ptx-ls.toml` or `pyproject.toml`",
    )
    group.add_argument(
        "--isolated", action="store_true", help="use no configuration file and no `.editorconfig`"
    )
    group.add_argument(
        "--exclude",
        action="append",
        type=_pattern,
        metavar="PATTERN",
        help=(
            "skip paths that match this `.gitignore` pattern, relative to the current directory; "
            "may be repeated"
        ),
    )
    group.add_argument(
        "--force-exclude",
        action="store_true",
        help="skip excluded files even if they are given on the command line",
    )
    group.add_argument(
        "--no-respect-gitignore", action="store_true", help="also read files that git ignores"
    )
    group.add_argument(
        "--show-settings",
        action="store_true",
        help="print the settings that apply to the first file",
    )


def add_rule_options(parser: ArgumentParser) -> None:
    """Adds the options that turn rules on and off."""
    group = parser.add_argument_group("rules")
    about = {
        "--select": "turn on only these rules and groups, separated by commas",
        "--extend-select": "also turn on these rules and groups",
        "--ignore": "turn off these rules and groups",
    }
    for name, text in about.items():
        group.add_argument(name, type=_rules, metavar="RULE,...", help=text)


def configurations_of(
    options: Namespace, further: Mapping[str, object] = _NOTHING
) -> Configurations:
    """Returns the configurations of the files of a run, with the values of its options.

    `further`: values for the table of `lint`.

    Raises:
        UsageError: if `--config` has an empty value, as that of a variable that is not set.
    """
    top: dict[str, object] = {}
    if options.exclude:
        top["extend-exclude"] = tuple(options.exclude)
    if options.no_respect_gitignore:
        top["respect-gitignore"] = False
    names = ("select", "extend_select", "ignore")
    given = {name.replace("_", "-"): getattr(options, name, None) for name in names}
    lint = {name: value for name, value in given.items() if value is not None}
    lint |= further
    styles = {key.name: getattr(options, key.name.replace("-", "_"), None) for key in FORMAT.keys}
    style = {name: value for name, value in styles.items() if value is not None}
    if options.config == "":
        raise UsageError("--config: expected a file, found nothing")
    only = "" if options.isolated else options.config
    return Configurations(Values("", {"": top, LINT.name: lint, FORMAT.name: style}), only)


def find(
    paths: list[str], options: Namespace, configurations: Configurations
) -> list[Input | Unreadable]:
    """Returns the files to process, without those that are excluded.

    Raises:
        ConfigurationError: if the configuration of a file has a mistake.
        UsageError: if standard input gets a name, but is not among the paths.
    """
    exclusion = Exclusion(configurations)
    is_named = options.stdin_filename != UNNAMED
    if is_named and not any(path == STANDARD_STREAM or path[:1] == "@" for path in paths):
        raise UsageError("--stdin-filename needs `-`, which stands for standard input")
    found = inputs.find(paths, options.stdin_filename, exclusion, is_forced=options.force_exclude)
    for each in found:
        configurations.of(each.path)
    return found


def settings_text(path: str, configurations: Configurations) -> str:
    """Returns the settings of a file as lines: the keys as a configuration file has them.

    Raises:
        ConfigurationError: if the configuration has a mistake.
    """
    import json

    configuration = configurations.of(path)
    rules = configuration.rules_of(path)
    top = {
        "exclude": list(configuration.excluded),
        "respect-gitignore": configuration.respects_gitignore,
        "cache": configuration.get("", "cache", True),
    }
    style = configurations.style_of(path)._asdict()
    lines = [
        f"# settings for {console.escaped(path)}",
        f"# configuration: {console.escaped(configuration.path) or 'none'}",
        *(f"{key} = {json.dumps(value, ensure_ascii=False)}" for key, value in top.items()),
        "",
        f"[{LINT.name}]",
        f"ignore = {json.dumps(sorted(rules.ignored))}",
        f"fail-on = {json.dumps(configuration.get('lint', 'fail-on', 'error'))}",
        *_target_lines(configuration),
        "",
        f"[{LINT.name}.severity]",
        *(f"{name} = {json.dumps(it.value)}" for name, it in rules.severities),
        "",
        f"[{FORMAT.name}]",
        *(f"{name.replace('_', '-')} = {json.dumps(value)}" for name, value in style.items()),
    ]
    return "".join(f"{line}\n" for line in lines)


def _target_lines(configuration: ProjectConfiguration) -> list[str]:
    """Returns the keys for other targets and versions that are set."""
    import json

    targets = configuration.get("lint", "target")
    lines = [] if targets is None else [f"target = {json.dumps(list(targets))}"]
    for key in ("isa-version", "max-version"):
        version = configuration.get("lint", key)
        if version is not None:
            lines.append(f'{key} = "{version[0]}.{version[1]}"')
    return lines


def first_path(found: list[Input | Unreadable]) -> str:
    """Returns the path whose settings are shown: that of the first file."""
    return found[0].path if found else os.curdir


def _pattern(text: str) -> str:
    try:
        require_pattern(text)
    except InvalidValueError as error:
        raise argparse.ArgumentTypeError(f"expected {console.escaped(str(error))}") from None
    return text


def _rules(text: str) -> tuple[str, ...]:
    names = tuple(name.strip() for name in text.split(",") if name.strip())
    for name in names:
        try:
            require_rule(name)
        except InvalidValueError as error:
            raise argparse.ArgumentTypeError(f"expected {console.escaped(str(error))}") from None
    return names
