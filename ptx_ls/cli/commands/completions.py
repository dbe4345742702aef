"""`ptx-ls completions`: prints a script that completes arguments in a shell."""

from __future__ import annotations

import os
from typing import Final

from ptx_ls import cli
from ptx_ls.cli import console
from ptx_ls.cli.arguments import ArgumentParser
from ptx_ls.cli.status import ExitStatus

FOLDER: Final = os.path.join(os.path.dirname(cli.__file__), "shells")
"""The folder with a script for each shell; `./dev docs` writes them."""
SHELLS: Final = ("bash", "fish", "zsh")
_EPILOG: Final = """\
To complete arguments in every new shell, add the line on the left to the file on the right:
  bash  eval "$(ptx-ls completions bash)"     ~/.bashrc
  zsh   eval "$(ptx-ls completions zsh)"      ~/.zshrc, after compinit
  fish  ptx-ls completions fish | source      ~/.config/fish/config.fish
"""


def main(arguments: list[str]) -> int:
    """Prints the script for a shell; returns the exit status."""
    parser = ArgumentParser(
        prog="ptx-ls completions",
        description="Prints a script that completes commands, options and values in a shell.",
        epilog=_EPILOG,
    )
    parser.add_argument("shell", metavar="SHELL", choices=SHELLS, help="bash, fish or zsh")
    options = parser.parse(arguments)
    with open(script(options.shell), encoding="utf-8") as file:
        console.write(file.read())
    return ExitStatus.CLEAN


def script(shell: str) -> str:
    """Returns the path of the script for a shell."""
    return os.path.join(FOLDER, f"ptx-ls.{shell}")
