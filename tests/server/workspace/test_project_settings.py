"""Configuration files in the server: which are read, when, and what the user hears of them."""

from __future__ import annotations

import json
import os
from pathlib import Path
from random import Random
from typing import Any, Self

import pytest

from ptx_ls.cli import main as cli
from ptx_ls.document.document import Document
from ptx_ls.files.configuration.discovery import Configurations
from ptx_ls.files.configuration.exclusion import Exclusion
from ptx_ls.lint import lint
from tests.server.client import Client, Message
from tests.server.folder import CHANGED, HEADER, enter, uri_of, write

pytestmark = pytest.mark.slow

TEXT = ".entry k() { rat; mov.u32 q, 1; }\n"
"""A module with two mistakes: those of `RULES`."""
RULES = ["undeclared-symbol", "unknown-opcode"]
OFF = '[lint]\nignore = ["unknown-opcode"]\n'
LEFT = ["undeclared-symbol"]
WATCHES: Message = {"workspace": {"didChangeWatchedFiles": {"dynamicRegistration": True}}}


class Project:
    """Folders of a workspace, and a client that pulls diagnostics in them."""

    def __init__(self, *folders: Path, settings: object = None, **able: Any) -> None:  # noqa: ANN401
        self.folder = folders[0] if folders else Path()
        self.client = Client()
        enter(
            self.client,
            *folders,
            capabilities={"textDocument": {"diagnostic": {}}, **able},
            initializationOptions=settings,
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.client.__exit__(None, None, None)

    def open(self, path: Path, text: str = TEXT) -> str:
        uri = path.as_uri()
        self.client.open(HEADER + text, uri)
        return uri

    def pull(self, uri: str) -> list[Message]:
        params = {"textDocument": {"uri": uri}}
        found = self.client.request("textDocument/diagnostic", params)["items"]
        assert isinstance(found, list)
        return found

    def told(self, *paths: Path) -> None:
        """Reports changes, as a client that watches files does."""
        changes = [{"uri": each.as_uri(), "type": CHANGED} for each in paths]
        self.client.notify("workspace/didChangeWatchedFiles", {"changes": changes})

    def messages(self) -> list[str]:
        """The messages that the user was shown so far."""
        self.client.request("workspace/symbol", {"query": ""})
        shown = [it for it in self.client.unread if it.get("method") == "window/showMessage"]
        for each in shown:
            self.client.unread.remove(each)
        return [each["params"]["message"] for each in shown]


def check_rules(project: Project, uri: str, *expected: str) -> None:
    """Checks which rules report something about a document."""
    assert sorted({each["code"] for each in project.pull(uri)}) == sorted(expected)


def configure(folder: Path, text: str, name: str = "ptx-ls.toml") -> Path:
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, "utf-8")
    return path


def test_rules_and_severities(tmp_path: Path) -> None:
    configure(tmp_path, OFF + '[lint.severity]\nnames = "hint"\n')
    with Project(tmp_path) as project:
        found = project.pull(project.open(tmp_path / "k.ptx"))
    assert [(each["code"], each["severity"]) for each in found] == [(LEFT[0], 4)]


def test_the_nearest_file_of_two(tmp_path: Path) -> None:
    configure(tmp_path, OFF)
    configure(tmp_path / "near", '[tool.ptx-ls.lint]\nignore = ["names"]\n', "pyproject.toml")
    with Project(tmp_path) as project:
        check_rules(project, project.open(tmp_path / "k.ptx"), *LEFT)
        check_rules(project, project.open(tmp_path / "near/k.ptx"), "unknown-opcode")


def test_a_file_above_the_workspace(tmp_path: Path) -> None:
    configure(tmp_path, 'extend = "shared/base.toml"\n')
    configure(tmp_path / "shared", OFF, "base.toml")
    (tmp_path / "inner").mkdir()
    with Project(tmp_path / "inner") as project:
        check_rules(project, project.open(tmp_path / "inner/k.ptx"), *LEFT)


def test_two_folders(tmp_path: Path) -> None:
    configure(tmp_path / "a", OFF)
    (tmp_path / "b").mkdir()
    with Project(tmp_path / "a", tmp_path / "b") as project:
        check_rules(project, project.open(tmp_path / "a/k.ptx"), *LEFT)
        check_rules(project, project.open(tmp_path / "b/k.ptx"), *RULES)


