"""Settings of everything and of each folder, as a client has them and changes them."""

from __future__ import annotations

import re
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from tests.server.client import Client, Message
from tests.server.folder import HEADER, enter, uri_of, write

pytestmark = pytest.mark.slow

BAD = HEADER + ".entry k() { rat; }\n"
IGNORE: Message = {"lint": {"ignore": ["unknown-opcode"]}, "diagnostics": {"delay": 1}}
TELL: Message = {"diagnostics": {"delay": 1}}
PUBLISH = "textDocument/publishDiagnostics"
CHANGED = "workspace/didChangeConfiguration"


class User:
    """Settings: for everything under "", and for folders by their URIs."""

    def __init__(self, **of_folders: Any) -> None:  # noqa: ANN401
        self.settings: dict[str, Any] = of_folders
        self.asked: list[list[str]] = []

    def answer(self, params: Message) -> list[Any]:
        assert {item["section"] for item in params["items"]} == {"ptx"}
        scopes = [item.get("scopeUri", "") for item in params["items"]]
        self.asked.append([Path(scope).name for scope in scopes])
        return [self.settings.get(Path(scope).name) for scope in scopes]


def _same(answer: object, _params: object) -> object:
    return answer


def session(user: User, *folders: Path, **able: Any) -> Client:  # noqa: ANN401
    client = Client(answers={"workspace/configuration": user.answer})
    capabilities = {"workspace": {"configuration": True, "workspaceFolders": True, **able}}
    enter(client, *folders, capabilities=capabilities)
    client.server_request("workspace/configuration")
    return client


def check_told(client: Client, folder: Path, **expected: int) -> None:
    """Checks how many diagnostics are told last of each document."""
    wanted = {uri_of(folder, f"{name.replace('__', '/')}.ptx"): n for name, n in expected.items()}
    told: dict[str, int] = {}
    while told != wanted:  # what was open before the answer came is told twice
        params = client.notification(PUBLISH)
        told[params["uri"]] = len(params["diagnostics"])


def open_all(client: Client, folder: Path, *names: str) -> None:
    for name in names:
        client.open(BAD, uri_of(folder, f"{name}.ptx"))


def test_each_folder_has_its_own_settings(tmp_path: Path) -> None:
    user = User(a=IGNORE, b=TELL)
    with session(user, tmp_path / "a", tmp_path / "b") as client:
        open_all(client, tmp_path, "a/k", "b/k", "loose")
        check_told(client, tmp_path, a__k=0, b__k=1, loose=1)
        assert user.asked == [["", "a", "b"]]


def test_the_innermost_folder_counts_and_names_that_only_begin_alike_do_not(tmp_path: Path) -> None:
    user = User(a=TELL, inner=IGNORE)
    with session(user, tmp_path / "a", tmp_path / "a" / "inner") as client:
        open_all(client, tmp_path, "a/k", "a/inner/k", "a/inner2/k")
        check_told(client, tmp_path, a__k=1, a__inner__k=0, a__inner2__k=1)


def test_a_folder_without_settings_has_those_of_everything(tmp_path: Path) -> None:
    with session(User(**{"": IGNORE, "b": TELL}), tmp_path / "a", tmp_path / "b") as client:
        open_all(client, tmp_path, "a/k", "b/k")
        check_told(client, tmp_path, a__k=0, b__k=1)


def test_a_change_in_one_folder_is_taken_live(tmp_path: Path) -> None:
    user = User(a=TELL, b=TELL)
    with session(user, tmp_path / "a", tmp_path / "b") as client:
        open_all(client, tmp_path, "a/k", "b/k")
        check_told(client, tmp_path, a__k=1, b__k=1)
        user.settings["a"] = IGNORE
        client.notify(CHANGED, {"settings": None})
        check_told(client, tmp_path, a__k=0)
        open_all(client, tmp_path, "b/other")  # the other folder's document was not told again
        check_told(client, tmp_path, b__other=1)


def test_pushed_settings_count_in_all_folders_until_the_client_is_asked(tmp_path: Path) -> None:
    with session(User(a=TELL), tmp_path / "a") as client:
        open_all(client, tmp_path, "a/k")
        check_told(client, tmp_path, a__k=1)
        client.notify(CHANGED, {"settings": {"ptx": IGNORE}})
        check_told(client, tmp_path, a__k=0)
        client.notify(CHANGED, {"settings": {}})
        check_told(client, tmp_path, a__k=1)


def test_settings_that_the_user_removes_are_those_of_the_start_again(tmp_path: Path) -> None:
    user = User(**{"": IGNORE, "a": None})
    with Client(answers={"workspace/configuration": user.answer}) as client:
        able = {"workspace": {"configuration": True}}
        enter(client, tmp_path / "a", capabilities=able, initializationOptions=TELL)
        client.server_request("workspace/configuration")
        open_all(client, tmp_path, "a/k")
        check_told(client, tmp_path, a__k=0)
        user.settings[""] = None
        client.notify(CHANGED, {"settings": None})
        check_told(client, tmp_path, a__k=1)


def test_a_folder_that_is_added_brings_its_settings(tmp_path: Path) -> None:
    user = User(**{"": TELL, "b": IGNORE})
    with session(user, tmp_path / "a") as client:
        open_all(client, tmp_path, "b/k")
        check_told(client, tmp_path, b__k=1)
        folder = {"uri": (tmp_path / "b").as_uri(), "name": "b"}
        changed = "workspace/didChangeWorkspaceFolders"
        client.notify(changed, {"event": {"added": [folder], "removed": []}})
        check_told(client, tmp_path, b__k=0)
        client.notify(changed, {"event": {"added": [], "removed": [folder]}})
        check_told(client, tmp_path, b__k=1)
        assert user.asked == [["", "a"], ["", "a", "b"], ["", "a"]]


