"""Documents in other languages are not laid out, and the user is told why."""

from __future__ import annotations

import pytest

from tests.server.client import URI, Client
from tests.server.handlers.test_formatting import BROKEN, DOCUMENT, SCRIPT, TEXT, lines

pytestmark = pytest.mark.slow


@pytest.mark.parametrize(
    ("text", "uri", "reason"),
    [
        (SCRIPT, URI, "it does not begin with `.version`"),
        (BROKEN, URI, "line 7 has a syntax error"),
        (TEXT, URI.replace(".ptx", ".cu"), "`.cu` is the extension of a file in another language"),
    ],
)
@pytest.mark.parametrize("method", ["formatting", "rangeFormatting", "rangesFormatting"])
def test_what_does_not_read_as_ptx(text: str, uri: str, reason: str, method: str) -> None:
    whole = lines(0, text.count("\n"))
    params = {**DOCUMENT, "range": whole, "ranges": [whole], "textDocument": {"uri": uri}}
    with Client() as client:
        client.initialize()
        client.open(text, uri)
        assert client.request(f"textDocument/{method}", params) == []
        told = client.notification("window/showMessage")
        assert told["message"] == (
            f"ptx-ls: not formatted, because it cannot be parsed as PTX: {reason}"
        )


def test_a_script_is_saved_as_it_is() -> None:
    params = {"textDocument": {"uri": URI}, "reason": 1}
    able = {"textDocument": {"synchronization": {"willSaveWaitUntil": True}}}
    with Client() as client:
        client.initialize(able, initializationOptions={"format": {"onSave": True}})
        client.open(SCRIPT)
        assert client.request("textDocument/willSaveWaitUntil", params) == []