def test_no_workspace(tmp_path: Path) -> None:
    configure(tmp_path, OFF)
    with Project() as project:
        check_rules(project, project.open(tmp_path / "k.ptx"), *LEFT)
        project.client.open(HEADER + TEXT, "untitled:Untitled-1")
        check_rules(project, "untitled:Untitled-1", *RULES)


def test_extend_and_overrides(tmp_path: Path) -> None:
    configure(tmp_path, OFF, "shared/base.toml")
    configure(
        tmp_path,
        'extend = "shared/base.toml"\n'
        '[[overrides]]\nfiles = ["vendor/**"]\nextend-select = ["unknown-opcode"]\n'
        'ignore = ["names"]\n',
    )
    with Project(tmp_path) as project:
        check_rules(project, project.open(tmp_path / "k.ptx"), *LEFT)
        check_rules(project, project.open(tmp_path / "vendor/k.ptx"), "unknown-opcode")


def test_configurations_are_watched(tmp_path: Path) -> None:
    sent: list[Message] = []
    with Client(answers={"client/registerCapability": sent.append}) as client:
        enter(client, tmp_path, capabilities=WATCHES)
        client.server_request("client/registerCapability")
    (registration,) = sent[0]["registrations"]
    watched = [each["globPattern"] for each in registration["registerOptions"]["watchers"]]
    assert {"**/*.toml", "**/.editorconfig", "**/.gitignore"} < {*watched}


def test_a_change_reported_by_the_client(tmp_path: Path) -> None:
    path = configure(tmp_path, OFF)
    with Project(tmp_path, **WATCHES) as project:
        uri = project.open(tmp_path / "k.ptx")
        check_rules(project, uri, *LEFT)
        path.write_text("[lint]\nignore = []\n")
        project.told(path)
        check_rules(project, uri, *RULES)
        path.unlink()
        configure(tmp_path, "[tool.ptx-ls.lint]\nignore = ['all']", "pyproject.toml")
        project.told(path)
        check_rules(project, uri)


def test_a_changed_file_that_is_extended(tmp_path: Path) -> None:
    configure(tmp_path, 'extend = "base.cfg"\n')
    base = configure(tmp_path, OFF, "base.cfg")
    with Project(tmp_path, **WATCHES) as project:
        uri = project.open(tmp_path / "k.ptx")
        check_rules(project, uri, *LEFT)
        base.write_text("")
        project.told(base)
        check_rules(project, uri, *RULES)


@pytest.mark.parametrize("method", ["didSave", "didOpen"])
def test_a_change_that_is_not_reported(method: str, tmp_path: Path) -> None:
    with Project(tmp_path) as project:
        uri = project.open(tmp_path / "k.ptx")
        check_rules(project, uri, *RULES)
        configure(tmp_path, OFF)
        if method == "didSave":
            project.client.notify("textDocument/didSave", {"textDocument": {"uri": uri}})
        else:
            project.open(tmp_path / "other.ptx")
        check_rules(project, uri, *LEFT)


def test_pushed_diagnostics_after_a_change(tmp_path: Path) -> None:
    path = configure(tmp_path, OFF)
    with Client() as client:
        enter(client, tmp_path)
        uri = uri_of(tmp_path, "k.ptx")
        client.open(HEADER + TEXT, uri)
        assert _pushed(client) == (uri, LEFT)
        path.unlink()
        client.notify("workspace/didDeleteFiles", {"files": [{"uri": path.as_uri()}]})
        assert _pushed(client) == (uri, RULES)


def _pushed(client: Client) -> tuple[str, list[str]]:
    params = client.notification("textDocument/publishDiagnostics")
    return params["uri"], sorted(each["code"] for each in params["diagnostics"])


def test_a_refresh_of_pulled_diagnostics(tmp_path: Path) -> None:
    path = configure(tmp_path, OFF)
    able = {"workspace": {"diagnostics": {"refreshSupport": True}}}
    with Project(tmp_path, **able) as project:
        check_rules(project, project.open(tmp_path / "k.ptx"), *LEFT)
        path.write_text("")
        project.told(path)
        project.client.server_request("workspace/diagnostic/refresh")


