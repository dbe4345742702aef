"""`ptx-ls serve`: starts the language server, and only then loads it."""

from __future__ import annotations

import argparse
from typing import Final

from ptx_ls.cli.arguments import ArgumentParser

_LOOPBACK: Final = "127.0.0.1"
_LAST_PORT: Final = 65535


def main(arguments: list[str]) -> int:
    """Runs the server until its client leaves, or it is interrupted; returns the exit status."""
    options = _parser().parse(arguments)
    from ptx_ls.server.app import serve

    if options.tcp:
        return serve("tcp", *options.tcp)
    if options.ws:
        return serve("ws", *options.ws)
    return serve("stdio")


def address(text: str) -> tuple[str, int]:
    """Reads `HOST:PORT`, `:PORT` or `PORT`; the host is then the loopback.

    Raises:
        argparse.ArgumentTypeError: if it is none of these.
    """
    host, _, port = text.rpartition(":")
    if not (port.isascii() and port.isdigit() and int(port) <= _LAST_PORT):
        raise argparse.ArgumentTypeError(f"`{text}` is no HOST:PORT")
    if host.startswith("[") and host.endswith("]"):  # an IPv6 address
        host = host[1:-1]
    return host or _LOOPBACK, int(port)


def _parser() -> ArgumentParser:
    parser = ArgumentParser(
        prog="ptx-ls serve",
        description="Starts the language server; without options on standard input and output.",
    )
    channel = parser.add_mutually_exclusive_group()
    channel.add_argument("--stdio", action="store_true", help="standard input and output (default)")
    channel.add_argument(
        "--tcp",
        type=address,
        metavar="HOST:PORT",
        help="TCP, for any number of clients; without HOST the loopback",
    )
    channel.add_argument(
        "--ws", type=address, metavar="HOST:PORT", help="WebSockets; without HOST the loopback"
    )
    # Editors pass it to any server; `initialize` says the same.
    parser.add_argument("--clientProcessId", metavar="PID", help=argparse.SUPPRESS)
    return parser
