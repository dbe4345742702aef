"""`ptx-ls isa`: the pages of the instruction set in the terminal, or their facts as JSON."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from ptx_ls.cli import console
from ptx_ls.cli.arguments import ArgumentParser, UsageError
from ptx_ls.cli.output import JSON, add_output_options, json_text, write_output
from ptx_ls.cli.pages import add_colour_option, hit_lines, show
from ptx_ls.cli.reports.tables import table
from ptx_ls.cli.status import ExitStatus
from ptx_ls.handbook.index import IndexLine, index, statistics
from ptx_ls.handbook.lookup import UnknownNameError, describe_in_any_case
from ptx_ls.handbook.markdown import pages_markdown
from ptx_ls.source.near_names import did_you_mean

if TYPE_CHECKING:
    from argparse import Namespace


_EPILOG = """\
A NAME is an opcode with or without modifiers (ld.global.nc), a special register (%tid)
or other predefined name (WARP_SZ), a directive (.maxntid), a type (.f16x2), a state
space (.shared), a pragma (nounroll), a target (sm_90a), a PTX ISA version (8.5), a
chapter (memory-model), a modifier by itself (.sat), or an LLVM intrinsic
(llvm.nvvm.barrier0), for which the corresponding PTX is shown. For other words, such as
`async proxy`, all pages are searched. Without a NAME, all names are listed.
"""


def main(arguments: list[str]) -> int:
    """Prints pages, the list of all names, or counts."""
    options = _parser().parse(arguments)
    if options.stats:
        _only(options, "--stats")
        write_output(options.output, [_statistics(as_json=options.output_format == JSON)])
    elif options.names:
        _only(options, "")
        _show_pages(options)
    else:
        lines = _chosen(options.category)
        is_short = not (options.list or options.category)
        is_json = options.output_format == JSON
        text = _index_as_json(lines) if is_json else _index(lines, is_short=is_short)
        write_output(options.output, [text])
    return ExitStatus.CLEAN


def _parser() -> ArgumentParser:
    parser = ArgumentParser(
        prog="ptx-ls isa",
        description="Prints reference pages: forms, modifiers, operands, versions and pitfalls.",
        epilog=_EPILOG,
    )
    parser.add_argument("names", metavar="NAME", nargs="*", help="what to look up; see below")
    parser.add_argument("--list", action="store_true", help="list all names with a summary")
    parser.add_argument("--category", metavar="NAME", help="list the names in this category")
    parser.add_argument(
        "--stats", action="store_true", help="print the numbers of opcodes, forms, modifiers, ..."
    )
    add_output_options(
        parser,
        ("markdown", JSON),
        "json has all facts, for tools, as described in docs/isa-json.md",
    )
    add_colour_option(parser)
    return parser


def _only(options: Namespace, name: str) -> None:
    """Rejects options that do not fit the request."""
    others = [option for option in ("--list", "--category") if getattr(options, option[2:])]
    if name and options.names:
        others.append("NAME")
    if others:
        raise UsageError(f"{others[0]} cannot be combined with {name or 'NAME'}")


def _show_pages(options: Namespace) -> None:
    try:
        entries = [entry for name in options.names for entry in describe_in_any_case(name)]
    except UnknownNameError as error:
        _show_hits(error, options)
        return
    if options.output_format == JSON:
        write_output(options.output, [json_text([entry.as_data() for entry in entries])])
        return
    show(pages_markdown(entry.page for entry in entries), options)


def _show_hits(error: UnknownNameError, options: Namespace) -> None:
    """Lists the pages that have the words of an unknown name.

    Raises:
        UsageError: if no page has them, or if it is one word and another name is near.
    """
    from ptx_ls.handbook import search

    near = did_you_mean(error.name, error.known)
    words = " ".join(options.names)
    hits = [] if near and " " not in words else search.found(words, search.pages())
    if not hits:
        raise UsageError(f"{error}{near}")
    unknown = f"nothing in PTX is called `{words}`" if len(options.names) > 1 else str(error)
    console.complain(f"{console.escaped(unknown)}; these pages contain the words:", prefix="")
    if options.output_format == JSON:
        write_output(options.output, [json_text([hit._asdict() for hit in hits])])
    else:
        write_output(options.output, [hit_lines(hits)])


def _chosen(category: str | None) -> list[IndexLine]:
    lines = list(index())
    if category is None:
        return lines
    categories = dict.fromkeys(line.category for line in lines)
    if category not in categories:
        near = did_you_mean(category, categories)
        known = ", ".join(categories)
        raise UsageError(
            f"no category `{console.escaped(category)}`{near}; the categories are {known}"
        )
    return [line for line in lines if line.category == category]


def _index(lines: list[IndexLine], *, is_short: bool) -> str:
    """Returns the names by category, or one per line with its summary."""
    if not is_short:
        rows = [(each.name, each.category, each.summary.replace("`", "")) for each in lines]
        return table(rows, sys.stdout)
    import textwrap

    width = min(console.width(sys.stdout), 100)
    text = ""
    for category in dict.fromkeys(line.category for line in lines):
        names = " ".join(line.name for line in lines if line.category == category)
        folded = textwrap.fill(
            names,
            width,
            initial_indent="    ",
            subsequent_indent="    ",
            break_long_words=False,
            break_on_hyphens=False,
        )
        text += f"{category}\n{folded}\n"
    return f"{text}\n`ptx-ls isa NAME` prints the page of a name; see `ptx-ls isa --help`.\n"


def _index_as_json(lines: list[IndexLine]) -> str:
    return json_text(
        [
            {
                "name": line.name,
                "kind": line.kind,
                "category": line.category,
                "summary": line.summary,
            }
            for line in lines
        ]
    )


def _statistics(*, as_json: bool) -> str:
    from dataclasses import asdict

    counts = asdict(statistics())
    if as_json:
        return json_text(counts)
    width = max(map(len, counts))
    digits = max(len(f"{count:,}") for count in counts.values())
    return "".join(
        f"{name.replace('_', ' '):{width}}  {count:>{digits},}\n" for name, count in counts.items()
    )
