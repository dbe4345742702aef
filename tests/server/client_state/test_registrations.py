"""Registrations with a client are made when they are useful, and withdrawn later."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.server.client import Client, Message

pytestmark = pytest.mark.slow

LAZY = {"dynamicRegistration": True}
WORKSPACE: Message = {"didChangeWatchedFiles": LAZY, "workspaceFolders": True}
TEXT: Message = {
    "inlayHint": LAZY,
    "codeLens": LAZY,
    "synchronization": {**LAZY, "willSaveWaitUntil": True},
}
HINTS = "textDocument/inlayHint"
LENSES = "textDocument/codeLens"
DIAGNOSTICS = "textDocument/diagnostic"
SAVING = "textDocument/willSaveWaitUntil"
WATCHED = "workspace/didChangeWatchedFiles"
NO_HINTS = {"literals", "specialRegisters", "locations", "registerTypes", "operandNames"}
NO_LENSES = {"references", "resources", "demangledNames", "requirements"}


class Registry:
    """A client that keeps account of what is registered with it."""

    def __init__(self, able: Message, **options: Any) -> None:  # noqa: ANN401
        register, unregister = "client/registerCapability", "client/unregisterCapability"
        self.client = Client(answers={register: self.register, unregister: self.unregister})
        self.offered = self.client.initialize(able, **options)["capabilities"]
        self.present: dict[str, str] = {}
        for name, method in (("inlayHintProvider", HINTS), ("diagnosticProvider", DIAGNOSTICS)):
            options = self.offered.get(name)
            if options and "id" in options:
                self.present[options["id"]] = method

    def register(self, params: Message) -> None:
        for it in params["registrations"]:
            assert it["id"] not in self.present
            if it["method"] == DIAGNOSTICS:
                self.offered["diagnosticProvider"] = it["registerOptions"]
            self.present[it["id"]] = it["method"]

    def unregister(self, params: Message) -> None:
        for it in params["unregisterations"]:
            assert self.present.pop(it["id"]) == it["method"]

    def check(self, *expected: str) -> None:
        """Checks what is registered when all that was sent is handled."""
        self.client.request("workspace/symbol", {"query": ""})
        assert sorted(self.present.values()) == sorted(expected)

    def set(self, settings: Message) -> None:
        self.client.notify("workspace/didChangeConfiguration", {"settings": {"ptx": settings}})


def off(section: str, names: set[str]) -> Message:
    return {section: dict.fromkeys(names, False)}


def test_what_the_user_switches_off_is_taken_back() -> None:
    registry = Registry({"textDocument": TEXT})
    with registry.client:
        registry.check(HINTS, LENSES)
        registry.set(off("codeLens", NO_LENSES))
        registry.check(HINTS)
        registry.set({**off("codeLens", NO_LENSES - {"resources"}), **off("inlayHints", NO_HINTS)})
        registry.check(LENSES)
        registry.set({"format": {"onSave": True}})
        registry.check(HINTS, LENSES, SAVING)
        registry.set({"inlayHints": {"literals": False}})
        registry.check(HINTS, LENSES)
        assert registry.client.leave() == 0


def test_what_is_off_from_the_start_is_not_offered() -> None:
    settings = {**off("codeLens", NO_LENSES), **off("inlayHints", NO_HINTS)}
    registry = Registry({"textDocument": TEXT}, initializationOptions=settings)
    with registry.client:
        assert "inlayHintProvider" not in registry.offered
        assert "codeLensProvider" not in registry.offered
        assert not registry.offered["textDocumentSync"]["willSaveWaitUntil"]
        registry.check()
        registry.set({})
        registry.check(HINTS, LENSES)


def test_a_client_that_cannot_register_is_offered_all_for_good() -> None:
    registry = Registry({"textDocument": {"synchronization": {"willSaveWaitUntil": True}}})
    with registry.client:
        assert registry.offered["inlayHintProvider"] == {"resolveProvider": True}
        assert registry.offered["codeLensProvider"]["resolveProvider"]
        assert registry.offered["textDocumentSync"]["willSaveWaitUntil"]
        registry.set(off("codeLens", NO_LENSES))
        registry.check()
        assert registry.client.asked == []


def test_a_client_asks_for_diagnostics_of_all_files_while_the_user_wants_them() -> None:
    able = {"textDocument": {"diagnostic": LAZY}}
    for is_wanted in (False, True):
        wanted = {"diagnostics": {"workspace": is_wanted}}
        registry = Registry(able, initializationOptions=wanted)
        with registry.client as client:
            registry.check(DIAGNOSTICS)
            assert registry.offered["diagnosticProvider"]["workspaceDiagnostics"] is is_wanted
            registry.set(wanted)
            registry.check(DIAGNOSTICS)
            assert client.asked == []
            registry.set({"diagnostics": {"workspace": not is_wanted}})
            registry.check(DIAGNOSTICS)
            assert registry.offered["diagnosticProvider"]["workspaceDiagnostics"] is not is_wanted


def test_files_are_watched_while_there_are_folders(tmp_path: Path) -> None:
    registry = Registry({"workspace": WORKSPACE})
    with registry.client as client:
        registry.check()
        event = {"added": [{"uri": tmp_path.as_uri(), "name": "a"}], "removed": []}
        client.notify("workspace/didChangeWorkspaceFolders", {"event": event})
        registry.check(WATCHED)
        event = {"added": [], "removed": event["added"]}
        client.notify("workspace/didChangeWorkspaceFolders", {"event": event})
        registry.check()
