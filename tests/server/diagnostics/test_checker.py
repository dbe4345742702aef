import asyncio
import ctypes
import gc
import logging
import sys
import threading
import weakref
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from types import SimpleNamespace

import pytest

from ptx_ls.document.document import Document
from ptx_ls.document.editing import edited
from ptx_ls.lint import LintTask
from ptx_ls.lint.rule_settings import DEFAULT_RULES
from ptx_ls.server.diagnostics.checker import Checker
from ptx_ls.server.documents.open_documents import EditedLines
from ptx_ls.server.scheduling import gc_policy
from ptx_ls.source import Position

TEXT = ".version 8.0\n.target sm_80\n.entry k()\n{\n\tret;\n}\n"
WORD = (Position(4, 1), Position(4, 4))


class Bench:
    """A document under a checker; `held` keeps its work from being done."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.document = Document.read(TEXT)
        self.n_told = 0
        self.runs: list[str] = []
        self.held = threading.Event()
        self.begun = threading.Event()
        run = LintTask.run

        def held_run(work: LintTask, should_stop: Callable[[], bool]) -> object:
            self.begun.set()
            self.held.wait(10)
            self.runs.append("stopped" if should_stop() else "whole")
            return run(work, should_stop)

        monkeypatch.setattr(LintTask, "run", held_run)
        self.executor = ThreadPoolExecutor(1)
        self.checker = Checker(lambda: self.document, DEFAULT_RULES, self.executor, self._tell)

    def _tell(self) -> None:
        self.n_told += 1

    def edit(self, text: str) -> None:
        self.document = edited(self.document, *WORD, text)
        self.checker.check_after(0)


def _lines(first: int, last: int) -> EditedLines:
    return EditedLines(first, last, expects_more=False, is_key=False)


@pytest.fixture
async def bench(monkeypatch: pytest.MonkeyPatch) -> Bench:
    return Bench(monkeypatch)


async def check_fresh(bench: Bench, *expected: str) -> None:
    """Lets the work be done, and checks which rules report something in the end."""
    bench.held.set()
    await asyncio.wait_for(bench.checker.is_fresh.wait(), 10)
    assert [found.rule for found in bench.checker.known.in_order(9)] == list(expected)
    bench.executor.shutdown()


async def begun(bench: Bench) -> None:
    await asyncio.to_thread(bench.begun.wait, 10)


async def test_edits_in_quick_succession_are_checked_once(bench: Bench) -> None:
    for text in ("rat", "rot", "rut"):
        bench.edit(text)
    assert not bench.checker.is_fresh.is_set()
    await check_fresh(bench, "unknown-opcode")
    assert bench.runs == ["whole"]
    assert bench.n_told == 1


async def test_an_edit_stops_the_work_and_what_is_left_is_done_later(bench: Bench) -> None:
    bench.edit("rat")
    await begun(bench)
    bench.edit("ret")
    await check_fresh(bench)
    assert bench.runs == ["stopped", "whole"]
    assert bench.n_told == 1


async def test_settings_that_arrive_after_the_end_start_no_work(bench: Bench) -> None:
    checker = Checker(lambda: bench.document, None, bench.executor, lambda: None)
    checker.check_after(0)
    await asyncio.sleep(0.01)
    checker.close()
    bench.executor.shutdown()
    checker.begin(DEFAULT_RULES)
    assert not bench.begun.is_set()


async def checked_once(bench: Bench) -> None:
    """Lets the document be checked, and holds all later work."""
    bench.edit("ret")
    bench.held.set()
    await asyncio.wait_for(bench.checker.is_fresh.wait(), 10)
    bench.held.clear()
    bench.begun.clear()
    bench.runs.clear()


async def test_a_function_is_checked_at_once_after_an_edit(bench: Bench) -> None:
    await checked_once(bench)
    for text in ("rat", "rot"):
        bench.document = edited(bench.document, *WORD, text)
        bench.checker.check_after(1000, _lines(4, 4))
    assert not bench.checker.is_fresh.is_set()
    await check_fresh(bench, "unknown-opcode")
    assert bench.runs == ["whole"]  # the first edit left it no moment
    assert bench.n_told == 2


async def test_an_edit_stops_the_check_of_a_function(bench: Bench) -> None:
    await checked_once(bench)
    for text in ("rat", "rot"):
        bench.document = edited(bench.document, *WORD, text)
        bench.checker.check_after(1000, _lines(4, 4))
        await begun(bench)
    await check_fresh(bench, "unknown-opcode")
    assert bench.runs == ["stopped", "whole"]
    assert bench.n_told == 2


@pytest.mark.parametrize(
    ("change", "rules"),
    [
        ((Position(0, 9), Position(0, 12), "9.9"), ["unknown-version"]),
        ((Position(2, 7), Position(2, 8), "h"), []),
        ((Position(4, 0), Position(4, 0), "ret;\n" * 3001), []),
    ],
)
async def test_a_small_module_is_checked_without_a_pause(
    bench: Bench, change: tuple[Position, Position, str], rules: list[str]
) -> None:
    await checked_once(bench)
    bench.document = edited(bench.document, *change)
    first = change[0].line
    bench.checker.check_after(1000, _lines(first, first + change[2].count("\n")))
    await check_fresh(bench, *rules)
    assert set(bench.runs) == {"whole"}


async def test_other_functions_of_a_large_module_wait_for_a_pause(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("ptx_ls.server.diagnostics.checker._MAX_SMALL_MODULE", 0)
    await checked_once(bench)
    bench.document = edited(bench.document, Position(0, 9), Position(0, 12), "9.9")
    bench.checker.check_after(0.05, _lines(4, 4))
    bench.held.set()
    assert await bench.checker.checked(4, 4) == []
    assert not bench.checker.is_fresh.is_set()
    await check_fresh(bench, "unknown-version")
    assert bench.runs == ["whole", "whole"]


async def test_lines_that_are_asked_for_are_checked_before_the_rest(bench: Bench) -> None:
    await checked_once(bench)
    bench.edit("rat")
    await begun(bench)
    asked = [asyncio.ensure_future(bench.checker.checked(line, line)) for line in (4, 2, 4)]
    await asyncio.sleep(0)
    bench.held.set()
    first, second, third = await asyncio.wait_for(asyncio.gather(*asked), 10)
    assert [one.rule for one in first] == ["unknown-opcode"]
    assert second == first[:0]
    assert third == first
    assert bench.runs[0] == "stopped"
    await check_fresh(bench, "unknown-opcode")


async def test_lines_of_a_document_that_is_closed_are_not_waited_for(bench: Bench) -> None:
    bench.edit("rat")
    await begun(bench)
    asked = asyncio.ensure_future(bench.checker.checked(4, 4))
    await asyncio.sleep(0)
    bench.checker.close()
    assert await asyncio.wait_for(asked, 10) == []
    await check_fresh(bench)


async def test_a_document_that_is_closed_is_told_of_no_more(bench: Bench) -> None:
    bench.edit("rat")
    await begun(bench)
    bench.checker.close()
    await check_fresh(bench)
    await asyncio.sleep(0.01)
    assert bench.n_told == 0


async def test_a_fault_is_logged_and_the_next_edit_is_checked(
    bench: Bench, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    run = LintTask.run

    def fail(_work: LintTask, _should_stop: Callable[[], bool]) -> None:
        raise KeyError("fault")

    monkeypatch.setattr(LintTask, "run", fail)
    bench.edit("rat")
    await asyncio.wait_for(bench.checker.is_fresh.wait(), 10)
    assert bench.n_told == 1
    assert "fault" in caplog.text
    assert caplog.records[0].levelno == logging.ERROR
    monkeypatch.setattr(LintTask, "run", run)
    bench.edit("rot")
    await check_fresh(bench, "unknown-opcode")


@pytest.fixture
def thawed() -> Iterator[None]:
    gc.enable()  # a command that another test ran leaves it switched off
    thresholds = gc.get_threshold()
    yield
    gc.unfreeze()
    gc.enable()
    gc.set_threshold(*thresholds)


@pytest.mark.usefixtures("thawed")
def test_garbage_is_collected_again_after_a_large_document() -> None:
    gc_policy.pause()
    assert not gc.isenabled()
    gc_policy.spare()
    assert gc.isenabled()
    assert gc.get_freeze_count() > 0
    gc_policy.pause()
    gc_policy.forget()  # closed before it was checked
    assert gc.isenabled()


@pytest.mark.parametrize("platform", ["linux", "win32"])
def test_free_memory_is_returned(platform: str, monkeypatch: pytest.MonkeyPatch) -> None:
    calls: list[int] = []

    def trim(size: int) -> None:
        calls.append(size)

    monkeypatch.setattr(ctypes, "CDLL", lambda _: SimpleNamespace(malloc_trim=trim))
    monkeypatch.setattr(sys, "platform", platform)
    gc_policy.give_back()
    assert calls == ([0] if platform == "linux" else [])


def test_other_c_libraries_keep_free_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ctypes, "CDLL", lambda _: SimpleNamespace())
    gc_policy.give_back()


class Circle:
    """Objects that only the collector frees."""

    def __init__(self) -> None:
        self.itself = self


@pytest.mark.usefixtures("thawed")
@pytest.mark.parametrize("is_old", [False, True])
async def test_garbage_is_collected_when_the_client_pauses(
    monkeypatch: pytest.MonkeyPatch, *, is_old: bool
) -> None:
    monkeypatch.setattr(gc_policy, "_SILENCE", 0.01)
    monkeypatch.setattr(gc_policy, "_LONG_SILENCE", 0.02 if is_old else 60)
    monkeypatch.setattr(gc_policy, "_MIN_NEW_OBJECTS", -1)  # more may be freed than are made
    gc.set_threshold(1_000_000)
    pauses = gc_policy.Pauses(lambda: False)
    freed = forgotten(is_old=is_old)
    pauses.end()
    pauses.end()
    await asyncio.wait_for(freed.wait(), 10)


def forgotten(*, is_old: bool) -> asyncio.Event:
    """Makes garbage, new or old; the event comes when it is freed."""
    freed = asyncio.Event()
    circle = Circle()
    weakref.finalize(circle, freed.set)
    if is_old:
        gc.collect(0)
    return freed


@pytest.mark.usefixtures("thawed")
async def test_old_objects_wait_for_answers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gc_policy, "_SILENCE", 0.001)
    monkeypatch.setattr(gc_policy, "_LONG_SILENCE", 0.002)
    gc.set_threshold(1_000_000)
    n_asked = 0

    def is_busy() -> bool:
        nonlocal n_asked
        n_asked += 1
        assert not freed.is_set()
        return n_asked < len("answers")

    pauses = gc_policy.Pauses(is_busy)
    freed = forgotten(is_old=True)
    pauses.end()
    await asyncio.wait_for(freed.wait(), 10)
    assert n_asked == len("answers")


@pytest.mark.usefixtures("thawed")
def test_garbage_is_bounded_without_a_pause() -> None:
    gc_policy.start()
    alive: deque[Circle] = deque(maxlen=30_000)  # so that a collection of new objects keeps them
    before = len(gc.get_objects())
    for _ in range(500_000):
        alive.append(Circle())
    assert len(gc.get_objects()) - before < 500_000