def test_a_mistake_is_shown_once_for_each_version(tmp_path: Path) -> None:
    path = configure(tmp_path, OFF)
    wrong = "[lint]\nignore = []\nselct = []\n"
    with Project(tmp_path) as project:
        uri = project.open(tmp_path / "k.ptx")
        check_rules(project, uri, *LEFT)
        path.write_text(wrong)
        project.told(path)
        check_rules(project, uri, *LEFT)
        (message,) = project.messages()
        assert f"{path}:3: unknown key `selct`" in message
        assert "`select`" in message
        assert "last valid settings" in message
        project.client.change(1, {"text": HEADER + TEXT + "\n"}, uri=uri)
        project.open(tmp_path / "other.ptx")
        project.told(path)
        check_rules(project, uri, *LEFT)
        assert project.messages() == []
        path.write_text(f"{wrong}\n")
        project.told(path)
        check_rules(project, uri, *LEFT)
        assert len(project.messages()) == 1
        path.write_text("")
        project.told(path)
        check_rules(project, uri, *RULES)
        path.write_text(wrong)
        project.told(path)
        check_rules(project, uri, *RULES)
        assert len(project.messages()) == 1


def test_a_file_that_was_always_wrong(tmp_path: Path) -> None:
    configure(tmp_path, OFF)
    configure(tmp_path / "near", "[lint\n")
    with Project(tmp_path) as project:
        check_rules(project, project.open(tmp_path / "near/k.ptx"), *RULES)
        assert len(project.messages()) == 1


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs a POSIX system")
@pytest.mark.parametrize("name", ["ptx-ls.toml", ".gitignore", ".editorconfig"])
def test_a_pipe_is_not_read(name: str, tmp_path: Path) -> None:
    os.mkfifo(tmp_path / name)
    (tmp_path / ".git").mkdir()
    write(tmp_path, other=TEXT)
    with Project(tmp_path) as project:
        check_rules(project, project.open(tmp_path / "k.ptx"), *RULES)
        check_rules(project, uri_of(tmp_path, "other.ptx"), *RULES)


def test_a_huge_file_is_not_read(tmp_path: Path) -> None:
    configure(tmp_path, OFF + "#" * 1_000_000)
    with Project(tmp_path) as project:
        check_rules(project, project.open(tmp_path / "k.ptx"), *RULES)
        (message,) = project.messages()
        assert "ptx-ls.toml: larger than 1,000,000 bytes" in message


@pytest.mark.parametrize("name", ["../secret.toml", "link.toml", "/etc/passwd", "missing.toml"])
def test_no_file_outside_of_the_workspace_is_read(name: str, tmp_path: Path) -> None:
    configure(tmp_path, OFF, "secret.toml")
    configure(tmp_path / "work", f'extend = "{name}"\n')
    (tmp_path / "work/link.toml").symlink_to(tmp_path / "secret.toml")
    with Project(tmp_path / "work") as project:
        check_rules(project, project.open(tmp_path / "work/k.ptx"), *RULES)
        (message,) = project.messages()
        assert "is not a file in the workspace" in message
        assert "[lint]" not in message


def test_a_link_out_of_the_workspace_is_not_followed(tmp_path: Path) -> None:
    configure(tmp_path, OFF, "secret.toml")
    (tmp_path / "work").mkdir()
    link = tmp_path / "work/ptx-ls.toml"
    link.symlink_to(tmp_path / "secret.toml")
    with Project(tmp_path / "work") as project:
        uri = project.open(tmp_path / "work/k.ptx")
        check_rules(project, uri, *RULES)
        (message,) = project.messages()
        assert "ptx-ls.toml: the link does not point to a file in the workspace" in message
        link.unlink()
        configure(tmp_path / "work", OFF)
        project.told(link)
        check_rules(project, uri, *LEFT)


@pytest.mark.parametrize("is_link", [False, True])
def test_a_folder_that_the_user_allows(is_link: bool, tmp_path: Path) -> None:  # noqa: FBT001
    base = configure(tmp_path / "shared", OFF, "base.toml")
    path = configure(tmp_path / "work", 'extend = "../shared/base.toml"\n')
    if is_link:
        path.unlink()
        path.symlink_to(base)
    allowed = {"sources": {"allowedFolders": [str(tmp_path / "shared")]}}
    with Project(tmp_path / "work", settings=allowed) as project:
        check_rules(project, project.open(tmp_path / "work/k.ptx"), *LEFT)


def test_the_editor_wins(tmp_path: Path) -> None:
    configure(tmp_path, '[lint]\nselect = ["names", "unknown-opcode"]\n')
    with Project(tmp_path, settings={"lint": {"ignore": ["unknown-opcode"]}}) as project:
        check_rules(project, project.open(tmp_path / "k.ptx"), *LEFT)


