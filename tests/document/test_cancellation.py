"""Work that is cancelled: no fact is computed, and none is half known."""

from __future__ import annotations

import pytest

from ptx_ls.document.cancellation import WorkCancelledError, cancellable, check_cancelled
from ptx_ls.document.document import Document
from ptx_ls.semantics.symbols.module_names import exports_of, module_names

TEXT = "".join(f".func f{number}() {{\n}}\n" for number in range(20))


def check_cancelled_after(n_asked: int) -> int:
    """Cancels work when it has asked so often, and returns how many functions were read.

    Fails unless the work then gives what it does without being cancelled.
    """
    document, left = Document.read(TEXT), n_asked

    def is_cancelled() -> bool:
        nonlocal left
        left -= 1
        return left < 0

    with cancellable(is_cancelled), pytest.raises(WorkCancelledError):
        module_names(document)
    n_known = sum(exports_of.known(function) is not None for function in document.leaves())
    assert module_names(document) == module_names(Document.read(TEXT))
    return n_known


def test_names_of_a_module() -> None:
    counts = [check_cancelled_after(n_asked) for n_asked in range(30)]
    assert counts == sorted(counts)
    assert counts[0] == 0 < counts[-1] < 20


def test_only_within_its_context() -> None:
    check_cancelled()
    with cancellable(lambda: False):
        check_cancelled()
        with cancellable(lambda: True), pytest.raises(WorkCancelledError):
            check_cancelled()
        check_cancelled()
    check_cancelled()


def test_reading() -> None:
    with cancellable(lambda: True), pytest.raises(WorkCancelledError):
        Document.read("ret;\n")
    with cancellable(lambda: True):
        assert Document.read("").text == ""
