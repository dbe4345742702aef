"""Every request that the server answers, made once of what nvcc wrote, with what it has to say."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import pytest

from tests.server.client import URI, Client, Message
from tests.server.probes import REQUESTS
from tests.server.profiles import VSCODE

pytestmark = pytest.mark.slow

CORPUS: Final = Path(__file__).parents[1] / "corpus" / "ptx"
CALLS: Final = "indirect-sm_86.ptx"
"""Functions, calls through tables and prototypes, in the old style of nvcc."""
LINES: Final = "hopper-sm_90a-lineinfo.ptx"
"""Copies, barriers and matrices, with lines of the source."""
LAYOUT: Final = {"tabSize": 4, "insertSpaces": False}


class Session:
    """A file of the corpus that is open."""

    def __init__(self, client: Client, name: str) -> None:
        self.client = client
        self.text = (CORPUS / name).read_text(encoding="utf-8")
        self.uri = f"{URI}/{name}"
        client.open(self.text, self.uri)

    def place(self, marked: str) -> Message:
        """Where the text before and after `|` meets first."""
        before, _, behind = marked.partition("|")
        offset = self.text.index(before + behind) + len(before)
        line = self.text.count("\n", 0, offset)
        return {"line": line, "character": offset - self.text.rfind("\n", 0, offset) - 1}

    def ask(self, method: str, marked: str = "", **more: Any) -> Any:  # noqa: ANN401
        """The answer about the document, at a place if one is marked."""
        sent: Message = {"textDocument": {"uri": self.uri}, **more}
        if marked:
            sent["position"] = self.place(marked)
        return self.client.request(method, sent)

    def lines(self, marked: str, count: int = 20) -> Message:
        """The range of some lines from a place on."""
        first = self.place(marked)["line"]
        return {
            "start": {"line": first, "character": 0},
            "end": {"line": first + count, "character": 0},
        }


@pytest.fixture(scope="module")
def client() -> Iterator[Client]:
    with Client(patience=180) as client:
        client.initialize(VSCODE)
        yield client


@pytest.fixture(scope="module")
def calls(client: Client) -> Session:
    return Session(client, CALLS)


@pytest.fixture(scope="module")
def lines(client: Client) -> Session:
    return Session(client, LINES)


def check_said(found: object, *expected: str) -> None:
    """Fails unless all is somewhere in an answer."""
    text = json.dumps(found)
    for part in expected:
        assert part in text, text[:2000]


SUM: Final = "add.s64 \t%rd4, %r|d2, %rd3;"
CALLED: Final = ", prototype|_5;"
DECLARED: Final = ".func  (.param .b32 func_retval0) _Z3ad|dff\n"
DECLARATION: Final = {"includeDeclaration": True}
AT_PLACES: Final = [
    ("hover", SUM, {}, "cvta.to.global.u64 %rd2, %rd1;", "live on lines 794-822"),
    ("definition", SUM, {}, '"line": 793, "character": 21'),
    ("definition", CALLED, {}, '"line": 810, "character": 1'),
    ("declaration", SUM, {}, '"line": 788, "character": 12'),
    ("declaration", "mov.u64 \t%rd6, oper|ations;", {}, '"line": 94'),
    ("typeDefinition", SUM, {}, '"line": 788, "character": 12'),
    ("typeDefinition", CALLED, {}, '"line": 810'),
    ("implementation", DECLARED, {}, '"line": 100, "character": 34'),
    ("references", SUM, {"context": DECLARATION}, *(f'"line": {n}' for n in (788, 793, 796))),
    ("references", DECLARED, {"context": DECLARATION}, '"line": 12', '"line": 94', '"line": 100'),
    ("documentHighlight", SUM, {}, '"line": 793', '"kind": 3', '"line": 821'),
    ("linkedEditingRange", ".param .b32 para|m0;", {}, "wordPattern"),
    ("prepareRename", SUM, {}, '"placeholder": "%rd2"'),
    ("rename", SUM, {"newName": "%base"}, ".reg .b64 %base;", '"line": 821'),
    ("rename", CALLED, {"newName": "binary"}, '"line": 810', '"line": 817'),
    ("signatureHelp", SUM, {}, "add.s64 d, a, b", '"activeParameter": 1'),
    ("completion", "add.s64 \t%rd4, %|rd2", {}, '"label": "%rd2"', '"label": "%rd9"'),
    ("completion", "add.|s64 \t%rd4", {}, '"label": ".s64"', ".f32x2", "needs PTX ISA"),
    ("onTypeFormatting", "%rd4, %rd2, %rd3;|", {"ch": ";", "options": LAYOUT}, "add.s64      "),
]


@pytest.mark.parametrize(("method", "marked", "more", "expected"), [
    (method, marked, more, expected) for method, marked, more, *expected in AT_PLACES
])  # fmt: skip
def test_places(
    calls: Session, method: str, marked: str, more: Message, expected: list[str]
) -> None:
    check_said(calls.ask(f"textDocument/{method}", marked, **more), *expected)


def test_calls(calls: Session) -> None:
    (item,) = calls.ask("textDocument/prepareCallHierarchy", DECLARED)
    assert item["detail"] == "add(float, float) (device function)"
    found = calls.client.request("callHierarchy/incomingCalls", {"item": item})
    check_said([each["from"]["name"] for each in found], "_Z5applyPfi")
    (item,) = calls.ask("textDocument/prepareCallHierarchy", ".visible .entry _Z5apply|Pfi(")
    found = calls.client.request("callHierarchy/outgoingCalls", {"item": item})
    check_said([each["to"]["name"] for each in found], "_Z3addff", "_Z8multiplyff", "_Z5powerff")


def test_what_lists_the_document(calls: Session, lines: Session) -> None:
    check_said(calls.ask("textDocument/documentSymbol"), "_Z5applyPfi", "apply(float*, int)")
    check_said(calls.ask("textDocument/foldingRange"), '"startLine": 785')
    check_said(
        calls.ask("textDocument/selectionRange", positions=[calls.place(SUM)]),
        '"line": 796, "character": 16',
        '"line": 844',
    )
    whole = calls.ask("textDocument/semanticTokens/full")
    assert len(whole["data"]) > len(calls.text.splitlines()) * 5
    again = calls.ask("textDocument/semanticTokens/full/delta", previousResultId=whole["resultId"])
    assert again["edits"] == []
    part = calls.ask("textDocument/semanticTokens/range", range=calls.lines(SUM))
    assert 0 < len(part["data"]) < len(whole["data"])
    client = lines.client
    hints = lines.ask("textDocument/inlayHint", range=lines.lines(".loc\t1 23 0|"))
    check_said(hints, "hopper.cu:23", "threadIdx.x")
    register = next(each for each in hints if each["label"] == "threadIdx.x")
    check_said(client.request("inlayHint/resolve", register), "tooltip")
    (lens, *_) = calls.ask("textDocument/codeLens")
    check_said(client.request("codeLens/resolve", lens), "needs", "sm_")
    (link, *_) = lines.ask("textDocument/documentLink")
    check_said(client.request("documentLink/resolve", link), "hopper.cu was not found")


def test_changes(calls: Session) -> None:
    whole = calls.ask("textDocument/formatting", options=LAYOUT)
    part = calls.ask("textDocument/rangeFormatting", range=calls.lines(SUM, 3), options=LAYOUT)
    parts = calls.ask("textDocument/rangesFormatting", ranges=[calls.lines(SUM, 3)], options=LAYOUT)
    assert len(whole) > len(part) == len(parts)
    check_said(part, "    add.s64             ")
    assert not calls.ask("textDocument/willSaveWaitUntil", reason=1)  # not switched on
    place = calls.place("st.param.f32 \t[param0+|0], %f4")
    area = {"start": place, "end": place}
    found = calls.ask("textDocument/codeAction", range=area, context={"diagnostics": []})
    assert found is not None
    area = {"start": calls.place(SUM), "end": calls.place(SUM)}
    found = calls.ask("textDocument/codeAction", range=area, context={"diagnostics": []})
    split = next(each for each in found if each["title"].startswith("Declare `%rd2` separately"))
    check_said(calls.client.request("codeAction/resolve", split), ".reg .b64 %rd_2;")
    (item, *_) = calls.ask("textDocument/completion", "add.|s64 \t%rd4")["items"]
    check_said(calls.client.request("completionItem/resolve", item), "documentation")


def test_findings(calls: Session, lines: Session) -> None:
    found = lines.ask("textDocument/diagnostic")
    check_said(found, "setmaxnreg", "ignored-instruction", "codeDescription")
    again = lines.ask("textDocument/diagnostic", previousResultId=found["resultId"])
    assert again["kind"] == "unchanged"
    client = calls.client
    check_said(client.request("workspace/diagnostic", {"previousResultIds": []}), "setmaxnreg")
    check_said(client.request("workspace/symbol", {"query": "apply(float"}), "_Z5applyPfi")
    command = {"command": "ptx.requirements", "arguments": [calls.uri]}
    check_said(client.request("workspace/executeCommand", command), '"forced_by"', "sm_20")


def test_every_request_is_asked_here() -> None:
    text = Path(__file__).read_text(encoding="utf-8")
    names = {method.removeprefix("textDocument/") for method in REQUESTS}
    assert sorted(name for name in names if f'{name}"' not in text) == []
