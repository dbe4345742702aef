"""`ptx-ls mcp`: offers lint, format and the instruction set to agents."""

from __future__ import annotations

import os
from typing import Final

from ptx_ls.cli import console
from ptx_ls.cli.arguments import ArgumentParser, UsageError
from ptx_ls.cli.status import ExitStatus
from ptx_ls.files.confinement import real_or_none

HOW_TO_INSTALL: Final = "the MCP server needs the package `mcp`: pip install 'ptx-ls[mcp]'"


def main(arguments: list[str]) -> int:
    """Serves on standard input and output until the client leaves; returns the exit status."""
    parser = ArgumentParser(
        prog="ptx-ls mcp",
        description=(
            "Starts a server that agents use to lint, format and look up PTX; it uses the Model "
            "Context Protocol on standard input and output."
        ),
        epilog="The server changes no files.",
    )
    parser.add_argument(
        "--folder",
        action="append",
        metavar="FOLDER",
        help="tools may read .ptx files below this folder; may be repeated (default: the current"
        " directory)",
    )
    options = parser.parse(arguments)
    folders = [_folder(each) for each in options.folder or [os.curdir]]
    try:
        from ptx_ls.mcp.server import server
    except ImportError as error:
        if error.name is None or error.name.partition(".")[0] == "ptx_ls":
            raise
        raise UsageError(HOW_TO_INSTALL) from None
    server(folders).run("stdio")
    return ExitStatus.CLEAN


def _folder(path: str) -> str:
    """Returns the absolute path of a folder.

    Raises:
        UsageError: if it is not one.
    """
    found = real_or_none(os.path.abspath(path))
    if found is None or not os.path.isdir(found):
        raise UsageError(f"--folder: `{console.escaped(path)}` is not a folder")
    return found
