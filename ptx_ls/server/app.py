"""Starts the server as a process: its channel, its log, and its exit code."""

from __future__ import annotations

import asyncio
import gc
import logging
import os
import sys
from typing import Final, Literal

Transport = Literal["stdio", "tcp", "ws"]

_SWITCH_INTERVAL: Final = 0.0005
"""Seconds for which a running check may keep a request waiting; Python's own is ten times that."""


def serve(transport: Transport = "stdio", host: str = "127.0.0.1", port: int = 0) -> int:
    """Runs the server, and returns the exit code of the process.

    On stdio it ends with its client: 0 after `shutdown`, else 1. On TCP and WebSocket, where each
    connection is a session of its own, it runs until it is interrupted; port 0 takes a free one
    and stderr tells which.
    """
    # Half of the start is the import of some thousand small objects that live for ever.
    gc.disable()
    from ptx_ls.server import collector, transports  # noqa: PLC0415

    collector.start()
    logging.basicConfig(format="ptx-ls: %(levelname)s: %(message)s", level=logging.WARNING)
    logging.getLogger("pygls").setLevel(logging.ERROR)
    sys.setswitchinterval(_SWITCH_INTERVAL)
    try:
        if transport == "stdio":
            return asyncio.run(transports.serve_stdio(*transports.take_stdio()))
        if transport == "tcp":
            return asyncio.run(transports.serve_tcp(host, port))
        return asyncio.run(transports.serve_ws(host, port))
    except KeyboardInterrupt:
        return 130
    except OSError as error:
        number = error.errno or 0
        reason = os.strerror(number) if number > 0 else error.strerror  # below 0: of a host name
        transports.announce(f"cannot listen on {host}:{port}: {reason}")
        return 2
    except ModuleNotFoundError as error:
        if not (error.name or "").startswith("websockets"):
            raise
        transports.announce("--ws needs another package: pip install ptx-ls[ws]")
        return 2
