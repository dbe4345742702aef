"""Code actions on the wire: in every form that a client may take, and never on an older text."""

from __future__ import annotations

from typing import Any

import pytest

from tests.server.client import URI, Client, Message, ServerError, edit

pytestmark = pytest.mark.slow

TEXT = """\
.version 8.3
.target sm_80
.address_size 64
.entry k(.param .u64 p)
{
    .reg .b32 %r<9>;
    .reg .b16 %s<2>;
    .reg .b64 %rd<9>;
    ld.u32.global %r1, [%rd1]; /* é😀 */
    ld.u32.global %r2, [%rd1];
    mov.u32 %r1, 0xFF;
    mov.u32 %r1, %q;
    .loc 1 2 3
    ret;
}
"""
RICH: Message = {
    "textDocument": {
        "codeAction": {
            "codeActionLiteralSupport": {"codeActionKind": {"valueSet": []}},
            "isPreferredSupport": True,
            "disabledSupport": True,
            "dataSupport": True,
            "resolveSupport": {"properties": ["edit"]},
        }
    },
    "workspace": {"workspaceEdit": {"documentChanges": True}},
    "experimental": {"commands": {"commands": ["ptx.explainRule"]}},
}
PLAIN: Message = {
    "textDocument": {
        "codeAction": {"codeActionLiteralSupport": {"codeActionKind": {"valueSet": []}}}
    }
}
ORDER, LITERAL, NAME, LOC, VERSION = (8, 6), (10, 19), (11, 18), (12, 6), (0, 10)


def checked(client: Client, text: str = TEXT) -> list[Message]:
    """Opens a text and waits for its diagnostics."""
    client.open(text)
    found: list[Message] = client.notification("textDocument/publishDiagnostics")["diagnostics"]
    return found


def actions(
    client: Client,
    place: tuple[int, int],
    diagnostics: list[Message] | None = None,
    **context: Any,  # noqa: ANN401
) -> list[Message]:
    """The actions that are offered at a place."""
    line, character = place
    point = {"line": line, "character": character}
    params = {
        "textDocument": {"uri": URI},
        "range": {"start": point, "end": point},
        "context": {"diagnostics": diagnostics or [], **context},
    }
    found: list[Message] = client.request("textDocument/codeAction", params)
    return found


def titled(found: list[Message], title: str) -> Message:
    """The only action with a title that begins so."""
    (action,) = (each for each in found if each["title"].startswith(title))
    return action


def applied(edits: list[Message], text: str = TEXT) -> str:
    """A text with edits applied."""
    units = [line.encode("utf-16-le") for line in text.splitlines(keepends=True)]
    for each in sorted(edits, key=lambda it: _place(it, "start"), reverse=True):
        (line, start), (last, end) = _place(each, "start"), _place(each, "end")
        units += [b""] * (last + 1 - len(units))
        new = units[line][: 2 * start] + each["newText"].encode("utf-16-le")
        units[line : last + 1] = [new + units[last][2 * end :]]
    return b"".join(units).decode("utf-16-le")


def _place(each: Message, end: str) -> tuple[int, int]:
    place = each["range"][end]
    return place["line"], place["character"]


def changes(action: Message) -> str:
    """The text after an action of a client that takes versioned edits."""
    (change,) = action["edit"]["documentChanges"]
    assert change["textDocument"] == {"uri": URI, "version": 0}
    return applied(change["edits"])


def resolved(client: Client, action: Message) -> str:
    """The text after an action whose edits are made when it is chosen."""
    assert "edit" not in action
    return changes(client.request("codeAction/resolve", action))


def test_an_action_with_its_edits_is_resolved_to_itself() -> None:
    """Neovim resolves whatever it applies."""
    with Client() as client:
        client.initialize(RICH)
        checked(client)
        decimal = titled(actions(client, LITERAL), "Convert to decimal: `255`")
        assert decimal["edit"]
        assert client.request("codeAction/resolve", decimal) == decimal


def test_quick_fixes() -> None:
    with Client() as client:
        client.initialize(RICH)
        diagnostics = checked(client)
        mine = [it for it in diagnostics if it["range"]["start"]["line"] == ORDER[0]]
        found = actions(client, ORDER, mine)
        fix = titled(found, "Write `ld.global.u32`")
        assert fix["kind"] == "quickfix"
        assert fix["isPreferred"]
        assert [it["code"] for it in fix["diagnostics"]] == ["modifier-order"]
        once = TEXT.replace("u32.global %r1", "global.u32 %r1")
        assert changes(fix) == once
        everywhere = titled(found, "Fix all `modifier-order`")
        assert resolved(client, everywhere) == TEXT.replace("u32.global", "global.u32")
        quiet = titled(found, "Ignore `modifier-order` here")
        assert changes(quiet) == TEXT.replace("*/", "*/ // ptx-ls: ignore[modifier-order]")
        wide = titled(found, "Ignore `modifier-order` in this file")
        assert changes(wide) == f"// ptx-ls: ignore-file[modifier-order]\n{TEXT}"
        of_function = titled(found, "Ignore `modifier-order` in this function")
        assert "// ptx-ls: ignore-function[modifier-order]\n" in changes(of_function)
        assert [it["title"][:6] for it in found[-3:]] == ["Ignore"] * 3
        explain = titled(found, "Explain")["command"]
        assert (explain["command"], explain["arguments"]) == ("ptx.explainRule", ["modifier-order"])


