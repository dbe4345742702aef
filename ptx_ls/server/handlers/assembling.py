"""Commands that show the machine code or the resource usage of a document."""

from __future__ import annotations

import asyncio
from contextlib import asynccontextmanager
from dataclasses import asdict
from typing import TYPE_CHECKING, Any, Final

from lsprotocol import types
from pygls.exceptions import JsonRpcInvalidParams, JsonRpcRequestCancelled

from ptx_ls.server.handlers.command_arguments import opened_document
from ptx_ls.server.protocol.errors import RequestFailedError
from ptx_ls.toolchain import disassembler, programs
from ptx_ls.toolchain.assembler import ToolError
from ptx_ls.toolchain.resources import ResourceUsage, usages

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from pathlib import Path

    from ptx_ls.server.diagnostics.ptxas_run import Done
    from ptx_ls.server.documents.open_documents import OpenDocument
    from ptx_ls.server.session import Session

_MAX_LISTED: Final = 5
"""Maximum number of kernels or errors listed in a message to the user; the rest is counted."""


async def assemble(session: Session, params: types.ExecuteCommandParams) -> dict[str, Any]:
    """Compiles a document for its target; returns the resource usage of kernels, or the errors."""
    opened = _only(session, params)
    async with _compiled(session, opened, params, "Assembling") as done:
        session.ptxas.take(opened, done)
        used = [] if done.run.status else usages(done.run.output)
        told = _worded(done, used)
        kind = types.MessageType.Error if done.run.status else types.MessageType.Info
        session.client.show_message(told, kind)
        return {
            "accepted": not done.run.status,
            "target": done.target,
            "messages": [asdict(it) for it in done.run.messages],
            "functions": [_facts(it) for it in used],
            "text": told,
        }


async def show_machine_code(session: Session, params: types.ExecuteCommandParams) -> str:
    """Returns the disassembled machine code that ptxas generates for a document."""
    opened = _only(session, params)
    async with _compiled(session, opened, params, "Disassembling") as done:
        if done.run.status:
            session.ptxas.take(opened, done)
            raise RequestFailedError(_worded(done, []))
        used = session.settings_of(opened.uri)
        program = await session.run(lambda _: _disassembler(used.ptxas_disassembler, done.program))
        return await disassembler.disassemble(program, done.binary, used.ptxas_timeout)


def _disassembler(chosen: str, ptxas: Path) -> Path:
    if not chosen:
        found = disassembler.find(ptxas)
        if found is None:
            raise ToolError(
                "neither nvdisasm nor cuobjdump was found; set `ptx.ptxas.disassembler`, "
                f"or run `{disassembler.INSTALL_HINT}`"
            )
        return found
    path = programs.chosen(chosen)
    if path is None:
        raise ToolError(
            f"cannot find `{chosen}`, the value of the setting `ptx.ptxas.disassembler`"
        )
    return path


@asynccontextmanager
async def _compiled(
    session: Session, opened: OpenDocument, params: types.ExecuteCommandParams, title: str
) -> AsyncIterator[Done]:
    """Compiles a document; shows progress, and stops if the user cancels.

    Raises:
        JsonRpcRequestCancelled: if the user cancelled.
        RequestFailedError: if a program is missing or failed.
    """
    progress = session.progress.start(title, params.work_done_token)
    task = asyncio.current_task()
    if task is not None:
        progress.on_cancel = task.cancel
    try:
        if progress.is_cancelled:
            raise JsonRpcRequestCancelled
        async with session.ptxas.run(opened, whole=True) as done:
            yield done
    except (ToolError, OSError) as error:
        raise RequestFailedError(str(error)) from error
    except asyncio.CancelledError:
        if progress.is_cancelled:
            raise JsonRpcRequestCancelled from None
        raise
    finally:
        progress.on_cancel = None
        progress.end()


def _worded(done: Done, used: list[ResourceUsage]) -> str:
    """Summarizes a run of ptxas for the user."""
    if done.run.status:
        errors = [it for it in done.run.messages if it.is_error]
        lines = [f"line {it.line}: {it.text}" if it.line else it.text for it in errors]
        first = f"ptxas rejects the module for {done.target}"
    else:
        lines = [_told(it) for it in used if it.is_kernel]
        first = f"compiled for {done.target}" if lines else f"compiled for {done.target}, no kernel"
    more = [f"... {len(lines) - _MAX_LISTED} more"] if len(lines) > _MAX_LISTED else []
    return "\n".join([first, *lines[:_MAX_LISTED], *more])


def _told(usage: ResourceUsage) -> str:
    parts = [f"{usage.registers} registers"]
    if usage.spill_stores or usage.spill_loads:
        parts.append(f"{usage.spill_stores} B spill stores, {usage.spill_loads} B spill loads")
    else:
        parts.append("no spills")
    memory = [("stack", usage.stack), ("shared", usage.shared), ("local", usage.local)]
    memory.append(("constant", sum(usage.constant.values())))
    parts += [f"{size:,} B {name}" for name, size in memory if size]
    return f"{usage.name}: {', '.join(parts)}"


def _facts(usage: ResourceUsage) -> dict[str, Any]:
    return {
        "name": usage.name,
        "isKernel": usage.is_kernel,
        "registers": usage.registers,
        "barriers": usage.barriers,
        "stack": usage.stack,
        "spillStores": usage.spill_stores,
        "spillLoads": usage.spill_loads,
        "shared": usage.shared,
        "local": usage.local,
        "constant": {str(bank): size for bank, size in usage.constant.items()},
    }


def _only(session: Session, params: types.ExecuteCommandParams) -> OpenDocument:
    match params.arguments:
        case [str(uri)]:
            return opened_document(session, uri)
        case _:
            raise JsonRpcInvalidParams(
                f"`{params.command}` takes one argument: the URI of an open document"
            )
