"""Documents are checked with the settings of their projects, even if a disk does not answer."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import cast

import pytest
from lsprotocol import types

from ptx_ls.formatting import FormatStyle
from ptx_ls.lint.rule_settings import DEFAULT_RULES, RuleSettings
from ptx_ls.server.client_state.settings import Settings
from ptx_ls.server.diagnostics import document_checkers
from ptx_ls.server.diagnostics.document_checkers import DocumentCheckers
from ptx_ls.server.documents.open_documents import OpenDocument
from ptx_ls.server.workspace.project_files import DocumentSettings
from ptx_ls.server.workspace.project_settings import ProjectSettings, RefreshedSettings
from ptx_ls.source.columns import ColumnUnit
from tests.server.client import URI

TEXT = ".version 8.0\n.target sm_80\n.entry k() { rat; }\n"
OFF = RuleSettings(frozenset({"unknown-opcode"}))


class SlowDisk:
    """A host of checkers whose configuration is read once `answers` is set."""

    def __init__(self) -> None:
        self.answers = asyncio.Event()
        self.rules = OFF
        self.failure: Exception | None = None
        self.of_the_editor = Settings()
        self.executor = ThreadPoolExecutor(1)
        self.checkers = DocumentCheckers(self, self.executor, lambda _: None, None)
        item = types.TextDocumentItem(URI, "ptx", 0, TEXT)
        self.opened = OpenDocument(item, ColumnUnit.UTF_16)
        self.tasks: list[asyncio.Task[bool]] = []

    @property
    def project(self) -> ProjectSettings:
        return cast("ProjectSettings", self)

    def settings_of(self, _uri: str) -> Settings:
        return self.of_the_editor

    def refreshed(self, uris: Sequence[str]) -> asyncio.Future[RefreshedSettings]:
        return asyncio.ensure_future(self._refreshed(uris, self.rules))

    async def _refreshed(self, uris: Sequence[str], rules: RuleSettings) -> RefreshedSettings:
        await self.answers.wait()
        if self.failure is not None:
            raise self.failure
        found = [DocumentSettings(rules, FormatStyle()) for _ in uris]
        return RefreshedSettings(found, [], has_changed=True)

    async def of(self, uris: Sequence[str], *, are_open: bool) -> list[DocumentSettings]:
        assert are_open
        return [DocumentSettings(self.rules, FormatStyle()) for _ in uris]

    def of_editor(self, _uri: str) -> DocumentSettings:
        return DocumentSettings(DEFAULT_RULES, FormatStyle())

    def open(self) -> None:
        self.checkers.add(self.opened).check_after(0)
        self.settle()

    def settle(self) -> None:
        self.tasks.append(asyncio.ensure_future(self.checkers.settle()))


@pytest.fixture
async def disk() -> AsyncIterator[SlowDisk]:
    made = SlowDisk()
    yield made
    made.checkers.close()
    made.executor.shutdown()


async def check_rules(disk: SlowDisk, *expected: str) -> None:
    async with asyncio.timeout(30):
        checker = await disk.checkers.fresh(disk.opened)
    assert checker is not None
    assert [one.rule for one in checker.within(0, 3)] == [*expected]


async def test_diagnostics_wait_for_the_configuration(disk: SlowDisk) -> None:
    disk.open()
    waiting = asyncio.ensure_future(disk.checkers.checked(disk.opened, 2, 2))
    await asyncio.sleep(0)
    disk.answers.set()
    assert await waiting == []
    await check_rules(disk)


async def test_a_disk_that_answers_late(disk: SlowDisk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(document_checkers, "PATIENCE", 0.01)
    disk.open()
    await check_rules(disk, "unknown-opcode")
    assert (await disk.checkers.settings(disk.opened)).rules == DEFAULT_RULES
    disk.answers.set()
    assert await disk.tasks[0] is True
    await check_rules(disk)


async def test_a_failure_leaves_the_settings_of_the_editor(disk: SlowDisk) -> None:
    disk.failure = RuntimeError("a bug")
    disk.answers.set()
    disk.open()
    await check_rules(disk, "unknown-opcode")
    with pytest.raises(RuntimeError):
        await disk.tasks[0]


async def test_settings_of_the_editor_that_change_meanwhile(disk: SlowDisk) -> None:
    disk.open()
    await asyncio.sleep(0)
    disk.of_the_editor, disk.rules = Settings(diagnostics_delay=1), DEFAULT_RULES
    assert disk.checkers.reconfigure(disk.opened)
    disk.settle()
    disk.answers.set()
    await asyncio.gather(*disk.tasks)
    await check_rules(disk, "unknown-opcode")
    assert not disk.checkers.reconfigure(disk.opened)


async def test_an_open_document_after_a_change(disk: SlowDisk) -> None:
    disk.answers.set()
    disk.open()
    await check_rules(disk)
    disk.rules = DEFAULT_RULES
    disk.settle()
    await asyncio.sleep(0)
    await check_rules(disk, "unknown-opcode")


async def test_a_document_that_is_closed_meanwhile(disk: SlowDisk) -> None:
    disk.open()
    await asyncio.sleep(0)
    disk.checkers.remove(disk.opened)
    disk.answers.set()
    await disk.tasks[0]
    assert await disk.checkers.fresh(disk.opened) is None
    assert disk.checkers.known_settings(disk.opened) is None
