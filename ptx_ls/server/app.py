"""Starts the server as a process: its channel, its log, and its exit code.

Importing this imports only the modules that can answer `initialize`; the others follow.
"""

from __future__ import annotations

import gc
import os
import sys
from typing import TYPE_CHECKING, Any, Final, Literal

from ptx_ls.server import greeting
from ptx_ls.server.protocol import pipes
from ptx_ls.server.protocol.opening import Opening

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine

    from ptx_ls.server.protocol.access import AccessControl
    from ptx_ls.server.protocol.connection import Connection

Transport = Literal["stdio", "tcp", "ws"]

_SWITCH_INTERVAL: Final = 0.0005
"""Seconds for which a running check may delay a request; Python's default is ten times as long."""


def serve(
    transport: Transport = "stdio", access: AccessControl | None = None, port: int = 0
) -> int:
    """Runs the server, and returns the exit code of the process.

    On stdio, it ends when its client does: 0 after `shutdown`, else 1. On TCP and WebSocket, where
    each connection is a separate session, it runs until it is interrupted. `access` determines who
    may connect; for `port` 0, it picks a free port and prints it to stderr.
    """
    gc.disable()  # loading the server makes many small objects, which live forever
    sys.setswitchinterval(_SWITCH_INTERVAL)
    try:
        if transport == "stdio":
            return _serve_stdio()
        return _serve_port(transport, access, port)
    except KeyboardInterrupt:
        return 130
    except OSError as error:
        number = error.errno or 0
        reason = os.strerror(number) if number > 0 else error.strerror  # negative for host names
        pipes.announce(f"cannot listen on {access.host if access else ''}:{port}: {reason}")
        return 2
    except ModuleNotFoundError as error:
        if not (error.name or "").startswith("websockets"):
            raise
        pipes.announce("--ws needs the package `websockets`: pip install 'ptx-ls[ws]'")
        return 2


def _serve_stdio() -> int:
    streams = pipes.take_stdio()
    opening = Opening(*streams, greeting.answer)  # an editor waits for this, and only for this

    from ptx_ls.server.language_server import PtxServer
    from ptx_ls.server.protocol import stdio

    def start(end: Callable[[int], None]) -> Connection:
        return PtxServer(end, watches_parent=True).connection

    return _run(stdio.serve_stdio(start, *streams, opening))


def _serve_port(transport: Transport, access: AccessControl | None, port: int) -> int:
    from ptx_ls.server.client_state.rights import Rights
    from ptx_ls.server.language_server import PtxServer
    from ptx_ls.server.protocol import network
    from ptx_ls.server.protocol.access import AccessControl

    access = access or AccessControl()
    rights = Rights(reaches_out=False, folders=access.folders)

    def start(end: Callable[[int], None]) -> Connection:
        return PtxServer(end, rights=rights).connection

    listen = network.serve_tcp if transport == "tcp" else network.serve_ws
    return _run(listen(start, access, port))


def _run(session: Coroutine[Any, Any, int]) -> int:
    """Runs the event loop, once all modules that every session needs are loaded."""
    import asyncio
    import logging

    from ptx_ls.server.scheduling import gc_policy

    gc_policy.start()
    logging.basicConfig(format="ptx-ls: %(levelname)s: %(message)s", level=logging.WARNING)
    logging.getLogger("pygls").setLevel(logging.ERROR)
    return asyncio.run(session)
