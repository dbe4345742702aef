"""Starts the server as a process: its channel, its log, and its exit code."""

from __future__ import annotations

import asyncio
import gc
import logging
import os
import sys
from typing import TYPE_CHECKING, Final, Literal

if TYPE_CHECKING:
    from ptx_ls.server.protocol.access import AccessControl

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
    # Half of the start-up time is spent on imports, whose many small objects live forever.
    gc.disable()
    from ptx_ls.server.language_server import PtxServer  # noqa: PLC0415
    from ptx_ls.server.protocol import stdio  # noqa: PLC0415
    from ptx_ls.server.scheduling import gc_policy  # noqa: PLC0415

    gc_policy.start()
    logging.basicConfig(format="ptx-ls: %(levelname)s: %(message)s", level=logging.WARNING)
    logging.getLogger("pygls").setLevel(logging.ERROR)
    sys.setswitchinterval(_SWITCH_INTERVAL)
    try:
        if transport == "stdio":
            return asyncio.run(
                stdio.serve_stdio(
                    lambda end: PtxServer(end, watches_parent=True).connection, *stdio.take_stdio()
                )
            )
        from ptx_ls.server.client_state.rights import Rights  # noqa: PLC0415
        from ptx_ls.server.protocol import network  # noqa: PLC0415
        from ptx_ls.server.protocol.access import AccessControl  # noqa: PLC0415

        access = access or AccessControl()
        rights = Rights(reaches_out=False, folders=access.folders)
        listen = network.serve_tcp if transport == "tcp" else network.serve_ws
        return asyncio.run(
            listen(lambda end: PtxServer(end, rights=rights).connection, access, port)
        )
    except KeyboardInterrupt:
        return 130
    except OSError as error:
        number = error.errno or 0
        reason = os.strerror(number) if number > 0 else error.strerror  # negative for host names
        stdio.announce(f"cannot listen on {access.host if access else ''}:{port}: {reason}")
        return 2
    except ModuleNotFoundError as error:
        if not (error.name or "").startswith("websockets"):
            raise
        stdio.announce("--ws needs another package: pip install ptx-ls[ws]")
        return 2