def test_answers_that_are_too_short_or_no_settings(tmp_path: Path) -> None:
    answers: list[Any] = [[], None, 3, [3], [TELL], ["a", "b", "c"]]
    for answer in answers:
        with Client(answers={"workspace/configuration": partial(_same, answer)}) as client:
            able = {"workspace": {"configuration": True}}
            enter(client, tmp_path / "a", tmp_path / "b", capabilities=able)
            client.server_request("workspace/configuration")
            open_all(client, tmp_path, "a/k")
            check_told(client, tmp_path, a__k=1)
            assert client.leave() == 0
    with Client(answers={"workspace/configuration": partial(_same, [])}) as client:
        client.initialize({"workspace": {"configuration": True}})  # no folders
        client.server_request("workspace/configuration")
        assert client.leave() == 0
        assert client.process.stderr is not None
        assert client.process.stderr.read() == b""


def test_a_wrong_setting_of_several_folders_is_shown_once(tmp_path: Path) -> None:
    wrong = {"diagnostics": {"delay": "soon"}}
    with session(User(a=wrong, b=wrong), tmp_path / "a", tmp_path / "b") as client:
        open_all(client, tmp_path, "a/k")
        check_told(client, tmp_path, a__k=1)
        assert "`ptx.diagnostics.delay`" in client.notification("window/showMessage")["message"]
        assert client.leave() == 0
        assert "window/showMessage" not in [message["method"] for message in client.unread]


def test_hints_lenses_and_layout_are_those_of_the_folder(tmp_path: Path) -> None:
    off = {
        "inlayHints": {"specialRegisters": False},
        "codeLens": {"requirements": False},
        "format": {"indent": 2},
    }
    text = HEADER + ".entry k()\n{\n.reg .b32 %r<9>;\nmov.u32 %r2, %tid.x;\nret;\n}\n"
    user = User(a=off)
    with session(user, tmp_path / "a", tmp_path / "b") as client:
        seen = {}
        for name in ("a", "b"):
            uri = uri_of(tmp_path, f"{name}/k.ptx")
            client.open(text, uri)
            document = {"textDocument": {"uri": uri}}
            whole = {"start": {"line": 0, "character": 0}, "end": {"line": 9, "character": 0}}
            hints = client.request("textDocument/inlayHint", {**document, "range": whole})
            lenses = client.request("textDocument/codeLens", document)
            layout = {**document, "options": {"tabSize": 4, "insertSpaces": True}}
            edits = client.request("textDocument/formatting", layout)
            (indent,) = re.findall("^( *)ret;", edits[0]["newText"], re.MULTILINE)
            seen[name] = len(hints), len(lenses), len(indent)
        assert seen == {"a": (0, 1, 2), "b": (1, 2, 4)}


def test_files_that_are_not_open_are_pushed_in_the_folders_that_want_it(tmp_path: Path) -> None:
    for name in ("a", "b"):
        write(tmp_path, **{f"{name}__k": ".entry k() { rat; }\n"})
    wanted = {"diagnostics": {"workspace": True}}
    user = User(a=wanted)
    with session(user, tmp_path / "a", tmp_path / "b") as client:
        check_told(client, tmp_path, a__k=1)
        user.settings = {"b": wanted}
        client.notify(CHANGED, {"settings": None})
        check_told(client, tmp_path, a__k=0, b__k=1)


def test_a_client_that_pulls_is_told_once_to_pull_again(tmp_path: Path) -> None:
    user = User(a=TELL)
    able = {"configuration": True, "diagnostics": {"refreshSupport": True}}
    with Client(answers={"workspace/configuration": user.answer}) as client:
        capabilities = {
            "workspace": able,
            "textDocument": {"diagnostic": {}, "publishDiagnostics": {}},
        }
        offered = enter(client, tmp_path / "a", capabilities=capabilities)["capabilities"]
        assert "diagnosticProvider" in offered
        client.server_request("workspace/configuration")
        uri = uri_of(tmp_path, "a/k.ptx")
        pull = {"textDocument": {"uri": uri}}
        open_all(client, tmp_path, "a/k", "a/l")
        assert len(client.request("textDocument/diagnostic", pull)["items"]) == 1
        client.asked.clear()
        user.settings["a"] = IGNORE
        client.notify(CHANGED, {"settings": None})
        client.server_request("workspace/diagnostic/refresh")
        assert client.request("textDocument/diagnostic", pull)["items"] == []
        assert client.asked.count("workspace/diagnostic/refresh") == 1


def test_a_client_that_cannot_be_told_to_pull_again_is_pushed_to(tmp_path: Path) -> None:
    user = User(**{"": TELL})
    with Client(answers={"workspace/configuration": user.answer}) as client:
        capabilities = {
            "workspace": {"configuration": True},
            "textDocument": {"diagnostic": {}, "publishDiagnostics": {}},
        }
        offered = enter(client, capabilities=capabilities)["capabilities"]
        assert "diagnosticProvider" not in offered
        open_all(client, tmp_path, "k")
        check_told(client, tmp_path, k=1)
        user.settings[""] = IGNORE
        client.notify(CHANGED, {"settings": None})
        check_told(client, tmp_path, k=0)
