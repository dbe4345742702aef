"""One run of ptxas on an open document, in a temporary folder."""

from __future__ import annotations

from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Final

from ptx_ls.source.named_tuple import NamedTuple
from ptx_ls.toolchain import assembler, programs, ptxas
from ptx_ls.toolchain.assembler import ToolError

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from ptx_ls.document.document import Document
    from ptx_ls.server.client_state.settings import Settings
    from ptx_ls.server.documents.host import DocumentHost
    from ptx_ls.server.documents.open_documents import OpenDocument

_MAX_HEADER_LENGTH: Final = 1 << 16
"""Number of characters in which `.target` is searched for."""
_NONE: Final = f"ptxas was not found; set `ptx.ptxas.path`, or run `{ptxas.INSTALL_HINT}`"

_RESTRICTED: Final = "ptxas does not run in an untrusted workspace"


class Done(NamedTuple):
    """A finished run.

    Attributes:
        run: the output of ptxas.
        program: the ptxas that ran.
        target: the target that the module was compiled for.
        binary: the compiled module, if it was accepted; it exists only within `held`.
        revision: the revision of the document that was compiled.
    """

    run: ptxas.PtxasRun
    program: Path
    target: str
    binary: Path
    revision: int


@asynccontextmanager
async def held(session: DocumentHost, opened: OpenDocument, *, whole: bool) -> AsyncIterator[Done]:
    """Runs ptxas, and keeps its output files while the context lasts.

    `whole`: whether to generate code.

    Raises:
        ToolError: if ptxas is missing or takes too long, or the workspace is not trusted.
    """
    if session.is_restricted:
        raise ToolError(_RESTRICTED)
    used = session.settings_of(opened.uri)
    program = await session.run(lambda _: _program(used))
    with TemporaryDirectory(prefix="ptx-ls-", ignore_cleanup_errors=True) as folder:
        source, binary = Path(folder, "module.ptx"), Path(folder, "module.cubin")
        revision = opened.revision
        work = partial(_write, opened.document, source)
        target = await session.run(lambda _: work())
        limit = used.ptxas_timeout
        if whole:
            made = await assembler.assemble(program, source, target, binary, limit)
        else:
            made = await assembler.check(program, source, target, limit)
        yield Done(made, program, target, binary, revision)


def _program(used: Settings) -> Path:
    """Returns the path of the ptxas to run; searches the disk."""
    if not used.ptxas_path:
        found = ptxas.find()
        if found is None:
            raise ToolError(_NONE)
        return found
    chosen = programs.chosen(used.ptxas_path)
    if chosen is None:
        raise ToolError(
            f"cannot find `{used.ptxas_path}`, the value of the setting `ptx.ptxas.path`"
        )
    return chosen


def _write(document: Document, source: Path) -> str:
    """Writes a module so that ptxas counts its lines as editors do; returns its target."""
    text = document.text
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    source.write_bytes(text.encode(errors="replace"))
    return ptxas.target_of(text[:_MAX_HEADER_LENGTH])
