"""Measures how much memory an open document takes."""

from collections.abc import Iterator

from benchmarks import inputs
from benchmarks.figures import Figure
from benchmarks.process import resident_bytes, wait_for_rest
from tests.server.client import SERVE, Client, at

_GOAL = 3


def measure() -> Iterator[Figure]:
    """Yields how much the server's memory grows with a document, relative to the text's size."""
    text = inputs.make("mb20").read_text(encoding="utf-8")
    n_bytes = len(text.encode())
    with Client(SERVE, patience=900) as client:
        client.initialize()
        client.open("ret;", "file:///small.ptx")  # loads what any document needs
        client.notification("textDocument/publishDiagnostics")
        before = _at_rest(client.process.pid)
        client.open(text)
        client.request("textDocument/definition", at(0, 0))  # answered once everything is read
        opened = resident_bytes(client.process.pid)
        client.notification("textDocument/publishDiagnostics")
        checked = _at_rest(client.process.pid)
        remark = f"{n_bytes / 1e6:.1f} MB of text, {text.count(chr(10))} lines"
        yield Figure("server without a large document", before / 1e6, "MB")
        yield Figure("open document / its text", (opened - before) / n_bytes, "x", _GOAL, remark)
        yield Figure("... and checked", (checked - before) / n_bytes, "x", _GOAL)


def _at_rest(process: int) -> int:
    """Returns the memory of a process once it has finished its background work."""
    wait_for_rest(process)
    return resident_bytes(process)
