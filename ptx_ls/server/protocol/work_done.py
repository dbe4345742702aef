"""Reports the progress, and sends partial results, of requests with a token for that."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from lsprotocol import types

from ptx_ls.server.protocol.encoding import Encoded, with_field

if TYPE_CHECKING:
    from collections.abc import Callable

    Token = int | str

_TITLES: Final = {
    types.TEXT_DOCUMENT_REFERENCES: "Finding references",
    types.TEXT_DOCUMENT_RENAME: "Finding places to rename",
    types.TEXT_DOCUMENT_FORMATTING: "Formatting",
    types.TEXT_DOCUMENT_DOCUMENT_SYMBOL: "Listing symbols",
    types.TEXT_DOCUMENT_CODE_LENS: "Listing code lenses",
}
"""The titles of progress bars. Other requests report their own progress, or are fast."""
_MAX_ITEMS_OF_PART: Final = 500  # items


class WorkDone:
    """The pending requests that have a token. `notify` sends a notification."""

    def __init__(self, notify: Callable[[str, dict[str, Any] | Encoded], None]) -> None:
        self._notify = notify
        self._tokens: dict[object, Token] = {}
        self._unwanted: set[object] = set()
        self._work: dict[object, Token] = {}
        self._parts: dict[object, Token] = {}

    def begin(self, message_id: object, method: str, params: object) -> None:
        """Records the tokens of a request, and reports that its work begins."""
        token = getattr(params, "work_done_token", None)
        if token is not None:
            self._tokens[message_id] = token
        if token is not None and method in _TITLES:
            self._work[message_id] = token
            self._tell(token, {"kind": "begin", "title": _TITLES[method], "cancellable": False})
        token = getattr(params, "partial_result_token", None)
        if token is not None:
            self._parts[message_id] = token

    def end(self, message_id: object, result: Any) -> Any:  # noqa: ANN401
        """Sends partial results, and reports the end of the work; returns the final result."""
        self._tokens.pop(message_id, None)
        self._unwanted.discard(message_id)
        token = self._parts.pop(message_id, None)
        if token is not None and isinstance(result, Encoded) and result.is_list:
            for part in result.parts(_MAX_ITEMS_OF_PART):
                self._notify(types.PROGRESS, with_field({"token": token}, "value", part))
            result = []
        elif token is not None and isinstance(result, list) and result:
            for first in range(0, len(result), _MAX_ITEMS_OF_PART):
                self._tell(token, result[first : first + _MAX_ITEMS_OF_PART])
            result = []
        token = self._work.pop(message_id, None)
        if token is not None:
            self._tell(token, {"kind": "end"})
        return result

    def cancel(self, token: Token) -> None:
        """Marks the requests with a token as cancelled by the user."""
        self._unwanted.update(it for it, own in self._tokens.items() if own == token)

    def is_unwanted(self, token: Token) -> bool:
        """Whether the user has cancelled a request with this token."""
        return any(own == token and it in self._unwanted for it, own in self._tokens.items())

    def _tell(self, token: Token, value: object) -> None:
        self._notify(types.PROGRESS, {"token": token, "value": value})
