from collections.abc import Iterator

import pytest

from ptx_ls.source.lines import split_lines
from tests.server.client import URI, Client, Message, at
from tests.support.fixture import parse_fixture

pytestmark = pytest.mark.slow

# The comment takes 8 columns in UTF-32, 9 in UTF-16 and 13 in UTF-8.
WIDE = "/*😀é€*/"
KERNEL = (
    ".version 8.0\n.target sm_80\n.address_size 64\n"
    f".entry kernel()\n{{\n\t.reg .b32 {WIDE} %r<9>;\n\tSTATEMENT\n}}\n"
)
BYTES = {"utf-8": ("utf-8", 1), "utf-16": ("utf-16-le", 2), "utf-32": ("utf-32-le", 4)}


class Editor:
    """A client that shows one document, and reads ranges in it as the text they hold."""

    def __init__(self, client: Client, encoding: str) -> None:
        self.client = client
        self._encoding = encoding
        self._lines: list[str] = []

    def show(self, statement: str) -> tuple[int, int]:
        """Opens a kernel with a statement in it, and returns the place of its cursor."""
        fixture = parse_fixture(KERNEL.replace("STATEMENT", statement))
        self._lines = split_lines(fixture.text)
        self.client.open(fixture.text)
        cursor = fixture.cursor
        return cursor.line, self._units(self._lines[cursor.line][: cursor.column])

    def text(self, area: Message) -> str:
        start, end = area["start"], area["end"]
        assert start["line"] == end["line"]
        line: str = self._lines[start["line"]]
        columns = {self._units(line[:column]): column for column in range(len(line) + 1)}
        return line[columns[start["character"]] : columns[end["character"]]]

    def _units(self, text: str) -> int:
        name, width = BYTES[self._encoding]
        return len(text.encode(name)) // width


@pytest.fixture(scope="module", params=list(BYTES))
def editor(request: pytest.FixtureRequest) -> Iterator[Editor]:
    with Client() as client:
        item = {"documentationFormat": ["markdown"]}
        client.initialize(
            {
                "general": {"positionEncodings": [request.param]},
                "textDocument": {"completion": {"completionItem": item}},
            }
        )
        yield Editor(client, request.param)
        assert client.leave() == 0


def check_hover(editor: Editor, statement: str, expected: str | None, part: str = "") -> None:
    """Checks what a hover is about, and that it says something of it."""
    found = editor.client.ask("hover", *editor.show(statement))
    assert (editor.text(found["range"]) if found else None) == expected
    if found:
        assert found["contents"]["kind"] == "markdown"
        assert part in found["contents"]["value"]


def check_locations(editor: Editor, feature: str, statement: str, *expected: str) -> None:
    """Checks the texts of the places that a request leads to."""
    params = at(*editor.show(statement))
    if feature == "references":
        params["context"] = {"includeDeclaration": True}
    found = editor.client.request(f"textDocument/{feature}", params)
    assert all(place["uri"] == URI for place in found)
    assert [editor.text(place["range"]) for place in found] == list(expected)


def test_hover(editor: Editor) -> None:
    check_hover(editor, f"{WIDE} a<|>dd.s32 %r1, %r2, %r3;", "add", "add")
    check_hover(editor, f"add.s32 {WIDE} %r1, %r<|>2, %r3;", "%r2", ".b32")
    check_hover(editor, f"{WIDE[:3]}<|>{WIDE[3:]}", None)


def test_definition_and_references(editor: Editor) -> None:
    statement = f"mov.b32 %r1, 1; {WIDE} add.s32 %r1, %r<|>1, %r3;"
    check_locations(editor, "definition", statement, "%r1")
    check_locations(editor, "declaration", statement, "%r")
    check_locations(editor, "references", statement, "%r", "%r1", "%r1", "%r1")
    check_locations(editor, "definition", "<|>")


def test_completion_replaces_what_is_typed(editor: Editor) -> None:
    place = editor.show(f"{WIDE} add.s<|>")
    found = editor.client.ask("completion", *place)
    (item,) = [item for item in found["items"] if item["label"] == "s32"]
    assert editor.text(item["textEdit"]["range"]) == "s"
    assert item["textEdit"]["newText"] == "s32"


def test_the_documentation_of_an_opcode_is_given_when_asked_for(editor: Editor) -> None:
    found = editor.client.ask("completion", *editor.show("ad<|>"))
    (item,) = [item for item in found["items"] if item["label"] == "add"]
    assert "documentation" not in item
    resolved = editor.client.request("completionItem/resolve", item)
    assert "**Adds" in resolved["documentation"]["value"]
    assert {**resolved, "documentation": None} == {**item, "documentation": None}


def test_items_share_their_range_where_the_client_knows_that() -> None:
    able = {"completion": {"completionList": {"itemDefaults": ["editRange", "data"]}}}
    with Client() as client:
        client.initialize({"textDocument": able})
        editor = Editor(client, "utf-16")
        found = client.ask("completion", *editor.show("ad<|>"))
        assert editor.text(found["itemDefaults"]["editRange"]) == "ad"
        assert not any("textEdit" in item for item in found["items"])


@pytest.mark.parametrize(
    "feature", ["hover", "completion", "definition", "references", "onTypeFormatting"]
)
def test_a_document_that_is_not_open(editor: Editor, feature: str) -> None:
    params = {**at(0, 0), "textDocument": {"uri": "file:///nowhere.ptx"}}
    if feature == "references":
        params["context"] = {"includeDeclaration": True}
    if feature == "onTypeFormatting":
        params |= {"ch": ";", "options": {"tabSize": 4, "insertSpaces": True}}
    assert editor.client.request(f"textDocument/{feature}", params) is None


def test_a_position_outside_of_the_text(editor: Editor) -> None:
    editor.show("<|>")
    for line, character in ((0, 999), (999, 0), (999, 999)):
        editor.client.ask("hover", line, character)
        editor.client.ask("completion", line, character)