def test_refactorings() -> None:
    with Client() as client:
        client.initialize(RICH)
        checked(client)
        found = actions(client, LITERAL)
        assert changes(titled(found, "Convert to decimal")) == TEXT.replace("0xFF", "255")
        removal = titled(actions(client, LOC), "Remove `.loc` from `k`")
        assert resolved(client, removal) == TEXT.replace("    .loc 1 2 3\n", "")
        split = titled(actions(client, (10, 13)), "Declare `%r1` separately")
        expected = TEXT.replace("%r1", "%r_1").replace("%r<9>;\n", "%r<9>;\n    .reg .b32 %r_1;\n")
        assert resolved(client, split) == expected
        lowered = titled(actions(client, VERSION), "Lower `.version` from 8.3 to 7.0")
        assert changes(lowered) == TEXT.replace("8.3", "7.0")


def test_disabled_actions_say_why() -> None:
    text = TEXT.replace("%s<2>", "%s<99>")
    for capabilities, n_shown in ((RICH, 1), (PLAIN, 0)):
        with Client() as client:
            client.initialize(capabilities)
            checked(client, text)
            found = [it for it in actions(client, (6, 6)) if it["title"].startswith("Expand")]
            assert [it["disabled"]["reason"] for it in found] == (
                ["99 names are too many to list"] * n_shown
            )


@pytest.mark.parametrize(
    ("only", "kinds"),
    [
        (["quickfix"], {"quickfix"}),
        (["refactor"], {"refactor.rewrite", "refactor.extract"}),
        (["refactor.extract"], {"refactor.extract"}),
        (["refactor.inline", "nothing"], set()),
        (["source"], {"source.fixAll.ptx", "source.organize.ptx"}),
        (["source.fixAll"], {"source.fixAll.ptx"}),
        (["sourc"], set()),
        (None, {"quickfix", "refactor.rewrite", "refactor.extract"}),
    ],
)
def test_kinds(only: list[str] | None, kinds: set[str]) -> None:
    with Client() as client:
        client.initialize(RICH)
        checked(client)
        context: Message = {} if only is None else {"only": only}
        places = ORDER, LITERAL, (10, 13)
        found = [it for place in places for it in actions(client, place, [], **context)]
        assert {it["kind"] for it in found} == kinds


@pytest.mark.parametrize("capabilities", [RICH, PLAIN])
def test_the_whole_file(capabilities: Message) -> None:
    """A client that cannot wait gets the edits at once."""
    with Client() as client:
        client.initialize(capabilities)
        checked(client)
        found = actions(client, (0, 0), only=["source"])
        if capabilities is RICH:
            found = [client.request("codeAction/resolve", it) for it in found]
            edits = [it["edit"]["documentChanges"][0]["edits"] for it in found]
        else:
            edits = [it["edit"]["changes"][URI] for it in found]
        fixed, organized = edits
        assert applied(fixed) == TEXT.replace("u32.global", "global.u32")
        assert len(fixed) == 2
        short, long = "    .reg .b16 %s<2>;\n", "    .reg .b32 %r<9>;\n"
        assert applied(organized) == TEXT.replace(long + short, short + long)


def test_a_client_that_knows_commands_only() -> None:
    asked: list[Message] = []

    def apply(params: Message) -> Message:
        asked.append(params["edit"])
        return {"applied": True}

    with Client(answers={"workspace/applyEdit": apply}) as client:
        client.initialize()
        checked(client)
        found = actions(client, ORDER)
        command = titled(found, "Write")
        assert command["command"] == "ptx.applyCodeAction"
        params = {"command": command["command"], "arguments": command["arguments"]}
        assert client.request("workspace/executeCommand", params) == {"applied": True}
        assert applied(asked[0]["changes"][URI]) == TEXT.replace("u32.global %r1", "global.u32 %r1")
        with pytest.raises(ServerError):
            client.request("workspace/executeCommand", {**params, "arguments": [{"uri": URI}]})


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        ({"applied": False, "failureReason": "read only"}, {"applied": False}),
        (None, "the editor did not apply the edit"),
        ("done", "the editor did not apply the edit"),
        ({"code": -32603, "message": "no such buffer"}, "the edit: no such buffer"),
    ],
)
def test_an_edit_that_the_client_does_not_take(answer: Any, expected: Any) -> None:  # noqa: ANN401
    def apply(_params: Message) -> Any:  # noqa: ANN401
        if isinstance(answer, dict) and "code" in answer:
            raise ServerError(answer)
        return answer

    with Client(answers={"workspace/applyEdit": apply}) as client:
        client.initialize()
        checked(client)
        command = titled(actions(client, ORDER), "Write")
        params = {"command": command["command"], "arguments": command["arguments"]}
        try:
            assert client.request("workspace/executeCommand", params) == expected
        except ServerError as error:
            assert error.args[0]["code"] == -32803  # noqa: PT017
            assert expected in error.args[0]["message"]  # noqa: PT017