def test_the_editor_turns_a_rule_on_and_sets_severities(tmp_path: Path) -> None:
    configure(
        tmp_path,
        '[lint]\nignore = ["all"]\n[[overrides]]\nfiles = ["*.ptx"]\n'
        'severity = { unknown-opcode = "warning" }\n',
    )
    lint = {"extendSelect": ["unknown-opcode"], "severity": {"instructions": "hint"}}
    with Project(tmp_path, settings={"lint": lint}) as project:
        found = project.pull(project.open(tmp_path / "k.ptx"))
    assert [(each["code"], each["severity"]) for each in found] == [("unknown-opcode", 4)]


def test_groups_and_unknown_names_in_the_editor(tmp_path: Path) -> None:
    with Project(tmp_path, settings={"lint": {"ignore": ["names", "unknown-opcod"]}}) as project:
        check_rules(project, project.open(tmp_path / "k.ptx"), "unknown-opcode")
        (message,) = project.messages()
        assert "`unknown-opcod` is neither" in message
        assert "`unknown-opcode`" in message


def test_excluded_documents_have_no_diagnostics(tmp_path: Path) -> None:
    path = configure(tmp_path, 'exclude = ["vendor/"]\n')
    write(tmp_path, vendor__closed=TEXT)
    with Project(tmp_path) as project:
        uri = project.open(tmp_path / "vendor/k.ptx")
        check_rules(project, uri)
        check_rules(project, uri_of(tmp_path, "vendor/closed.ptx"))
        path.write_text("")
        project.told(path)
        check_rules(project, uri, *RULES)
        check_rules(project, uri_of(tmp_path, "vendor/closed.ptx"), *RULES)


