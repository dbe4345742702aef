"""`ptx-ls cfg`: the control flow of a function as a picture, or as a Graphviz graph."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Final

from ptx_ls.cli import console, inputs
from ptx_ls.cli.arguments import ArgumentParser, UsageError
from ptx_ls.cli.inputs import Unreadable
from ptx_ls.cli.output import add_output_file, write_output
from ptx_ls.cli.status import ExitStatus
from ptx_ls.document.document import Document
from ptx_ls.features.control_flow.flow_dot import dot
from ptx_ls.features.control_flow.flow_svg import NoPictureError, svg
from ptx_ls.features.control_flow.flow_text import flow_of, name_of
from ptx_ls.files.languages import OtherLanguageError
from ptx_ls.semantics.demangle import demangled
from ptx_ls.source.dumps import dump_begin
from ptx_ls.source.encoding import EncodingError, decode
from ptx_ls.source.near_names import did_you_mean

if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Sequence

    from ptx_ls.features.control_flow.flow_text import Flow

_MAX_NAMED_FUNCTIONS: Final = 5
"""Maximum number of functions to name if the user must choose one."""
_EPILOG: Final = """\
exit status:
  0  the picture was written
  2  wrong arguments, a file that cannot be read or written, a function too large for a picture,
     or an output that would overwrite a PTX file

examples:
  ptx-ls cfg kernel.ptx -o kernel.svg          the only function of a file
  ptx-ls cfg --function saxpy kernels.ptx      one of several functions, by all or part of its name
  ptx-ls cfg --format dot kernel.ptx | dot -Tpdf -o kernel.pdf
"""


def main(arguments: list[str]) -> int:
    """Runs the subcommand and returns the exit status."""
    options = _parser().parse_paths(arguments)
    match options.paths:
        case [str(path)] if not os.path.isdir(path):
            file = inputs.find([path])[0]
        case [str(path)]:
            raise UsageError(f"`{console.escaped(path)}` is a directory, expected one file")
        case paths:
            raise UsageError(f"{len(paths) or 'no'} files; name one, or `-` for standard input")
    try:
        if isinstance(file, Unreadable):
            return _refuse(f"{file.path}: {file.reason}")
        document = Document.read(decode(inputs.read(file)).text)
        inputs.require_own_language(file.path, document)
        flow = _chosen(document, options.function)
        picture = dot(flow, lambda: False) if _is_dot(options) else svg(flow)
    except (OSError, EncodingError, OtherLanguageError) as error:
        return _refuse(f"{path}: {inputs.reason_of(error)}")
    except _NotFoundError as error:
        return _refuse(f"{path}: {error}")
    except NoPictureError as error:
        return _refuse(f"{path}: {error}; `--format dot` has no limit")
    write_output(options.output, [picture], [path])
    return ExitStatus.CLEAN


class _NotFoundError(Exception):
    """No function is selected, or several are; the message lists those that exist."""


def _parser() -> ArgumentParser:
    parser = ArgumentParser(
        prog="ptx-ls cfg",
        description="Draws the control flow of a function: its blocks, branches and loops.",
        epilog=_EPILOG,
    )
    parser.add_argument(
        "paths", nargs="*", metavar="FILE", help="a file, or `-` for standard input"
    )
    parser.add_argument(
        "--function",
        metavar="NAME",
        help=(
            "the name of the function to draw, or a unique part of the name; needed if the file "
            "has several functions"
        ),
    )
    parser.add_argument(
        "--output-format",
        "--format",
        choices=["svg", "dot"],
        help="the format of the picture (default: dot if the output file is *.dot or *.gv, "
        "else svg)",
    )
    add_output_file(parser)
    return parser


def _is_dot(options: Namespace) -> bool:
    if options.output_format is not None:
        return bool(options.output_format == "dot")
    return (options.output or "").lower().endswith((".dot", ".gv"))


def _chosen(document: Document, wanted: str | None) -> Flow:
    """Returns the selected function.

    Raises:
        _NotFoundError: if no function is selected, or several are.
    """
    names = [(index, name_of(document, index)) for index in range(document.n_leaves)]
    flows = [flow for index, name in names if name and (flow := flow_of(document, index))]
    if not flows:
        raise _NotFoundError("no function with a body")
    found = flows if wanted is None else [flow for flow in flows if flow.name == wanted]
    if wanted is not None and not found:
        found = [it for it in flows if wanted in it.name or wanted in (demangled(it.name) or "")]
    if len(found) == 1:
        return found[0]
    listed = ", ".join(
        console.escaped(flow.name) for flow in (found or flows)[:_MAX_NAMED_FUNCTIONS]
    )
    more = ", ..." if len(found or flows) > _MAX_NAMED_FUNCTIONS else ""
    if found and len({flow.name for flow in found}) == 1:
        raise _NotFoundError(_repeated(found, document))
    if found:
        what = f"`{console.escaped(wanted)}` is in the names of" if wanted else "there are"
        raise _NotFoundError(
            f"{what} {len(found)} functions; choose one with --function: {listed}{more}"
        )
    near = did_you_mean(wanted or "", [flow.name for flow in flows])
    known = (
        f"the functions are {listed}{more}" if len(flows) > 1 else f"the only function is {listed}"
    )
    raise _NotFoundError(f"no function `{console.escaped(wanted or '')}`{near}; {known}")


def _repeated(flows: Sequence[Flow], document: Document) -> str:
    """Returns the message about several functions with the same name."""
    lines = ", ".join(str(flow.start + 1) for flow in flows)
    hint = ""
    if dump_begin(document.lines) is not None:
        hint = "; `cuobjdump -ptx -arch sm_N` prints one of the modules"
    return f"`{flows[0].name}` is defined {len(flows)} times, on lines {lines}{hint}"


def _refuse(message: str) -> int:
    console.complain(console.escaped(message))
    return ExitStatus.BAD_INPUT
