"""The server: offers the tools to an agent over standard input and output."""

from __future__ import annotations

from threading import Event
from typing import TYPE_CHECKING, Annotated, Final, TypeVar

import anyio.to_thread
from mcp.server.mcpserver import MCPServer
from mcp.server.mcpserver.exceptions import ResourceNotFoundError, ToolError
from mcp.types import ToolAnnotations
from pydantic import Field

from ptx_ls import __version__
from ptx_ls.lint import rule as registry
from ptx_ls.mcp import tools
from ptx_ls.mcp.results import (
    DiffResult,
    FormatResult,
    LintResult,
    PageResult,
    RequirementsResult,
    SearchHit,
)
from ptx_ls.mcp.sources import ToolInputError, text_of

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

Result = TypeVar("Result")

INSTRUCTIONS: Final = """\
ptx-ls checks and explains PTX, the assembly language of NVIDIA GPUs. `lint` finds the errors that \
ptxas would report, and other mistakes; use it after each change to PTX. `isa` describes an \
instruction, special register, directive, type, target or version; `search` finds these pages by \
words. `requirements` gives the PTX ISA version and target that a module needs; `diff` compares \
two modules by meaning. No tool changes a file.
"""
_READS: Final = ToolAnnotations(
    read_only_hint=True, destructive_hint=False, idempotent_hint=True, open_world_hint=False
)
_MARKDOWN: Final = "text/markdown"

Text = Annotated[str | None, Field(description="The PTX text of a whole module.")]
Path = Annotated[
    str | None,
    Field(
        description="The path of a .ptx file to read instead of `text`, in a folder given with"
        " --folder."
    ),
]


def server(folders: Sequence[str]) -> MCPServer:
    """Returns the server; it only reads files below the folders, which are absolute paths."""
    made = MCPServer("ptx-ls", instructions=INSTRUCTIONS, version=__version__, log_level="WARNING")
    _add_tools_for_modules(made, folders)
    _add_tools_for_pages(made)
    _add_resources(made)
    return made


def _add_tools_for_modules(made: MCPServer, folders: Sequence[str]) -> None:
    def read(text: str | None, path: str | None) -> str:
        return text_of(text, path, folders)

    @made.tool(title="Lint PTX", annotations=_READS)
    async def lint(
        text: Text = None,
        path: Path = None,
        max_findings: Annotated[
            int,
            Field(
                ge=1,
                le=tools.MAX_FINDINGS,
                description="If there are more, the most severe ones are kept.",
            ),
        ] = 100,
    ) -> LintResult:
        """Find errors and mistakes in PTX: all that ptxas rejects, and more, with fixes."""
        return await _run(
            lambda should_stop: tools.findings_in(read(text, path), max_findings, should_stop)
        )

    @made.tool(title="Format PTX", annotations=_READS)
    async def format(text: Text = None, path: Path = None) -> FormatResult:  # noqa: A001
        """Align opcodes, operands and comments of PTX; only white space changes."""
        return await _run(lambda _: tools.formatted(read(text, path)))

    @made.tool(title="Requirements of PTX", annotations=_READS)
    async def requirements(
        text: Text = None,
        path: Path = None,
        version: Annotated[
            str | None,
            Field(
                description="List the lines that this PTX ISA version, such as `7.8`, does not"
                " support."
            ),
        ] = None,
        target: Annotated[
            str | None,
            Field(
                description="List the lines that this target, such as `sm_80`, does not support."
            ),
        ] = None,
    ) -> RequirementsResult:
        """Find the lowest PTX ISA version and the targets that a module needs, and why."""
        return await _run(
            lambda should_stop: tools.needs_of(read(text, path), version, target, should_stop)
        )

    @made.tool(title="Compare PTX", annotations=_READS)
    async def diff(
        before: Text = None, after: Text = None, before_path: Path = None, after_path: Path = None
    ) -> DiffResult:
        """Find what differs in meaning between two modules: renamed registers do not count."""
        return await _run(
            lambda _: tools.differences(read(before, before_path), read(after, after_path))
        )

    del lint, format, requirements, diff


def _add_tools_for_pages(made: MCPServer) -> None:
    @made.tool(title="Explain a rule", annotations=_READS)
    async def explain(
        rule: Annotated[str, Field(description="The name of a rule, as in a finding.")],
    ) -> PageResult:
        """Get the page of a lint rule: what it reports, why, and what to write instead."""
        return await _run(lambda _: tools.rule_page(rule))

    @made.tool(title="Look up PTX", annotations=_READS)
    async def isa(
        name: Annotated[
            str,
            Field(
                description="An opcode with any modifiers (`ld.global.nc`), a special register"
                " (`%tid`), a directive (`.maxntid`), a type, a target (`sm_90a`), a version or a"
                " chapter (`swizzle`)."
            ),
        ],
    ) -> PageResult:
        """Get the page of a PTX name: forms, modifiers, operands, semantics, requirements."""
        return await _run(lambda _: tools.isa_page(name))

    @made.tool(title="Search PTX pages", annotations=_READS)
    async def search(
        words: Annotated[
            str, Field(description="Words that a page must contain, such as `async proxy`.")
        ],
    ) -> list[SearchHit]:
        """Find pages on the instruction set and on lint rules by the words in them."""
        return await _run(lambda _: tools.pages_with(words))

    del explain, isa, search


def _add_resources(made: MCPServer) -> None:
    @made.resource("ptx://rules", name="rules", title="Lint rules", mime_type=_MARKDOWN)
    def rules() -> str:
        """All lint rules with a line on each."""
        return "".join(f"- {each.name}: {each.summary}\n" for each in registry.rules().values())

    @made.resource("ptx://rules/{rule}", title="A lint rule", mime_type=_MARKDOWN)
    def rule_page(rule: str) -> str:
        """The page of a lint rule."""
        return _page(lambda: tools.rule_page(rule))

    @made.resource("ptx://isa/{name}", title="A PTX name", mime_type=_MARKDOWN)
    def isa_page(name: str) -> str:
        """The page of an instruction, special register, directive, type, target or version."""
        return _page(lambda: tools.isa_page(name))

    del rules, rule_page, isa_page


def _page(make: Callable[[], PageResult]) -> str:
    try:
        return make().page
    except ToolInputError as error:
        raise ResourceNotFoundError(str(error)) from None


async def _run(work: Callable[[Callable[[], bool]], Result]) -> Result:
    """Works on a thread, so that the server answers other requests meanwhile.

    `work` gets a function that returns whether the client has cancelled the call.

    Raises:
        ToolError: if an argument is wrong.
    """
    is_over = Event()
    try:
        return await anyio.to_thread.run_sync(work, is_over.is_set, abandon_on_cancel=True)
    except ToolInputError as error:
        raise ToolError(str(error)) from None
    finally:
        is_over.set()
