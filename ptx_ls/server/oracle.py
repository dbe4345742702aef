"""Runs ptxas on open documents: when they are saved, and when a command asks for it.

Of one document there is one run at a time, and of all no more than a few, so that saving a folder
does not take the whole machine. The next edit or save ends a run that a save began.
"""

from __future__ import annotations

import asyncio
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Final, NamedTuple

from ptx_ls.server.sayings import Said, Sayings
from ptx_ls.server.settings import OnSave
from ptx_ls.toolchain import assembler, ptxas
from ptx_ls.toolchain.assembler import ToolError

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable

    from ptx_ls.server.documents import OpenDocument
    from ptx_ls.server.session import Session
    from ptx_ls.server.settings import Settings

_AT_ONCE: Final = 2
_TOP: Final = 1 << 16
"""Characters in which `.target` is looked for."""
_NONE: Final = f"ptxas was not found; set `ptx.ptxas.path`, or `{ptxas.INSTALL_HINT}`"


class Done(NamedTuple):
    """A run that came to its end.

    Attributes:
        run: what ptxas said.
        program: the ptxas that ran.
        target: what the module was compiled for.
        binary: the compiled module, if it was accepted; there only while the run is held.
        version: of the document, when it was read.
    """

    run: ptxas.Run
    program: Path
    target: str
    binary: Path
    version: int


class _Asked:
    """What is known of one document."""

    def __init__(self) -> None:
        self.sayings = Sayings()
        self.lock = asyncio.Lock()
        self.task: asyncio.Task[None] | None = None

    def stop(self) -> None:
        if self.task is not None:
            self.task.cancel()
            self.task = None


class Oracle:
    """The runs of one session. `on_change` is called when there is something new to be shown."""

    def __init__(
        self,
        session: Session,
        warn: Callable[[str], None],
        on_change: Callable[[OpenDocument], None],
    ) -> None:
        self._session, self._warn, self._on_change = session, warn, on_change
        self._asked: dict[OpenDocument, _Asked] = {}
        self._few = asyncio.Semaphore(_AT_ONCE)

    def saved(self, opened: OpenDocument) -> None:
        """Asks ptxas about a document that was saved, if the user wants that."""
        how = self._session.settings_of(opened.uri).ptxas_on_save
        if how is OnSave.OFF:
            return
        asked = self._of(opened)
        asked.stop()
        asked.task = asyncio.ensure_future(self._check(opened, how))

    def edited(self, opened: OpenDocument) -> None:
        """Gives up a run on what is no longer the text."""
        if opened in self._asked:
            self._asked[opened].stop()

    def reconfigure(self, opened: OpenDocument) -> None:
        """Forgets what the user does not want any more."""
        if self._session.settings_of(opened.uri).ptxas_on_save is OnSave.OFF:
            asked = self._asked.get(opened)
            if asked is not None:
                asked.stop()
                asked.sayings.clear()

    def forget(self, opened: OpenDocument) -> None:
        """Drops a document that was closed."""
        asked = self._asked.pop(opened, None)
        if asked is not None:
            asked.stop()

    def close(self) -> None:
        """Ends all runs."""
        for opened in list(self._asked):
            self.forget(opened)

    def said(self, opened: OpenDocument) -> list[Said]:
        """What ptxas said that is still true, in the order of the text."""
        asked = self._asked.get(opened)
        return asked.sayings.present(opened.document) if asked is not None else []

    def take(self, opened: OpenDocument, done: Done) -> None:
        """Has shown what a run said, unless the document was edited or closed meanwhile."""
        asked = self._asked.get(opened)
        if asked is not None and opened.version == done.version:
            asked.sayings.take(opened.document, done.run.messages)
            self._on_change(opened)

    @asynccontextmanager
    async def run(self, opened: OpenDocument, *, whole: bool) -> AsyncIterator[Done]:
        """Runs ptxas on a document, and holds what it made meanwhile. `whole`: makes code.

        Raises:
            ToolError: if there is no ptxas, or it does not come to its end.
        """
        async with self._of(opened).lock, self._few:
            used = self._session.settings_of(opened.uri)
            program = await self._session.run(lambda _: _program(used))
            with TemporaryDirectory(prefix="ptx-ls-", ignore_cleanup_errors=True) as folder:
                source, binary = Path(folder, "module.ptx"), Path(folder, "module.cubin")
                version = opened.version
                work = partial(_write, tuple(opened.document.lines), source)
                target = await self._session.run(lambda _: work())
                limit = used.ptxas_timeout
                if whole:
                    made = await assembler.assemble(program, source, target, binary, limit)
                else:
                    made = await assembler.check(program, source, target, limit)
                yield Done(made, program, target, binary, version)

    def _of(self, opened: OpenDocument) -> _Asked:
        return self._asked.setdefault(opened, _Asked())

    async def _check(self, opened: OpenDocument, how: OnSave) -> None:
        await self._session.wait(opened.uri)
        try:
            async with self.run(opened, whole=how is OnSave.ASSEMBLE) as done:
                self.take(opened, done)
        except ToolError as error:
            self._warn(str(error))


def _program(used: Settings) -> Path:
    """The ptxas to run. Looks at files."""
    if not used.ptxas_path:
        found = ptxas.find()
        if found is None:
            raise ToolError(_NONE)
        return found
    chosen = Path(used.ptxas_path).expanduser()
    if not chosen.is_file():
        raise ToolError(f"there is no `{chosen}`, as the setting `ptx.ptxas.path` has it")
    return chosen


def _write(lines: tuple[str, ...], source: Path) -> str:
    """Writes a module so that ptxas counts its lines as editors do; returns its target."""
    text = "".join(lines)
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    source.write_bytes(text.encode(errors="replace"))
    return ptxas.target_of(text[:_TOP])
