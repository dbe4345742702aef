"""Makes docs/ptx-ls.1: the manual page, which a wheel installs."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Final

from docs.command_line import commands
from ptx_ls import __version__
from ptx_ls.source.site import SITE

if TYPE_CHECKING:
    from collections.abc import Iterator

    from docs.command_line import CommandArgument, CommandDescription

ROOT: Final = Path(__file__).resolve().parent.parent
PAGE: Final = ROOT / "docs" / "ptx-ls.1"
_RELEASE: Final = re.compile(r"^## \[\d+\.\d+\.\d+\] - (\d{4}-\d\d-\d\d)$", re.MULTILINE)
_WIDTH: Final = 72
_TEXT: Final = """\
ptx-ls checks and formats PTX, the assembly language of NVIDIA GPUs, looks up its instructions, and
is a language server for editors. It accepts and rejects PTX as ptxas does, but does not need ptxas.
"""
_STATUS: Final = {
    "0": "The command succeeded.",
    "1": "A finding is as severe as --fail-on, files differ, or a file is not formatted.",
    "2": "The arguments are wrong, or a file cannot be read or written.",
    "3": "ptx-ls has a bug.",
}
_ENVIRONMENT: Final = {
    "NO_COLOR, FORCE_COLOR": "Turn colours in the output off and on, unless `--color` is given.",
    "PTX_LS_PTXAS": "The ptxas that the language server uses.",
    "PTX_LS_TOKEN": "The token that clients of `ptx-ls serve` must send.",
    "PTX_LS_DEBUG": "If set to 1, the message about a bug in ptx-ls includes the traceback.",
}
_FILES: Final = {
    "ptx-ls.toml, .ptx-ls.toml, pyproject.toml": "The configuration of a project. A PTX file"
    " uses the configuration in its own folder or in the closest folder above. In pyproject.toml,"
    " the configuration is the table `tool.ptx-ls`.",
}


def page() -> str:
    """Returns the page, in the macros of man(7)."""
    return "\n".join(_lines()) + "\n"


def release_date() -> str:
    """Returns the date of the newest release of the changelog, such as 2026-11-28."""
    dates = _RELEASE.findall((ROOT / "CHANGELOG.md").read_text("utf-8"))
    return str(dates[0])


def _lines() -> Iterator[str]:
    yield '.\\" Written by `./dev docs` from the help of ptx_ls/cli; change it there.'
    yield f'.TH PTX\\-LS 1 {release_date()} "ptx\\-ls {__version__}"'
    yield from (".SH NAME", "ptx\\-ls \\- linter and language server for NVIDIA PTX")
    yield from (".SH SYNOPSIS", *_synopsis("ptx-ls COMMAND [ARGUMENT...]"))
    yield from (".SH DESCRIPTION", _text(_TEXT))
    for command in commands():
        yield from _command(command)
    for title, entries in (
        ("EXIT STATUS", _STATUS),
        ("ENVIRONMENT", _ENVIRONMENT),
        ("FILES", _FILES),
    ):
        yield f".SH {title}"
        for name, text in entries.items():
            yield from (".TP", f".B {_escaped(name)}", _text(text))
    yield from (".SH SEE ALSO", f".UR {SITE}", "The web site", ".UE")
    yield _text("has pages on rules, instructions and settings.")


def _command(command: CommandDescription) -> Iterator[str]:
    yield f'.SH "{_escaped(command.name.upper())}"'
    yield from _synopsis(command.usage)
    yield from (".PP", _text(command.text))
    for section in command.sections:
        if section.title not in ("arguments", "options"):
            yield f'.SS "{_escaped(section.title)}"'
        for argument in section.arguments:
            yield from (".TP", _head(argument), _text(argument.help))
    if command.epilog:
        yield from (".PP", ".nf", *(_literal(line) for line in command.epilog.split("\n")), ".fi")


def _synopsis(usage: str) -> Iterator[str]:
    """Yields a call: names in bold, placeholders in italics."""
    words = []
    for word in usage.split():
        placeholder = re.search(r"[A-Z]+", word)
        words.append(f"\\fI{_escaped(word)}\\fR" if placeholder else f"\\fB{_escaped(word)}\\fR")
    yield " ".join(words)


def _head(argument: CommandArgument) -> str:
    value = f"\\fI{_escaped(argument.value)}\\fR"
    if not argument.options:
        return value
    names = ", ".join(f"\\fB{_escaped(option)}\\fR" for option in argument.options)
    return f"{names} {value}" if argument.value else names


def _text(text: str) -> str:
    """Returns a text in lines of its sentences; what is in backquotes is bold."""
    parts = re.split(r"`([^`]*)`", " ".join(text.split()))
    marked = [f"\\fB{_escaped(it)}\\fR" if at % 2 else _escaped(it) for at, it in enumerate(parts)]
    lines = re.sub(r"(?<=[a-z)R][.:;?!]) ", "\n", "".join(marked)).split("\n")
    return "\n".join(_not_a_macro(wrapped) for line in lines for wrapped in _wrapped(line))


def _wrapped(line: str) -> Iterator[str]:
    """Yields a sentence in lines that are not too long for a reader of the source."""
    current = ""
    for word in line.split(" "):
        if current and len(current) + len(word) >= _WIDTH:
            yield current
            current = word
        else:
            current = f"{current} {word}" if current else word
    yield current


def _literal(line: str) -> str:
    return _not_a_macro(_escaped(line.rstrip())) if line.strip() else ".sp"


def _escaped(text: str) -> str:
    return text.replace("\\", "\\e").replace("-", "\\-").replace("`", "\\(ga").replace("'", "\\(aq")


def _not_a_macro(line: str) -> str:
    return f"\\&{line}" if line.startswith((".", "'")) else line
