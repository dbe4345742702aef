"""The manual page and docs/cli.md: complete, and correct for the programs that show them."""

import subprocess

import pytest

from docs.generators.cli import PAGE as CLI
from docs.generators.command_line import CommandDescription, commands
from docs.generators.man import PAGE as MAN
from tests.support.programs import require_program

COMMANDS = commands()


def check_man(program: str, package: str, *arguments: str) -> str:
    """Shows the manual page without a warning; returns its text."""
    path = require_program(program, f"apt-get install {package}")
    command = [str(path), *arguments, str(MAN)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, ""), done.stderr + done.stdout
    return done.stdout


@pytest.mark.slow
def test_mandoc_finds_nothing_wrong() -> None:
    assert check_man("mandoc", "mandoc", "-T", "lint") == ""


@pytest.mark.slow
def test_groff_finds_nothing_wrong() -> None:
    text = check_man("groff", "groff", "-man", "-ww", "-T", "ascii", "-P-cbou")
    assert "\n       ptx-ls - linter and language server for NVIDIA PTX\n" in text
    assert "--output-format FORMAT" in text


@pytest.mark.parametrize("command", COMMANDS, ids=lambda each: each.name)
def test_both_have_every_option(command: CommandDescription) -> None:
    cli = CLI.read_text("utf-8").partition(f"## {command.name}\n")[2].partition("\n## ")[0]
    man = MAN.read_text("utf-8").replace("\\-", "-").partition(f'.SH "{command.name.upper()}"\n')[2]
    man = man.partition("\n.SH")[0]
    for argument in command.arguments:
        for option in argument.options:
            assert f"`{option}" in cli
            assert f"\\fB{option}\\fR" in man
        assert argument.help
