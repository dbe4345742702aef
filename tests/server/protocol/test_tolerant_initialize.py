from typing import Any

import pytest

from tests.server.client import Client, Message, ServerError

pytestmark = pytest.mark.slow


def check_initialize(params: Message) -> Any:  # noqa: ANN401
    """Checks that a session begins, and returns what the server says of itself."""
    with Client() as client:
        result = client.request("initialize", {"processId": None, "capabilities": {}, **params})
        client.notify("initialized", {})
        client.open("ret;")
        assert client.ask("hover", 0, 1)
        assert client.leave() == 0
        return result["capabilities"]


@pytest.mark.parametrize(
    "params",
    [
        {"trace": "compact"},
        {"processId": "many", "rootUri": 3, "clientInfo": "vi", "locale": []},
        {"workspaceFolders": [{"uri": 3}]},
        {"capabilities": []},
        {"capabilities": None},
        {"capabilities": {"general": {"staleRequestSupport": {"cancel": True}}}},
        {"capabilities": {"textDocument": {"hover": {"contentFormat": ["html"]}}}},
        {"capabilities": {"textDocument": {"semanticTokens": {"requests": {}}, "hover": 3}}},
    ],
)
def test_what_does_not_fit_is_left_out(params: Message) -> None:
    check_initialize(params)


def test_what_fits_is_kept() -> None:
    odd = {"foldingRange": 3, "hover": {"contentFormat": ["html"]}}
    general = {"positionEncodings": ["utf-8"], "staleRequestSupport": {}}
    found = check_initialize({"capabilities": {"textDocument": odd, "general": general}})
    assert found["positionEncoding"] == "utf-8"


@pytest.mark.parametrize("params", [None, [], 3, {}, {"capabilities": {}, "processId": None}])
def test_what_is_no_initialize_at_all_is_refused(params: object) -> None:
    with Client() as client:
        if isinstance(params, dict) and params:
            client.request("initialize", params)
        else:
            with pytest.raises(ServerError, match="-32602"):
                client.request("initialize", params)
