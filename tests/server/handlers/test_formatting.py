"""Layout on the wire."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import accumulate, pairwise
from typing import Any, Self, cast

import pytest
from lsprotocol import types
from pygls.exceptions import JsonRpcContentModified

from ptx_ls.formatting import FormatStyle
from ptx_ls.formatting.formatter import formatted
from ptx_ls.lint.rule_settings import DEFAULT_RULES
from ptx_ls.server.documents.open_documents import OpenDocument
from ptx_ls.server.handlers import formatting
from ptx_ls.server.session import Session
from ptx_ls.server.workspace.project_files import DocumentSettings
from ptx_ls.source.columns import ColumnUnit
from ptx_ls.source.lines import split_lines
from tests.server.client import URI, Client, Message

pytestmark = pytest.mark.slow

TEXT = (
    ".version 8.0\n.target sm_80\n.func f()\n{\n/*😀*/ mov.u32 \t%r1, 1; // é\n"
    "  add.s32 %r1,%r2 ,1;\n    ret;\n{ ret; }\n}\n"
)
DOCUMENT = {"textDocument": {"uri": URI}, "options": {"tabSize": 2, "insertSpaces": False}}
WIDTHS = {"utf-8": ("utf-8", 1), "utf-16": ("utf-16-le", 2), "utf-32": ("utf-32-le", 4)}


@pytest.fixture(scope="module", params=list(WIDTHS))
def client(request: pytest.FixtureRequest) -> Iterator[Client]:
    with Client() as client:
        client.initialize({"general": {"positionEncodings": [request.param]}})
        client.encoding = request.param  # type: ignore[attr-defined]
        yield client
        assert client.leave() == 0


def applied(text: str, edits: list[Any], encoding: str) -> str:
    """Applies edits as an editor does, from the last one to the first."""
    name, width = WIDTHS[encoding]
    lines = split_lines(text)
    starts = [0, *accumulate(map(len, lines))]

    def offset(place: Message) -> int:
        before = lines[place["line"]].encode(name)[: place["character"] * width].decode(name)
        return starts[place["line"]] + len(before)

    spans = [(offset(it["range"]["start"]), offset(it["range"]["end"]), it) for it in edits]
    spans.sort(key=lambda span: span[:2])
    assert all(first[1] <= second[0] for first, second in pairwise(spans))
    for start, end, each in reversed(spans):
        text = text[:start] + each["newText"] + text[end:]
    return text


def check_edits(
    client: Client, method: str, params: Message, text: str, expected: str
) -> list[Any]:
    """Fails unless the edits make the expected text; returns them."""
    client.open(text)
    edits: list[Any] = client.request(f"textDocument/{method}", {**DOCUMENT, **params})
    assert applied(text, edits, client.encoding) == expected  # type: ignore[attr-defined]
    return edits


def lines(first: int, stop: int) -> Message:
    start, end = {"line": first, "character": 0}, {"line": stop, "character": 0}
    return {"start": start, "end": end}


def test_a_document(client: Client) -> None:
    edits = check_edits(client, "formatting", {}, TEXT, formatted(TEXT, FormatStyle()))
    touched = {edit["range"]["start"]["line"] for edit in edits}
    assert touched.isdisjoint({0, 1, 3, 6})


@pytest.mark.parametrize(
    "text",
    [
        *("", "\n\n", TEXT[:-1], ".version 8.0", ".version 8.0 .func f() { ret; }"),
        ".version  8.0\r\n.target sm_80\n\n\n",
    ],
)
def test_ends_of_documents(client: Client, text: str) -> None:
    check_edits(client, "formatting", {}, text, formatted(text, FormatStyle()))


def test_nothing_to_do(client: Client) -> None:
    done = formatted(TEXT, FormatStyle())
    assert check_edits(client, "formatting", {}, done, done) == []


def test_a_range(client: Client) -> None:
    expected = TEXT.replace("  add.s32 %r1,%r2 ,1;", "    add.s32             %r1, %r2, 1;")
    check_edits(client, "rangeFormatting", {"range": lines(5, 6)}, TEXT, expected)
    areas = [lines(5, 6), lines(6, 7), lines(5, 5)]
    check_edits(client, "rangesFormatting", {"ranges": areas}, TEXT, expected)
    check_edits(client, "rangesFormatting", {"ranges": []}, TEXT, TEXT)


def test_a_large_range(client: Client) -> None:
    body = "  mov.u32 %r1 ,1;\n" * 12_000
    head = ".version 8.0\n\n.func f()\n{\n"
    text = f"{head}{body}}}\n"
    laid = "    mov.u32             %r1, 1;\n"
    done = f"{head}{body[: 18 * 6_000]}{laid * 6_000}}}\n"
    check_edits(client, "rangeFormatting", {"range": lines(6_004, 12_004)}, text, done)
    check_edits(client, "formatting", {}, text, f"{head}{laid * 12_000}}}\n")


def test_on_type(client: Client) -> None:
    place = {"line": 5, "character": 21}
    expected = TEXT.replace("  add.s32 %r1,%r2 ,1;", "    add.s32             %r1, %r2, 1;")
    check_edits(client, "onTypeFormatting", {"position": place, "ch": ";"}, TEXT, expected)


def test_before_saving() -> None:
    params = {"textDocument": {"uri": URI}, "reason": 1}
    able = {"textDocument": {"synchronization": {"willSaveWaitUntil": True}}}
    for settings, expected in (
        ({}, TEXT),
        ({"format": {"onSave": True}}, formatted(TEXT, FormatStyle())),
        ({"format": {"onSave": True, "indent": 2}}, formatted(TEXT, FormatStyle(indent=2))),
    ):
        with Client() as client:
            answer = client.initialize(able, initializationOptions=settings)
            assert answer["capabilities"]["textDocumentSync"]["willSaveWaitUntil"] is True
            client.open(TEXT)
            edits = client.request("textDocument/willSaveWaitUntil", params)
            assert applied(TEXT, edits or [], "utf-16") == expected


def test_what_is_offered() -> None:
    with Client() as client:
        able = client.initialize()["capabilities"]
    assert able["documentFormattingProvider"]
    assert able["documentRangeFormattingProvider"] == {"rangesSupport": True}
    assert able["documentOnTypeFormattingProvider"] == {
        "firstTriggerCharacter": ";",
        "moreTriggerCharacter": ["}", "\n"],
    }


def test_a_document_that_is_not_open(client: Client) -> None:
    params = {**DOCUMENT, "textDocument": {"uri": "file:///other.ptx"}}
    assert client.request("textDocument/formatting", params) is None


def test_cancelled() -> None:
    text = ".version 8.0\n.func f()\n{\n" + "  mov.u32 %r1 ,1;\n" * 20_000 + "}\n"
    with Client() as client:
        client.initialize()
        client.open(text)
        number = client.start_request("textDocument/formatting", DOCUMENT)
        client.notify("$/cancelRequest", {"id": number})
        assert client.response(number)["error"]["code"] == -32800


class EditedMeanwhile:
    """A session with one document, which the user edits while it is laid out."""

    def __init__(self) -> None:
        self.opened = OpenDocument(types.TextDocumentItem(URI, "ptx", 0, TEXT), ColumnUnit.UTF_16)

    def get(self, _uri: str) -> OpenDocument:
        return self.opened

    @property
    def checkers(self) -> Self:
        return self

    @property
    def client(self) -> Self:
        return self

    async def settings(self, _opened: OpenDocument) -> DocumentSettings:
        return DocumentSettings(DEFAULT_RULES, FormatStyle())

    def show_message(self, *_: object) -> None:
        pytest.fail("no message is expected about a text that is gone")

    async def run(self, work: Callable[[Callable[[], bool]], Any]) -> Any:  # noqa: ANN401
        self.opened.edit(1, [types.TextDocumentContentChangeWholeDocument("ret;\n")])
        return work(lambda: False)


async def test_overtaken_by_an_edit() -> None:
    params = types.DocumentFormattingParams(
        types.TextDocumentIdentifier(URI), types.FormattingOptions(4, insert_spaces=True)
    )
    session = EditedMeanwhile()
    with pytest.raises(JsonRpcContentModified):
        await formatting.document(cast("Session", session), session.opened, params)


SCRIPT = "def f(x):\n    if x:\n        return  1;\n"
BROKEN = TEXT.replace("ret;\n{", "ret ]\n{")
PLACE = {"line": 2, "character": 18}


def test_a_range_that_can_be_read_is_laid_out(client: Client) -> None:
    expected = BROKEN.replace("  add.s32 %r1,%r2 ,1;", "    add.s32             %r1, %r2, 1;")
    check_edits(client, "rangeFormatting", {"range": lines(5, 6)}, BROKEN, expected)


@pytest.mark.parametrize("typed", [";", "}", "\n"])
def test_nothing_is_laid_out_while_another_language_is_typed(client: Client, typed: str) -> None:
    check_edits(client, "onTypeFormatting", {"position": PLACE, "ch": typed}, SCRIPT, SCRIPT)
