"""Serves clients that connect to a port: TCP or WebSocket. Each connection is a session."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Final

from ptx_ls.server.protocol.access import AccessControl, ConnectionGate, RefusedError
from ptx_ls.server.protocol.back_pressure import MAX_UNSENT, MAX_UNSENT_TO_RESUME, BackPressure
from ptx_ls.server.protocol.framing import Deframer
from ptx_ls.server.protocol.pipes import announce
from ptx_ls.server.protocol.stdio import Start

if TYPE_CHECKING:
    from websockets.asyncio.server import ServerConnection
    from websockets.http11 import Request, Response

_TOKEN_TIMEOUT: Final = 30.0
"""Seconds within which a client has to send its token."""


async def serve_tcp(start: Start, access: AccessControl, port: int) -> int:
    """Serves any number of clients until cancelled."""
    loop = asyncio.get_running_loop()
    listener = await loop.create_server(lambda: _TcpSession(start, access), access.host, port)
    announce(f"listening on tcp://{_name(listener.sockets[0].getsockname())}")
    async with listener:
        await listener.serve_forever()
    return 0


class _TcpSession(asyncio.Protocol):
    def __init__(self, start: Start, access: AccessControl) -> None:
        self._start, self._access = start, access
        self._gate: ConnectionGate | None = ConnectionGate(access)
        self._timer: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)  # noqa: S101  # as always in a server
        self._transport = transport
        self._deframer = Deframer()
        self._connection = self._start(lambda _code: transport.close())
        self._connection.sender.set_writer(transport)
        transport.set_write_buffer_limits(MAX_UNSENT, MAX_UNSENT_TO_RESUME)
        if self._access.token:
            self._timer = asyncio.get_running_loop().call_later(_TOKEN_TIMEOUT, transport.abort)

    def pause_writing(self) -> None:
        self._connection.pressure.hold()
        self._transport.pause_reading()

    def resume_writing(self) -> None:
        self._connection.pressure.release()
        if not self._connection.pressure.is_held:
            self._transport.resume_reading()

    def data_received(self, received: bytes) -> None:
        if self._transport.is_closing():
            return
        if self._gate is not None:
            try:
                admitted = self._gate.admit(received)
            except RefusedError as error:
                announce(f"refused a client: {error}")
                self._transport.write(error.answer)
                self._transport.close()
                return
            if admitted is None:
                return
            received, self._gate = admitted, None
            self._stop_timer()
        for body in self._deframer.feed(received):
            self._connection.receive(body)

    def connection_lost(self, _error: Exception | None) -> None:
        self._stop_timer()
        self._connection.close()

    def _stop_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()


async def serve_ws(start: Start, access: AccessControl, port: int) -> int:
    """Serves any number of clients until cancelled.

    Raises:
        ModuleNotFoundError: if the package websockets is not installed.
    """
    from websockets.asyncio.server import serve  # noqa: PLC0415  # an extra
    from websockets.exceptions import ConnectionClosed  # noqa: PLC0415

    async def serve_one(connection: ServerConnection) -> None:
        outgoing: asyncio.Queue[str | None] = asyncio.Queue()
        session = start(lambda _code: outgoing.put_nowait(None))
        writer = _QueueWriter(outgoing, session.pressure)
        session.sender.set_writer(writer, has_headers=False)

        async def send() -> None:
            while (text := await outgoing.get()) is not None:
                await connection.send(text)
                writer.sent(text)
            await connection.close()

        sender = asyncio.ensure_future(send())
        try:
            async for message in connection:
                session.receive(message if isinstance(message, bytes) else message.encode())
                await session.pressure.room()
        except ConnectionClosed:
            pass
        finally:
            sender.cancel()
            session.close()

    def check(connection: ServerConnection, request: Request) -> Response | None:
        headers = request.headers
        try:
            hosts, origins = headers.get_all("Host"), headers.get_all("Origin")
            access.check_websocket(request.path, hosts, origins, headers.get_all("Authorization"))
        except RefusedError as error:
            announce(f"refused a client: {error}")
            return connection.respond(403, error.answer.decode())
        return None

    async with serve(
        serve_one, access.host, port, process_request=check, max_size=None, compression=None
    ) as it:
        announce(f"listening on ws://{_name(next(iter(it.sockets)).getsockname())}")
        await it.serve_forever()
    return 0


class _QueueWriter:
    def __init__(self, outgoing: asyncio.Queue[str | None], pressure: BackPressure) -> None:
        self._outgoing, self._pressure = outgoing, pressure
        self._n_unsent = 0

    def write(self, data: bytes) -> None:
        text = data.decode()  # text: browsers receive anything else as a Blob
        self._n_unsent += len(text)
        self._outgoing.put_nowait(text)
        if self._n_unsent > MAX_UNSENT:
            self._pressure.hold()

    def sent(self, text: str) -> None:
        """Records that the connection has sent a message."""
        self._n_unsent -= len(text)
        if self._pressure.is_held and self._n_unsent <= MAX_UNSENT_TO_RESUME:
            self._pressure.release()


def _name(address: tuple[str, int]) -> str:
    host, port = address[:2]
    return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"
