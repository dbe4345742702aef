"""A client that edits and others that write files, at random; compared with a server begun anew."""

from __future__ import annotations

import json
import shutil
import time
from pathlib import Path
from random import Random
from types import TracebackType
from typing import Any, Final, Self

from ptx_ls.source import uris
from tests.server.client import Client, Message
from tests.server.folder import CHANGED, CREATED, DELETED, HEADER, enter

_FOLDERS: Final = ("one", "two", "one/inner")
_FILES: Final = tuple(
    f"{folder}/{name}" for folder in (*_FOLDERS, "one/d", "two/d") for name in ("a.ptx", "b.ptx")
)
_NAMES: Final = ("f", "g", "h")
_ABLE: Final[Message] = {
    "workspace": {
        "didChangeWatchedFiles": {"dynamicRegistration": True},
        "workspaceFolders": True,
        "configuration": True,
    },
}
_PULLING: Final[Message] = {"textDocument": {"diagnostic": {}}}
_PUBLISH: Final = "textDocument/publishDiagnostics"
_PAUSE: Final = 1.0  # seconds until what is pushed is there
_KINDS: Final = (
    ".extern .func {0}",
    ".visible .func {0}",
    ".weak .func {0}",
    ".func {0}",
    ".visible .entry {0}",
)


class RandomWorkspace:
    """A server that is told what happens in folders, and what the editor has open in them."""

    def __init__(self, root: Path, seed: int, *, pulls: bool) -> None:
        """`pulls`: the client asks for diagnostics, and is not sent them."""
        self.root = root
        self.able = {**_ABLE, **_PULLING} if pulls else _ABLE
        self.random = Random(seed)  # noqa: S311  # the same in every run
        self.open: dict[str, str] = {}
        self.folders = ["one"]
        self.settings: dict[str, Any] = {}
        self.version = 0
        for path in _FILES:
            (root / path).parent.mkdir(parents=True, exist_ok=True)
            (root / path).write_text(self._text(), "utf-8", newline="")
        self.live = self._server()
        self.pushed: dict[str, Any] = {}

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.live.__exit__(kind, error, trace)

    def step(self) -> str:
        """Does something, tells the server what an editor would tell it, and returns its name."""
        steps = (
            *[self._edit] * 3,
            self._open, self._save, self._close, self._write, self._write, self._delete,
            self._move, self._move_directory, self._delete_directory, self._enter, self._set,
            self._ask,
        )  # fmt: skip
        step = self.random.choice(steps)
        return f"{step.__name__}: {step()}"

    def begun_now(self) -> Client:
        """A server that is begun now, with the folders and open documents as they are."""
        anew = self._server()
        for path, text in self.open.items():
            anew.open(text, self._uri(path))
        return anew

    def answers(self, client: Client, pushed: dict[str, Any]) -> dict[str, Any]:
        """The answers of a server; `pushed` has the last diagnostics of each file."""
        answers = self._asked(client)
        answers["pushed"] = self._pushed(client, pushed)
        return answers

    def leave(self) -> str:
        """Ends the session and returns what the server wrote in its log."""
        assert self.live.leave() == 0
        assert self.live.process.stderr is not None
        return self.live.process.stderr.read().decode()

    # The server

    def _server(self) -> Client:
        client = Client(answers={"workspace/configuration": self._configuration})
        enter(client, *(self.root / folder for folder in self.folders), capabilities=self.able)
        client.server_request("workspace/configuration")
        return client

    def _configuration(self, params: Message) -> list[Any]:
        scopes = [Path(item.get("scopeUri", "")).name for item in params["items"]]
        return [self.settings.get(scope) for scope in scopes]

    def _asked(self, client: Client) -> dict[str, Any]:
        asked: Message = {"previousResultIds": []}
        found: dict[str, Any] = {
            "symbols": client.request("workspace/symbol", {"query": ""}),
            "diagnostics": [
                {key: it[key] for key in ("uri", "items")}
                for it in client.request("workspace/diagnostic", asked)["items"]
            ],
        }
        for path, text in self.open.items():
            for line, row in enumerate(text.split("\n")):
                if (column := row.find("call ")) >= 0:
                    found[f"{path}:{line}"] = self._at(client, path, line, column + 5)
        return found

    def _pushed(self, client: Client, pushed: dict[str, Any]) -> dict[str, Any]:
        """The diagnostics that the client was sent last of each file; `pushed` keeps them."""
        if self.able is _ABLE:
            time.sleep(_PAUSE)
            client.request("workspace/symbol", {"query": ""})
        for message in client.unread:
            if message["method"] == _PUBLISH:
                pushed[message["params"]["uri"]] = message["params"]["diagnostics"]
        client.unread.clear()
        return {uri: items for uri, items in pushed.items() if items}

    def _at(self, client: Client, path: str, line: int, column: int) -> list[Any]:
        place = {"line": line, "character": column}
        asked: Message = {"textDocument": {"uri": self._uri(path)}, "position": place}
        found = [client.request("textDocument/definition", asked)]
        items = client.request("textDocument/prepareCallHierarchy", asked)
        for item in items or []:
            calls = client.request("callHierarchy/incomingCalls", {"item": item})
            found.append(sorted(calls, key=json.dumps))
        asked["context"] = {"includeDeclaration": True}
        references = client.request("textDocument/references", asked)
        found.append(sorted(references, key=json.dumps))
        renaming = client.start_request("textDocument/rename", {**asked, "newName": "other"})
        answer = client.response(renaming)
        return [*found, answer.get("result"), answer.get("error")]

    # Events

    def _ask(self) -> str:
        self._asked(self.live)
        return ""

    def _open(self) -> str:
        path = self.random.choice(_FILES)
        place = self.root / path
        if path not in self.open and place.is_file():
            self.open[path] = place.read_bytes().decode()
            self.live.open(self.open[path], self._uri(path))
        return path

    def _edit(self) -> str:
        path, text = self._some_open(), self._text()
        if path:
            self.version += 1
            self.open[path] = text
            self.live.change(self.version, {"text": text}, uri=self._uri(path))
        return path

    def _save(self) -> str:
        path = self._some_open()
        if path:
            is_new = not (self.root / path).exists()
            (self.root / path).parent.mkdir(parents=True, exist_ok=True)
            (self.root / path).write_text(self.open[path], "utf-8", newline="")
            self.live.notify("textDocument/didSave", {"textDocument": {"uri": self._uri(path)}})
            if self.random.random() < 0.5:
                self._tell(path, CREATED if is_new else CHANGED)
        return path

    def _close(self) -> str:
        path = self._some_open()
        if path:
            del self.open[path]
            self.live.notify("textDocument/didClose", {"textDocument": {"uri": self._uri(path)}})
        return path

    def _write(self) -> str:
        path = self.random.choice(_FILES)
        place = self.root / path
        kind = CHANGED if place.exists() else CREATED
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(self._text(), "utf-8", newline="")
        self._tell(path, kind)
        return path

    def _delete(self) -> str:
        path = self.random.choice(_FILES)
        if (self.root / path).is_file():
            (self.root / path).unlink()
            self._tell(path, DELETED)
        return path

    def _move(self) -> str:
        path, new = self.random.sample(_FILES, 2)
        if (self.root / path).is_file() and (self.root / new).parent.is_dir():
            (self.root / path).replace(self.root / new)
            self._tell_of_move(path, new)
            self._tell(new, CHANGED)  # no one could know that a file was replaced
        return f"{path} {new}"

    def _move_directory(self) -> str:
        path, new = self.random.sample(("one/d", "two/d", "one/inner", "two/e"), 2)
        place = self.root / new
        if (self.root / path).is_dir() and place.parent.is_dir() and not place.exists():
            (self.root / path).rename(self.root / new)
            self._tell_of_move(path, new)
        return f"{path} {new}"

    def _delete_directory(self) -> str:
        path = self.random.choice(("one/d", "two/d", "two/e", "one/inner", "one", "two"))
        if (self.root / path).is_dir():
            shutil.rmtree(self.root / path)
            if self.random.random() < 0.5:
                files = {"files": [{"uri": self._uri(path)}]}
                self.live.notify("workspace/didDeleteFiles", files)
        return path

    def _enter(self) -> str:
        before = self.folders
        self.folders = self.random.sample(_FOLDERS, self.random.randint(0, 3))
        event = {
            "added": [self._folder(it) for it in self.folders if it not in before],
            "removed": [self._folder(it) for it in before if it not in self.folders],
        }
        self.live.notify("workspace/didChangeWorkspaceFolders", {"event": event})
        return str(self.folders)

    def _set(self) -> str:
        ignored = self.random.sample(("unknown-opcode", "unused-label"), self.random.randint(0, 2))
        scope = self.random.choice(("", "one", "two", "inner"))
        own = {"lint": {"ignore": ignored}, "diagnostics": {"workspace": bool(ignored)}}
        self.settings = {**self.settings, scope: self.random.choice((own, None))}
        self.live.notify("workspace/didChangeConfiguration", {"settings": None})
        return json.dumps(self.settings)

    # Parts

    def _some_open(self) -> str:
        return self.random.choice([*self.open, ""])

    def _tell(self, path: str, kind: int) -> None:
        changes = [{"uri": self._uri(path), "type": kind}]
        self.live.notify("workspace/didChangeWatchedFiles", {"changes": changes})

    def _tell_of_move(self, path: str, new: str) -> None:
        if self.random.random() < 0.5:
            moved = {"oldUri": self._uri(path), "newUri": self._uri(new)}
            self.live.notify("workspace/didRenameFiles", {"files": [moved]})

    def _folder(self, path: str) -> Message:
        return {"uri": self._uri(path), "name": path}

    def _uri(self, path: str) -> str:
        return uris.from_path(str(self.root / path))

    def _text(self) -> str:
        """A module with some functions that call some."""
        lines = [HEADER, "// " + "x" * self.random.randint(0, 9999)]
        for name in self.random.sample(_NAMES, self.random.randint(0, 3)):
            kind = self.random.choice(_KINDS)
            calls = "".join(f"    call {it};\n" for it in _NAMES if self.random.random() < 0.4)
            body = f"\n{{\n{calls}    {self.random.choice(('ret', 'rat'))};\n}}"
            lines.append(kind.format(name) + (";" if "extern" in kind else body))
        return "\n".join([*lines, ""])
