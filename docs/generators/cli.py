"""Makes docs/cli.md: all commands with their options, as `--help` has them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from docs.folders import DOCS
from docs.generators.command_line import commands
from docs.generators.unwrapping import unwrapped

if TYPE_CHECKING:
    from collections.abc import Iterator

    from docs.generators.command_line import ArgumentSection, CommandArgument, CommandDescription

PAGE: Final = DOCS / "cli.md"
_NOTE: Final = "<!-- Written by `./dev docs` from the help of ptx_ls/cli; change it there. -->\n"
_TEXT: Final = """\
# Commands

`ptx-ls COMMAND --help` prints the same on a terminal, and `man ptx-ls` shows all of it.
`ptx-ls completions SHELL` prints a script that completes commands, options and values in bash, fish
or zsh.
"""


def page() -> str:
    """Returns the page."""
    return "\n".join([_NOTE, unwrapped(_TEXT), *(_command(each) for each in commands())])


def _command(command: CommandDescription) -> str:
    parts = [f"## {command.name}", f"```console\n$ {command.usage}\n```", _prose(command.text)]
    parts += [_section(each) for each in command.sections]
    if command.epilog:
        parts.append(f"```text\n{command.epilog}\n```")
    return "\n\n".join(parts) + "\n"


def _section(section: ArgumentSection) -> str:
    heading = f"| {_title(section.title)} | meaning |\n| --- | --- |\n"
    return heading + "\n".join(_row(each) for each in section.arguments)


def _title(title: str) -> str:
    return f"options {title}" if title.startswith("for ") else title


def _row(argument: CommandArgument) -> str:
    return f"| {_name(argument)} | {_prose(argument.help).replace('|', '&#124;')} |"


def _name(argument: CommandArgument) -> str:
    value = argument.value.replace("|", "\\|")
    if not argument.options:
        return f"`{value}`"
    return ", ".join(f"`{f'{option} {value}'.rstrip()}`" for option in argument.options)


def _prose(text: str) -> str:
    """Returns a help text as Markdown: outside of code, `*` and `<` are themselves."""
    return "".join(_plain(text))


def _plain(text: str) -> Iterator[str]:
    for part in re.split(r"(`[^`]*`)", " ".join(text.split())):
        yield part if part.startswith("`") else re.sub(r"([*_<\[\]])", r"\\\1", part)
