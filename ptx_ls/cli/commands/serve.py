"""`ptx-ls serve`: starts the language server, and only then loads it."""

from __future__ import annotations

import argparse
import os
from typing import TYPE_CHECKING, Final

from ptx_ls.cli.arguments import ArgumentParser

if TYPE_CHECKING:
    from ptx_ls.server.protocol.access import AccessControl

_LOOPBACK: Final = "127.0.0.1"
_LAST_PORT: Final = 65535
_TOKEN_VARIABLE: Final = "PTX_LS_TOKEN"  # a name, not a token
MIN_TOKEN_LENGTH: Final = 16
"""Minimum length of a token that a user may choose."""
_EPILOG: Final = """\
Who may connect:
  --tcp and --ws listen only on this machine, unless --allow-remote is given.
  Clients on other machines must send a token. The server reads the token from the
  environment variable PTX_LS_TOKEN or from the file of --token-file; otherwise, the
  server creates and prints a token. No option takes the token itself, because `ps`
  shows options to all users. On this machine, clients need a token only if the
  variable or the file is set.
  A TCP client sends the token in `initialize`, as `initializationOptions.token`; a
  WebSocket client sends it in the address, ws://HOST:PORT/?token=..., or in the
  header `Authorization: Bearer ...`.
  Web pages may connect only from this machine, or from --allow-origin.

Rights of clients:
  Clients can read .ptx files below --folder, and source files that these refer to.
  They can compile the PTX that they send with the ptxas on this machine, but cannot
  choose programs. Nothing is encrypted: to reach a server over a network, forward its
  port through SSH instead of using --allow-remote.
"""


def main(arguments: list[str]) -> int:
    """Runs the server until its client leaves, or it is interrupted; returns the exit status."""
    parser = _parser()
    options = parser.parse(arguments)
    address = options.tcp or options.ws
    if address is None:
        if options.allow_remote or options.token_file or options.allow_origin or options.folder:
            parser.error(
                "--allow-remote, --token-file, --allow-origin and --folder need --tcp or --ws"
            )
        from ptx_ls.server.app import serve

        return serve("stdio")
    host, port = address
    access, is_new = _access(parser, options, host)
    from ptx_ls.server.app import serve
    from ptx_ls.server.protocol.pipes import announce

    if is_new:
        announce(f"clients of this run must send the token {access.token}")
    return serve("tcp" if options.tcp else "ws", access, port)


def address(text: str) -> tuple[str, int]:
    """Reads `HOST:PORT`, `:PORT` or `PORT`; the host is then the loopback.

    Raises:
        argparse.ArgumentTypeError: if it is not one of these.
    """
    host, _, port = text.rpartition(":")
    if not (port.isascii() and port.isdigit() and int(port) <= _LAST_PORT):
        raise argparse.ArgumentTypeError(
            f"expected HOST:PORT with a port up to {_LAST_PORT}, found `{text}`"
        )
    if host.startswith("[") and host.endswith("]"):  # an IPv6 address
        host = host[1:-1]
    return host or _LOOPBACK, int(port)


def origin(text: str) -> str:
    """Reads the origin of a web page, as browsers send it: `https://example.com:8080`.

    Raises:
        argparse.ArgumentTypeError: if it is not an origin.
    """
    from urllib.parse import urlsplit

    try:
        parts = urlsplit(text)
        is_origin = bool(parts.scheme and parts.hostname) and text.count("/") == len("//")
    except ValueError:
        is_origin = False
    if not is_origin or "*" in text:
        raise argparse.ArgumentTypeError(
            f"`{text}` is not an origin such as https://example.com:8080"
        )
    return text.lower()


def _access(
    parser: ArgumentParser, options: argparse.Namespace, host: str
) -> tuple[AccessControl, bool]:
    """Returns the access control of the server, and whether its token was generated."""
    from ptx_ls.server.protocol.access import AccessControl, is_loopback

    is_remote = not is_loopback(host)
    if is_remote and not options.allow_remote:
        parser.error(f"other machines can reach {host}; add --allow-remote to allow that")
    token = _given_token(parser, options)
    is_new = is_remote and not token
    if is_new:
        import secrets

        token = secrets.token_urlsafe(32)
    folders = tuple(map(os.path.abspath, options.folder or [os.curdir]))
    return AccessControl(host, token, frozenset(options.allow_origin or ()), folders), is_new


def _given_token(parser: ArgumentParser, options: argparse.Namespace) -> str:
    """Returns the token of the file or the environment; "" if there is none."""
    token = os.environ.get(_TOKEN_VARIABLE, "")
    source = _TOKEN_VARIABLE
    if options.token_file:
        source = options.token_file
        try:
            with open(source, encoding="utf-8") as stream:
                token = stream.readline(4096)
        except (OSError, UnicodeError) as error:
            parser.error(f"cannot read {source}: {getattr(error, 'strerror', None) or error}")
    token = token.strip()
    if not token and not options.token_file:
        return ""
    if len(token) < MIN_TOKEN_LENGTH or not token.isascii() or not token.isprintable():
        parser.error(f"the token in {source} needs {MIN_TOKEN_LENGTH} or more ASCII characters")
    return token


def _parser() -> ArgumentParser:
    parser = ArgumentParser(
        prog="ptx-ls serve",
        description="Starts the language server, on standard input and output by default.",
        epilog=_EPILOG,
    )
    channel = parser.add_mutually_exclusive_group()
    channel.add_argument(
        "--stdio", action="store_true", help="use standard input and output (default)"
    )
    channel.add_argument(
        "--tcp",
        type=address,
        metavar="HOST:PORT",
        help="listen for any number of TCP clients; without HOST, on the loopback interface",
    )
    channel.add_argument(
        "--ws",
        type=address,
        metavar="HOST:PORT",
        help="listen for WebSocket clients; without HOST, on the loopback interface",
    )
    group = parser.add_argument_group("for --tcp and --ws")
    group.add_argument(
        "--allow-remote",
        action="store_true",
        help=(
            "listen on an address that other machines can reach; clients there must send the token"
        ),
    )
    group.add_argument(
        "--token-file",
        metavar="FILE",
        help="use the first line of FILE as the token that clients must send",
    )
    group.add_argument(
        "--allow-origin",
        type=origin,
        action="append",
        metavar="ORIGIN",
        help="let web pages of this origin connect, such as https://example.com; may be repeated",
    )
    group.add_argument(
        "--folder",
        action="append",
        metavar="DIR",
        help="let clients read only files below DIR (default: the current directory); may be"
        " repeated",
    )
    # Editors pass it to any server; `initialize` contains the same id.
    parser.add_argument("--clientProcessId", metavar="PID", help=argparse.SUPPRESS)
    return parser