def test_files_that_git_ignores_are_checked_only_if_they_are_open(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    ignore = configure(tmp_path, "*.ptx\n", ".gitignore")
    write(tmp_path, closed=TEXT)
    with Project(tmp_path) as project:
        check_rules(project, project.open(tmp_path / "k.ptx"), *RULES)
        check_rules(project, uri_of(tmp_path, "closed.ptx"))
        ignore.write_text("")
        project.told(ignore)
        check_rules(project, uri_of(tmp_path, "closed.ptx"), *RULES)


UNFORMATTED = "\n.func f()\n{\nret;\n}\n"


def check_formatted(project: Project, path: Path, expected: str) -> None:
    """Checks the line that the formatter makes of `ret;`; "" if it changes nothing."""
    uri = project.open(path, UNFORMATTED)
    params = {"textDocument": {"uri": uri}, "options": {"tabSize": 8, "insertSpaces": True}}
    edits = project.client.request("textDocument/formatting", params)
    assert [each["newText"] for each in edits] == ([expected] if expected else [])
    typed = params | {"position": {"line": 6, "character": 4}, "ch": ";"}
    edits = project.client.request("textDocument/onTypeFormatting", typed)
    assert [each["newText"] for each in edits] == ([expected] if expected else [])


def test_formatting(tmp_path: Path) -> None:
    configure(tmp_path, "[format]\nindent = 3\n")
    with Project(tmp_path) as project:
        check_formatted(project, tmp_path / "k.ptx", "   ")
    with Project(tmp_path, settings={"format": {"indent": 5}}) as project:
        check_formatted(project, tmp_path / "k.ptx", "     ")


def test_formatting_by_an_editorconfig(tmp_path: Path) -> None:
    configure(tmp_path, "root = true\n[*]\nindent_size = 2\n", ".editorconfig")
    with Project(tmp_path) as project:
        check_formatted(project, tmp_path / "k.ptx", "  ")
        path = configure(tmp_path, "root = true\n[k.*]\nindent_size = 6\n", ".editorconfig")
        project.told(path)
        check_formatted(project, tmp_path / "k.ptx", "      ")
        path.unlink()
        project.told(path)
        check_formatted(project, tmp_path / "k.ptx", "    ")


def test_more_specific_values_win_over_an_editorconfig(tmp_path: Path) -> None:
    configure(tmp_path, "root = true\n[*]\nindent_size = 2\n", ".editorconfig")
    configure(tmp_path / "sub", "[format]\nindent = 3\n")
    with Project(tmp_path) as project:
        check_formatted(project, tmp_path / "sub" / "k.ptx", "   ")
    with Project(tmp_path, settings={"format": {"indent": 5}}) as project:
        check_formatted(project, tmp_path / "k.ptx", "     ")


def test_a_broken_editorconfig_keeps_its_last_values(tmp_path: Path) -> None:
    path = configure(tmp_path, "root = true\n[*]\nindent_size = 2\n", ".editorconfig")
    with Project(tmp_path) as project:
        check_formatted(project, tmp_path / "k.ptx", "  ")
        path.write_text("[*]\nindent_size\n")
        project.told(path)
        check_formatted(project, tmp_path / "k.ptx", "  ")
        (message,) = project.messages()
        assert f"{path}:2: expected `key = value`" in message


def test_an_editorconfig_outside_of_the_workspace_is_not_read(tmp_path: Path) -> None:
    outside = configure(tmp_path, "[*]\nindent_size = 2\n", "secret")
    (tmp_path / "work").mkdir()
    (tmp_path / "work" / ".editorconfig").symlink_to(outside)
    with Project(tmp_path / "work") as project:
        check_formatted(project, tmp_path / "work" / "k.ptx", "    ")


def test_an_excluded_document_is_not_formatted(tmp_path: Path) -> None:
    configure(tmp_path, 'exclude = ["*.ptx"]\n')
    with Project(tmp_path) as project:
        check_formatted(project, tmp_path / "k.ptx", "")
        (message,) = project.messages()
        assert "not formatted, because the project configuration excludes it" in message


CONFIGURATIONS = (
    "",
    OFF,
    '[lint]\nselect = ["names"]\nseverity = { all = "warning" }\n',
    '[lint]\nignore = ["all"]\nextend-select = ["unknown-opcode"]\n',
    (
        '[lint.severity]\nsyntax = "hint"\nunknown-opcode = "information"\n'
        '[[overrides]]\nfiles = ["k.ptx"]\nseverity = { unknown-opcode = "warning" }\n'
    ),
)
SEVERITIES = ("error", "warning", "information", "hint")


@pytest.mark.parametrize("configuration", CONFIGURATIONS)
def test_the_command_line_finds_the_same(
    configuration: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    configure(tmp_path, configuration)
    write(tmp_path, k=TEXT)
    arguments = ["lint", "--output-format", "json", "--severity", "hint", str(tmp_path / "k.ptx")]
    cli.main(arguments)
    printed = json.loads(capsys.readouterr().out)
    expected = sorted((each["rule"], each["severity"]) for each in printed)
    with Project(tmp_path) as project:
        found = project.pull(project.open(tmp_path / "k.ptx"))
        closed = project.pull(uri_of(tmp_path, "k.ptx"))
    assert sorted((each["code"], SEVERITIES[each["severity"] - 1]) for each in found) == expected
    assert found == closed


TEXTS = (TEXT, ".entry k() { ret }\n", ".entry k() { mov.u32 q, 1; ret; }\n")
FOLDERS = (".", "a", "a/b")
EXCLUDING = 'exclude = ["b/", "a/k.ptx"]\n[lint]\nignore = ["names"]\n'


def expected_of(path: Path, text: str) -> list[tuple[str, str]]:
    """The rules that report something about a text in a file, and their severities."""
    configurations = Configurations()
    if Exclusion(configurations, asks_git=False).excludes_named(str(path)):
        return []
    rules = configurations.of(str(path)).rules_of(str(path))
    return sorted((it.rule, it.severity.value) for it in lint(Document.read(text), rules))


@pytest.mark.parametrize("seed", range(4))
def test_any_changes(seed: int, tmp_path: Path) -> None:
    random = Random(seed)  # noqa: S311
    texts: dict[Path, str] = {}
    with Project(tmp_path) as project:
        for number in range(60):
            folder = tmp_path / random.choice(FOLDERS)
            document = folder / "k.ptx"
            match random.choice(("configure", "configure", "remove", "edit", "close")):
                case "configure":
                    path = configure(folder, random.choice([*CONFIGURATIONS, EXCLUDING]))
                    project.told(path)
                case "remove":
                    (folder / "ptx-ls.toml").unlink(missing_ok=True)
                    project.told(folder / "ptx-ls.toml")
                case "edit" if document in texts:
                    texts[document] = HEADER + random.choice(TEXTS)
                    change = {"text": texts[document]}
                    project.client.change(number, change, uri=document.as_uri())
                case "close" if document in texts:
                    del texts[document]
                    closed = {"textDocument": {"uri": document.as_uri()}}
                    project.client.notify("textDocument/didClose", closed)
                case _ if document not in texts:
                    texts[document] = HEADER + TEXT
                    project.open(document)
            if random.random() < 0.5:
                for each, text in texts.items():
                    found = project.pull(each.as_uri())
                    shown = sorted((it["code"], SEVERITIES[it["severity"] - 1]) for it in found)
                    assert shown == expected_of(each, text)
