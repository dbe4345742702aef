"""A folder of modules, and a client that works in it."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from ptx_ls.source import uris
from tests.server.client import Client, Message

HEADER = ".version 8.0\n.target sm_80\n.address_size 64\n"
CREATED, CHANGED, DELETED = 1, 2, 3


def write(folder: Path, **modules: str) -> None:
    """Writes `name.ptx` for each `name`; `__` in it parts directories."""
    for name, text in modules.items():
        path = folder / f"{name.replace('__', '/')}.ptx"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(HEADER + text, "utf-8", newline="")


def uri_of(folder: Path, name: str) -> str:
    """The URI of a file in the folder."""
    return uris.from_path(str(folder / name))


def enter(client: Client, *folders: Path, capabilities: object = None, **more: object) -> Any:  # noqa: ANN401
    """Opens a session in some folders."""
    named = [{"uri": folder.as_uri(), "name": folder.name} for folder in folders]
    return client.initialize(capabilities, workspaceFolders=named, **more)


def tell(client: Client, folder: Path, **changes: int) -> None:
    """Tells what happened to files, as somebody who watches them does."""
    client.notify(
        "workspace/didChangeWatchedFiles",
        {
            "changes": [
                {"uri": uri_of(folder, f"{name.replace('__', '/')}.ptx"), "type": kind}
                for name, kind in changes.items()
            ]
        },
    )


def opened(folder: Path, name: str, text: str) -> Mapping[str, str]:
    """The arguments of `Client.open` for a file of the folder."""
    return {"text": HEADER + text, "uri": uri_of(folder, f"{name}.ptx")}


def place(folder: Path, name: str, line: int, character: int) -> Message:
    """Parameters of a request about a place; lines count from the end of the header."""
    at = {"line": line + HEADER.count("\n"), "character": character}
    return {"textDocument": {"uri": uri_of(folder, f"{name}.ptx")}, "position": at}


def short(folder: Path, uri: str, area: Message) -> str:
    """A place in few words, `a.ptx 0:5-9`; lines count from the end of the header."""
    start, end = area["start"], area["end"]
    line = start["line"] - HEADER.count("\n")
    name = uri.removeprefix(uri_of(folder, "x").removesuffix("x"))
    return f"{name} {line}:{start['character']}-{end['character']}"