def test_what_was_listed_for_another_text() -> None:
    with Client() as client:
        client.initialize(RICH)
        diagnostics = checked(client)
        removal = titled(actions(client, LOC), "Remove `.loc` from `k`")
        client.change(1, edit((0, 0), (0, 0), "\n"))
        with pytest.raises(ServerError, match="changed"):
            client.request("codeAction/resolve", removal)
        old = [it for it in diagnostics if it["code"] == "undeclared-register"]
        found = actions(client, (NAME[0] + 1, NAME[1]), old)  # waits for fresh ones
        quiet = titled(found, "Ignore `undeclared-register` here (ptxas still rejects the file)")
        (change,) = quiet["edit"]["documentChanges"]
        assert change["textDocument"]["version"] == 1
        assert change["edits"][0]["range"]["start"]["line"] == NAME[0] + 1


def test_odd_requests() -> None:
    with Client() as client:
        client.initialize(RICH)
        assert actions(client, (0, 0)) is None
        checked(client)
        assert isinstance(actions(client, (99, 99)), list)
        odd: list[object] = [None, 3, {"uri": URI}, {"uri": URI, "version": 0, "area": [1],
                             "source": "fix", "title": "", "name": ""}]  # fmt: skip
        for data in odd:
            found = client.request("codeAction/resolve", {"title": "x", "data": data})
            assert found["title"] == "x"
            assert "edit" not in found


@pytest.mark.parametrize("n_more", [0, 3000])
def test_what_the_user_asks_for_is_checked_at_once(n_more: int) -> None:
    """So is the edited function after each edit, which a client receives without a delay."""
    line, column = ORDER
    lines = TEXT.splitlines(keepends=True)
    lines[line + 1 : line + 1] = ["    // a comment\n"] * n_more
    with Client() as client:
        client.initialize(RICH, initializationOptions={"diagnostics": {"delay": 60_000}})
        client.open("".join(lines))
        client.notification("textDocument/publishDiagnostics")
        client.change(1, edit((line, column), (line, column), "  "))
        shown = {"range": _range(line, column), "message": "old", "code": "modifier-order"}
        place = line, column + 4
        assert titled(actions(client, place, [shown], triggerKind=1), "Write `ld.global.u32`")
        client.notification("textDocument/publishDiagnostics")
        assert titled(actions(client, place, [shown], triggerKind=2), "Write `ld.global.u32`")


def _range(line: int, column: int) -> Message:
    place = {"line": line, "character": column}
    return {"start": place, "end": place}


GUESS = TEXT.replace("ld.u32.global", "ld.u32.globl", 1)


def test_a_guess_is_never_preferred_and_no_part_of_fix_all() -> None:
    with Client() as client:
        client.initialize(RICH)
        (wrong,) = (it for it in checked(client, GUESS) if it["code"] == "unknown-modifier")
        start = wrong["range"]["start"]
        found = actions(client, (start["line"], start["character"]), [wrong])
        guesses = [it for it in found if it["title"].startswith("Replace with ")]
        assert guesses
        assert not any(it.get("isPreferred") for it in found)
        assert {it["kind"] for it in guesses} == {"quickfix"}
        (fix_all,) = actions(client, (0, 0), only=["source.fixAll"])
        (change,) = client.request("codeAction/resolve", fix_all)["edit"]["documentChanges"]
        assert "ld.u32.globl" in applied(change["edits"], GUESS)


@pytest.mark.parametrize("text", [f"{TEXT}}}\n", f"{TEXT}ret ]\n"])
def test_fix_all_leaves_alone_what_does_not_read_as_ptx(text: str) -> None:
    with Client() as client:
        client.initialize(RICH)
        checked(client, text)
        (fix_all,) = actions(client, (0, 0), only=["source.fixAll"])
        edit = client.request("codeAction/resolve", fix_all)["edit"]
        assert not any(change["edits"] for change in edit["documentChanges"])
        told = client.notification("window/showMessage")["message"]
        assert told.startswith("ptx-ls: not fixed, because it cannot be parsed as PTX: ")
