"""Signature help as it goes over the wire."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from tests.server.client import Client, Message, at
from tests.support.fixture import parse_fixture

pytestmark = pytest.mark.slow

MODULE = """\
.version 8.0
.target sm_80
.address_size 64
.entry kernel()
{
\t.reg .b32 %r<9>;
\tSTATEMENT
}
"""
RICH: Message = {
    "documentationFormat": ["markdown"],
    "parameterInformation": {"labelOffsetSupport": True},
    "activeParameterSupport": True,
}
MOV = "mov.b64 <|>"


@pytest.fixture(scope="module")
def rich() -> Iterator[Client]:
    with Client(patience=300) as client:
        able = {"signatureHelp": {"contextSupport": True, "signatureInformation": RICH}}
        client.initialize({"textDocument": able})
        yield client
        assert client.leave() == 0


def check_help(client: Client, statement: str, context: Message | None = None) -> Any:  # noqa: ANN401
    """The answer at the cursor."""
    fixture = parse_fixture(MODULE.replace("STATEMENT", statement))
    client.open(fixture.text)
    params = at(fixture.cursor.line, fixture.cursor.column)
    if context is not None:
        params["context"] = context
    return client.request("textDocument/signatureHelp", params)


def typed(character: str, *, is_shown: bool = False, active: Message | None = None) -> Message:
    context = {"triggerKind": 2, "triggerCharacter": character, "isRetrigger": is_shown}
    return {**context, "activeSignatureHelp": active} if active else context


def test_offsets_and_markdown(rich: Client) -> None:
    found = check_help(rich, "add.s32 %r1, <|>")
    (signature,) = found["signatures"]
    assert signature["label"] == "add.s32 d, a, b"
    assert [parameter["label"] for parameter in signature["parameters"]] == [
        [8, 9],
        [11, 12],
        [14, 15],
    ]
    assert found["activeParameter"] == signature["activeParameter"] == 1
    assert signature["parameters"][1]["documentation"]["kind"] == "markdown"


def test_plain_clients() -> None:
    with Client() as client:
        told = client.initialize()["capabilities"]["signatureHelpProvider"]
        assert {",", "(", "["} <= set(told["triggerCharacters"])
        found = check_help(client, "add.s32 %r1, <|>")
        (signature,) = found["signatures"]
        assert [parameter["label"] for parameter in signature["parameters"]] == ["d", "a", "b"]
        assert found["activeParameter"] == 1
        assert "activeParameter" not in signature
        assert isinstance(signature["documentation"], str)
        assert "`" not in signature["parameters"][0]["documentation"]
        params = {**at(0, 0), "textDocument": {"uri": "file:///nowhere.ptx"}}
        assert client.request("textDocument/signatureHelp", params) is None


def test_no_parameter_is_active_behind_the_last(rich: Client) -> None:
    found = check_help(rich, "add.s32 %r1, %r2, 3, <|>")
    assert found["activeParameter"] == 3


def test_a_blank_shows_something_behind_an_opcode_only(rich: Client) -> None:
    assert check_help(rich, "add.s32 <|>", typed(" "))
    assert check_help(rich, "@%p1 add.s32 <|>", typed(" "))
    assert check_help(rich, "add.s32 %r1, <|>", typed(" ")) is None
    assert check_help(rich, "add.s32 %r1, <|>", typed(" ", is_shown=True))
    assert check_help(rich, "add.s32 %r1, <|>", typed(","))
    assert check_help(rich, "add.s32 %r1, <|>", {"triggerKind": 1, "isRetrigger": False})


def test_the_signature_that_the_user_chose_stays(rich: Client) -> None:
    shown = check_help(rich, MOV)
    assert len(shown["signatures"]) > 1
    assert shown["activeSignature"] == 0
    again = typed(" ", is_shown=True, active={**shown, "activeSignature": 1})
    assert check_help(rich, MOV, again)["activeSignature"] == 1
    other = typed(" ", is_shown=True, active={**shown, "activeSignature": 1})
    assert check_help(rich, "add.s32 <|>", other)["activeSignature"] == 0
    for number in (99, None):
        strange = typed(" ", is_shown=True, active={**shown, "activeSignature": number})
        assert check_help(rich, MOV, strange)["activeSignature"] == 0
