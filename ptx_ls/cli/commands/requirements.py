"""`ptx-ls requirements`: the versions and targets that files really need."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from ptx_ls.cli import console, inputs
from ptx_ls.cli.arguments import ArgumentParser, UsageError, add_paths
from ptx_ls.cli.inputs import Unreadable
from ptx_ls.cli.output import JSON, add_output_options, json_text, write_output
from ptx_ls.cli.status import ExitStatus
from ptx_ls.document.document import Document
from ptx_ls.features.requirements.requirements import Requirements, requirements
from ptx_ls.features.requirements.requirements_text import (
    as_facts,
    as_lines,
    details,
    needed_by,
    obstacles,
    summary,
)
from ptx_ls.files.languages import OtherLanguageError, other_language_of
from ptx_ls.isa import database, parse_target
from ptx_ls.source.dumps import NO_MODULES, dump_in
from ptx_ls.source.encoding import EncodingError, decode
from ptx_ls.source.english import counted
from ptx_ls.source.near_names import did_you_mean

if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Iterator

    from ptx_ls.cli.inputs import Input

_EPILOG: Final = """\
exit status:
  0  no file uses a feature that --version or --target lacks
  1  a file uses such a feature
  2  wrong arguments, or a file that cannot be read

examples:
  ptx-ls requirements kernel.ptx                  the version and target that the file needs
  ptx-ls requirements --version 7.0 *.ptx         the features in use that PTX ISA 7.0 lacks
  ptx-ls requirements --target sm_75 kernel.ptx   the features in use that sm_75 lacks
"""


def main(arguments: list[str]) -> int:
    """Runs the subcommand and returns the exit status."""
    options = _parser().parse_with_paths(arguments)
    versions = [entry.name for entry in database().versions.values()]
    targets = [name for name in database().targets if parse_target(name)]
    _check("--version", "PTX ISA version", options.version, versions)
    _check("--target", "target", options.target, targets)
    run = _RequirementsRun(options)
    write_output(options.output, run.parts(), options.paths)
    return run.status


class _RequirementsRun:
    """One run over files.

    Attributes:
        status: the exit status so far.
    """

    def __init__(self, options: Namespace) -> None:
        self._options = options
        self.status = int(ExitStatus.CLEAN)

    def parts(self) -> Iterator[str]:
        """Yields the parts of the output; complains about files that cannot be read."""
        is_json = _is_json(self._options)
        reports = self._reports()
        if is_json:
            yield json_text([*reports])
        else:
            yield from (report["text"] for report in reports)

    def _reports(self) -> Iterator[dict[str, Any]]:
        for file in inputs.find(self._options.paths):
            modules = file if isinstance(file, Unreadable) else _read(file)
            if isinstance(modules, Unreadable):
                path = console.escaped(modules.path) or repr(modules.path)
                console.complain(f"{path}: {modules.reason}")
                self.status = ExitStatus.BAD_INPUT
                continue
            for name, found in modules:
                report, suits = _report(file.path, name, found, self._options)
                result = ExitStatus.CLEAN if suits else ExitStatus.FINDINGS
                self.status = max(self.status, int(result))
                yield report


def _is_json(options: Namespace) -> bool:
    return bool(options.output_format == JSON)


def _parser() -> ArgumentParser:
    parser = ArgumentParser(
        prog="ptx-ls requirements",
        description=(
            "Prints the lowest PTX ISA version and target that PTX files need, and the lines that "
            "need them."
        ),
        epilog=_EPILOG,
    )
    add_paths(parser)
    parser.add_argument(
        "--version", metavar="V", help="list the features in use that PTX ISA V lacks"
    )
    parser.add_argument(
        "--target", metavar="sm_N", help="list the features in use that this target lacks"
    )
    add_output_options(parser, ("text", JSON), "json includes all details")
    return parser


def _check(option: str, kind: str, value: str | None, known: list[str]) -> None:
    if value is not None and value not in known:
        near = did_you_mean(value, known)
        raise UsageError(f"{option}: unknown {kind} `{console.escaped(value)}`{near}")


def _read(file: Input) -> list[tuple[str, Requirements]] | Unreadable:
    """Returns what the modules in a file need, with their names if it may have several."""
    try:
        text = decode(inputs.read(file)).text
    except (OSError, EncodingError) as error:
        return Unreadable(file.path, inputs.reason_of(error))
    if other_language_of(file.path, text):
        try:
            inputs.require_own_language(file.path, Document.read(text))
        except OtherLanguageError as error:
            return Unreadable(file.path, str(error))
    dump = dump_in(text)
    if dump is None:
        return [("", requirements(text))]
    if not dump.modules:
        return Unreadable(file.path, NO_MODULES)
    return [
        (f"module {number}: {each.name}", requirements(each.text).moved(each.first_line))
        for number, each in enumerate(dump.modules, 1)
    ]


def _report(
    path: str, module: str, found: Requirements, options: Namespace
) -> tuple[dict[str, Any], bool]:
    """Returns the report of a module of a file, and whether it fits the version and target."""
    is_asked = bool(options.version or options.target)
    against = obstacles(found, options.version, options.target) if is_asked else []
    if _is_json(options):
        named = {"module": module} if module else {}
        report = {"path": path, **named, **as_facts(found)}
        if is_asked:
            report["lacking"] = as_lines(against)
        return report, not against
    shown = console.escaped(f"{path} ({module})" if module else path)
    if not is_asked:
        lines = [f"{shown}: {summary(found)}", *(f"  {line}" for line in details(found))]
    else:
        version = options.version and f"PTX ISA {options.version}"
        asked = " and ".join(filter(None, (version, options.target)))
        lacking = counted(len(against), "feature")
        verdict = f"{lacking} not supported by" if against else "compatible with"
        lines = [f"{shown}: {verdict} {asked}"]
        lines += [f"  line {one.line + 1}: `{one.what}` needs {needed_by(one)}" for one in against]
    return {"text": "".join(f"{line}\n" for line in lines)}, not against
