"""Semantic tokens on the wire."""

from __future__ import annotations

from typing import Any

import pytest

from ptx_ls.features.tokens.token_kinds import TokenTrait
from tests.server.client import URI, Client, Message, edit

pytestmark = pytest.mark.slow

TEXT = (
    ".version 8.0\n.target sm_80\n.address_size 64\n.entry k()\n{\n\t.reg .b32 %r<9>;\n"
    "\tadd.s32 %r1, %r2, 5; // sum\n\tret;\n}\n"
)
DOCUMENT = {"textDocument": {"uri": URI}}


def check_line(client: Client, line: int, *expected: str) -> None:
    """The tokens of a line, by range and in full, named by the legend: `type.modifier`."""
    area = {"start": {"line": line, "character": 0}, "end": {"line": line, "character": 9}}
    in_view = client.request("textDocument/semanticTokens/range", {**DOCUMENT, "range": area})
    whole = client.request("textDocument/semanticTokens/full", DOCUMENT)
    legend = client.legend  # type: ignore[attr-defined]  # set by `start`
    for data in (in_view["data"], whole["data"]):
        assert [name for at, name in named(legend, data) if at == line] == list(expected)


def named(legend: Message, data: list[int]) -> list[tuple[int, str]]:
    """Line and name of each token."""
    found, line = [], 0
    for index in range(0, len(data), 5):
        line += data[index]
        kind, bits = data[index + 3 : index + 5]
        names = [legend["tokenTypes"][kind]]
        names += [name for n, name in enumerate(legend["tokenModifiers"]) if bits >> n & 1]
        found.append((line, ".".join(names)))
    return found


def start(client: Client, **able: Any) -> Message:  # noqa: ANN401
    """Opens a session with what the client says of semantic tokens, and a document."""
    tokens = {"requests": {}, "tokenTypes": [], "tokenModifiers": [], "formats": ["relative"]}
    found = client.initialize({"textDocument": {"semanticTokens": {**tokens, **able}}})
    provider: Message = found["capabilities"]["semanticTokensProvider"]
    client.legend = provider["legend"]  # type: ignore[attr-defined]
    client.open(TEXT)
    return provider


def test_standard_names() -> None:
    with Client() as client:
        provider = start(client)
        assert provider["full"] == {"delta": True}
        assert provider["range"] is True
        assert len(provider["legend"]["tokenModifiers"]) == len(TokenTrait)
        check_line(
            client,
            6,
            "keyword.arithmetic",
            "type",
            "variable.modification.integer",
            "variable.integer",
            "number",
            "comment",
        )


def test_names_of_our_own_where_the_editor_lists_them() -> None:
    with Client() as client:
        start(
            client,
            tokenTypes=["opcode", "register", "keyword"],
            tokenModifiers=["declaration"],
            augmentsSyntaxTokens=True,
        )
        check_line(
            client, 6, "opcode.arithmetic", "type", "register.integer", "register.integer", "number"
        )


def test_changes_to_what_was_sent() -> None:
    with Client() as client:
        start(client)
        sent = client.request("textDocument/semanticTokens/full", DOCUMENT)
        client.change(1, edit((6, 0), (6, 0), "\tneg.s32 %r1, %r1;\n"))
        params = {**DOCUMENT, "previousResultId": sent["resultId"]}
        changed = client.request("textDocument/semanticTokens/full/delta", params)
        data = sent["data"]
        for change in changed["edits"]:
            assert len(change["data"]) == 4 * 5
            data[change["start"] : change["start"] + change["deleteCount"]] = change["data"]
        whole = client.request("textDocument/semanticTokens/full", DOCUMENT)
        assert data == whole["data"]
        params = {**DOCUMENT, "previousResultId": whole["resultId"]}
        same = client.request("textDocument/semanticTokens/full/delta", params)
        assert same["edits"] == []
        params = {**DOCUMENT, "previousResultId": "forgotten"}
        again = client.request("textDocument/semanticTokens/full/delta", params)
        assert again["data"] == whole["data"]


def test_a_document_that_is_not_open() -> None:
    with Client() as client:
        client.initialize()
        assert client.request("textDocument/semanticTokens/full", DOCUMENT) is None
        params = {**DOCUMENT, "previousResultId": "1"}
        assert client.request("textDocument/semanticTokens/full/delta", params) is None
        area = {"start": {"line": 0, "character": 0}, "end": {"line": 9, "character": 0}}
        params = {**DOCUMENT, "range": area}
        assert client.request("textDocument/semanticTokens/range", params) is None
