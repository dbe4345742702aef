"""The commands and options of `ptx-ls`, as data for pages, the manual page and completions."""

from __future__ import annotations

import argparse
import inspect
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ptx_ls.cli.arguments import parser_of
from ptx_ls.cli.main import COMMANDS

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator


@dataclass(frozen=True, slots=True)
class CommandArgument:
    """An option or a positional argument.

    Attributes:
        name: of the attribute with its value: `output_format`.
        options: as they are written, `("-q", "--quiet")`; () for a positional argument.
        value: the placeholder of its value; "" if it takes none.
        choices: all values, if they are listed; else ().
        repeats: how often a positional argument may be given, as argparse says it; None: once.
        is_list: whether the option may be repeated.
        help: a sentence.
    """

    name: str
    options: tuple[str, ...]
    value: str
    choices: tuple[str, ...]
    repeats: str | int | None
    is_list: bool
    help: str


@dataclass(frozen=True, slots=True)
class ArgumentSection:
    """Arguments under a heading."""

    title: str
    arguments: tuple[CommandArgument, ...]


@dataclass(frozen=True, slots=True)
class CommandDescription:
    """A command: its name, a line on it, how it is called, its arguments, and more to know."""

    name: str
    summary: str
    usage: str
    text: str
    sections: tuple[ArgumentSection, ...]
    epilog: str

    @property
    def arguments(self) -> Iterator[CommandArgument]:
        """All of its arguments."""
        for section in self.sections:
            yield from section.arguments


def commands() -> tuple[CommandDescription, ...]:
    """Returns all commands, in the order of `ptx-ls --help`."""
    found = []
    for name, command in COMMANDS.items():
        parser = parser_of(command)
        sections = _sections(parser)
        usage = parser.usage or f"ptx-ls {name} {_usage(sections)}".rstrip()
        summary = inspect.getdoc(command) or ""
        text, epilog = parser.description or "", parser.epilog or ""
        found.append(CommandDescription(name, summary, usage, text, sections, epilog.strip()))
    return tuple(found)


def _sections(parser: argparse.ArgumentParser) -> tuple[ArgumentSection, ...]:
    # argparse keeps both for its own help, and no public function returns them.
    groups = [(group.title or "", group._group_actions) for group in parser._action_groups]  # noqa: SLF001
    sections = (
        ArgumentSection(
            "arguments" if title == "positional arguments" else title,
            tuple(_argument(it) for it in actions if it.help is not argparse.SUPPRESS),
        )
        for title, actions in groups
    )
    return tuple(section for section in sections if section.arguments)


def _argument(action: argparse.Action) -> CommandArgument:
    choices = tuple(str(each) for each in action.choices or ())
    value = action.metavar if isinstance(action.metavar, str) else "|".join(choices)
    return CommandArgument(
        action.dest,
        tuple(action.option_strings),
        "" if action.nargs == 0 else value or action.dest.upper(),
        choices,
        action.nargs,
        type(action).__name__ == "_AppendAction",
        (action.help or "") % vars(action),  # as argparse does
    )


def _usage(sections: Iterable[ArgumentSection]) -> str:
    arguments = [each for section in sections for each in section.arguments]
    options = "[OPTION...]" if any(each.options for each in arguments) else ""
    forms = {"*": "[{}...]", "+": "{}...", "?": "[{}]"}
    others = [
        forms.get(str(each.repeats), "{}").format(each.value)
        for each in arguments
        if not each.options
    ]
    return " ".join([options, *others])
