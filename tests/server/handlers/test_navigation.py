"""Moving around: what a client is sent for definitions, declarations and the like."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from ptx_ls.source import uris
from tests.server.client import URI, Client, at
from tests.support.fixture import parse_fixture

pytestmark = pytest.mark.slow

LINKS = {
    "textDocument": {
        name: {"linkSupport": True}
        for name in ("definition", "declaration", "typeDefinition", "implementation")
    }
}
TEXT = """\
.version 8.0
.target sm_80
.address_size 64
.func f(.param .b32 x);
.entry k() {
    .reg .b32 %r<9>;
    mov.u32 %r1, 1;
    st.u32 [%r2], %r1;
    call f, (%r1);
}
.func f(.param .b32 x) { ret; }
"""
USE, CALL = (7, 18), (8, 9)


def check_answer(client: Client, feature: str, place: tuple[int, int], expected: list[Any]) -> None:
    """Asks at a place of `TEXT`; ranges are `first line, column, last line, column`."""
    assert [_flat(found) for found in client.ask(feature, *place)] == expected


def _flat(found: Any) -> Any:  # noqa: ANN401
    if isinstance(found, dict) and set(found) == {"start", "end"}:
        return [found[end][axis] for end in ("start", "end") for axis in ("line", "character")]
    if isinstance(found, dict):
        return {key: _flat(value) for key, value in found.items()}
    return found


def test_locations_where_links_are_unknown() -> None:
    with Client() as client:
        client.initialize()
        client.open(TEXT)
        check_answer(client, "definition", USE, [{"uri": URI, "range": [6, 12, 6, 15]}])
        check_answer(client, "declaration", USE, [{"uri": URI, "range": [5, 14, 5, 16]}])
        check_answer(client, "typeDefinition", USE, [{"uri": URI, "range": [5, 14, 5, 16]}])
        check_answer(client, "declaration", CALL, [{"uri": URI, "range": [3, 6, 3, 7]}])
        check_answer(client, "implementation", CALL, [{"uri": URI, "range": [10, 6, 10, 7]}])


def test_links_where_they_are_known() -> None:
    with Client() as client:
        client.initialize(LINKS)
        client.open(TEXT)
        expected = {
            "originSelectionRange": [7, 18, 7, 21],
            "targetUri": URI,
            "targetRange": [6, 4, 6, 19],
            "targetSelectionRange": [6, 12, 6, 15],
        }
        check_answer(client, "definition", USE, [expected])
        for feature in ("declaration", "typeDefinition"):
            (found,) = client.ask(feature, *USE)
            assert _flat(found["targetRange"]) == [5, 4, 5, 20]
        (found,) = client.ask("implementation", *CALL)
        assert _flat(found["targetSelectionRange"]) == [10, 6, 10, 7]


@pytest.mark.parametrize("capabilities", [{}, LINKS])
def test_the_source_of_a_location(tmp_path: Path, capabilities: object) -> None:
    source = tmp_path / "a b.cu"
    source.write_text("int x;\n" * 9)
    fixture = parse_fixture('.file 1 "a b.cu"\n.file 2 "gone.cu"\n.loc 1 <|>7 3\n.loc 2 7 3\n')
    uri = uris.from_path(str(tmp_path / "k.ptx"))
    with Client() as client:
        client.initialize(capabilities)
        client.open(fixture.text, uri)
        found = []
        for line in (2, 3, 0, 1):
            params = {**at(line, 6), "textDocument": {"uri": uri}}
            found += client.request("textDocument/definition", params)
        keys = ("targetUri", "targetRange") if capabilities else ("uri", "range")
        there = uris.from_path(str(source))
        assert [(each[keys[0]], _flat(each[keys[1]])) for each in found] == [
            (there, [6, 2, 6, 2]),
            (uri, [1, 0, 1, 17]),
            (there, [0, 0, 0, 0]),
        ]


def test_a_label_that_debug_data_names() -> None:
    text = ".func f() {\n$begin:\n\tret;\n}\n.section .debug_info {\n\t.b64 $begin\n}\n"
    with Client() as client:
        client.initialize()
        client.open(text)
        check_answer(client, "definition", (5, 8), [{"uri": URI, "range": [1, 0, 1, 6]}])


def test_references_of_a_long_file() -> None:
    many = 9000
    body = "".join(f"    mov.u32 %r1, {n};\n    st.global.u32 [v], %r1;\n" for n in range(many))
    text = ".global .u32 v;\n.entry k() {\n    .reg .b32 %r<9>;\n" + body + "}\n"
    with Client() as client:
        client.initialize()
        client.open(text)
        params = {**at(0, 13), "context": {"includeDeclaration": True}}
        started = client.start_request("textDocument/references", params)
        assert client.ask("hover", 2, 15) is not None  # answered in between
        found = client.response(started)["result"]
        assert len(found) == many + 1
        assert [each["range"]["start"]["line"] for each in found[:3]] == [0, 4, 6]


@pytest.mark.parametrize("feature", ["declaration", "typeDefinition", "implementation"])
def test_a_document_that_is_not_open(feature: str) -> None:
    with Client() as client:
        client.initialize()
        assert client.ask(feature, 0, 0) is None
