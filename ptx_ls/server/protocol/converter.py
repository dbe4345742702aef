"""Converts messages between JSON and the types of lsprotocol."""

from __future__ import annotations

import enum
import json
from typing import TYPE_CHECKING, Any, TypeVar

import attrs
from cattrs import transform_error
from lsprotocol import converters, types
from pygls.exceptions import JsonRpcException, JsonRpcInvalidParams

from ptx_ls.server.protocol import tolerant_initialize
from ptx_ls.server.protocol.messages import VERSION, Message, is_deep, is_id

if TYPE_CHECKING:
    from collections.abc import Mapping

Structured = TypeVar("Structured")


class MessageConverter:
    """Converts the messages of one session."""

    def __init__(self) -> None:
        self._structurer = converters.get_converter()
        # lsprotocol accepts any value as a token, but a list could not be a key of a dictionary.
        for kind in (types.ProgressToken, types.ProgressToken | None):
            self._structurer.register_structure_hook(kind, _structure_id)

    def prepare(self, method: str) -> None:
        """Makes the converter of a method's parameters in advance, as this takes milliseconds."""
        kind = _message_type(method)
        if kind is not None:
            self._structurer.get_structure_hook(kind)

    def params(self, message: Message) -> Any:  # noqa: ANN401
        """Returns the parameters of a message in the type that its method has in lsprotocol.

        The parameters of a method that is not in LSP are unchanged.

        Raises:
            JsonRpcInvalidParams: if they do not have this type, or are nested too deeply.
        """
        message = {"params": None, **message}
        if is_deep(message):
            raise JsonRpcInvalidParams("nested too deeply")
        kind = _message_type(message["method"])
        if kind is None:
            return message["params"]

        def structure(sent: Message) -> Any:  # noqa: ANN401
            return self._structurer.structure(sent, kind).params

        try:
            if message["method"] == types.INITIALIZE:
                return tolerant_initialize.convert(message, structure)
            return structure(message)
        except Exception as error:
            raise JsonRpcInvalidParams(wording(error)) from error

    def result(self, method: str, message: Message) -> Any:  # noqa: ANN401
        """Returns the result in a client's response to a request of ours.

        Raises:
           Exception: if it does not have the type of the method, or is nested too deeply.
        """
        _check_depth(message)
        kind: type[Any] | None = types.METHOD_TO_TYPES[method][1]
        assert kind is not None  # noqa: S101  # of a request
        return self._structurer.structure({"result": None, **message}, kind).result

    def error(self, message: Message) -> JsonRpcException:
        """Returns the error in a client's response to a request of ours.

        Raises:
            Exception: if it is not an error, or is nested too deeply.
        """
        _check_depth(message)
        sent = self._structurer.structure(message["error"], types.ResponseError)
        error: JsonRpcException = JsonRpcException.from_error(sent)
        return error

    def structure(self, value: Mapping[str, Any], kind: type[Structured]) -> Structured:
        """Converts a JSON object to one of lsprotocol's types.

        Raises:
            Exception: if it does not have this type.
        """
        return self._structurer.structure(value, kind)

    def message(self, method: str, params: object, **more: object) -> str:
        """Returns a request (`id=...`) or a notification as JSON."""
        kind = types.METHOD_TO_TYPES[method][0]
        return self.text(kind(method=method, params=params, jsonrpc=VERSION, **more))

    def text(self, value: object, indent: int | None = None) -> str:
        """Returns a value, which may contain values of lsprotocol's types, as JSON."""
        return json.dumps(value, default=self._unstructure, indent=indent)

    def _unstructure(self, value: object) -> object:
        if isinstance(value, enum.Enum):
            return value.value
        if not attrs.has(type(value)):
            raise TypeError(f"{type(value).__name__} is not of a type that JSON or LSP has")
        return self._structurer.unstructure(value)


def is_request(method: str) -> bool:
    """Whether a method of LSP is a request, which needs an id to be answered."""
    known = types.METHOD_TO_TYPES.get(method)
    return known is not None and known[1] is not None


def wording(error: Exception) -> str:
    """Returns what is wrong with a message that could not be converted."""
    return "; ".join(transform_error(error, path="message"))


def _check_depth(message: Message) -> None:
    if is_deep(message):
        raise ValueError("nested too deeply")


def _message_type(method: str) -> type[Any] | None:
    known = types.METHOD_TO_TYPES.get(method)
    return known[0] if known is not None else None


def _structure_id(value: object, kind: object) -> int | str | None:
    """Checks the id of a request, or a progress token, which may be missing; returns it."""
    if value is None and kind == types.ProgressToken | None:
        return None
    if not is_id(value):
        raise ValueError("expected a number or a string")
    return value
