"""Traces messages for a client that requests it: `$/logTrace`."""

from __future__ import annotations

import json
from time import perf_counter
from typing import TYPE_CHECKING, Any

from lsprotocol import types

if TYPE_CHECKING:
    from collections.abc import Callable

    from ptx_ls.server.protocol.messages import Message


class Tracer:
    """The trace of one session. `notify` sends a notification.

    Attributes:
        level: the trace value that the client has set.
    """

    def __init__(self, notify: Callable[[str, dict[str, Any]], None]) -> None:
        self._notify = notify
        self.level = types.TraceValue.Off
        self._asked: dict[int | str, tuple[str, float]] = {}  # method and time, if traced

    def received(self, message: Message) -> None:
        """Traces a received request or notification."""
        if self._is_off:
            return
        method, message_id = message["method"], message.get("id")
        if message_id is None:
            words = f"Received notification '{method}'."
        else:
            self._asked[message_id] = method, perf_counter()
            words = f"Received request '{method} - ({message_id})'."
        self._tell(words, lambda: f"Params: {_json(message.get('params'))}")

    def answered(self, message_id: object, outcome: Callable[[], str], error: str = "") -> None:
        """Traces a response; `outcome` returns its text, `error` is the message of an error."""
        if self._is_off:
            self._asked.clear()
            return
        if not isinstance(message_id, int | str):
            return
        method, begin = self._asked.pop(message_id, ("?", perf_counter()))
        duration = 1000 * (perf_counter() - begin)
        words = f"Sent response '{method} - ({message_id})' in {duration:.1f} ms."
        self._tell(f"{words} Request failed: {error}" if error else words, outcome)

    @property
    def _is_off(self) -> bool:
        return self.level is types.TraceValue.Off

    def _tell(self, words: str, more: Callable[[], str]) -> None:
        params = {"message": words}
        if self.level is types.TraceValue.Verbose:
            params["verbose"] = more()
        self._notify(types.LOG_TRACE, params)


def _json(value: object) -> str:
    return json.dumps(value, indent=4, ensure_ascii=False)
