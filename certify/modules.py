"""Whole modules as ptxas and the linter judge them, many small ones in one run.

A case is one line of text in a frame: at module level, in a kernel's body, or a module of its own.
Cases of one frame and configuration share a file. A fatal message ends a run of ptxas, so it is
resumed after that line. Cases that are accepted together with rejected ones are tried again without
them.
"""

from __future__ import annotations

import tempfile
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import Enum
from pathlib import Path

from certify.oracle import Configuration
from certify.reading_errors import reading_errors
from ptx_ls.document.document import Document
from ptx_ls.isa.version import parse_target
from ptx_ls.lint.session import lint
from ptx_ls.toolchain import ptxas

_FATAL = "fatal"
_LOOSE_RULES = frozenset({"syntax-error", "unbalanced-brace"})
"""Rules whose findings may spill from one case over to its neighbours."""
_MEMORY = " .minperctamemory 16"
_COMMAND = "requires command line option"
"""The message of ptxas for a module that is legal with another option."""
_MANY = 300
"""Cases in a file at most."""


class Frame(Enum):
    """The text around a case."""

    MODULE = "module"
    """The three directives of the header before it."""
    BODY = "body"
    """A kernel with registers `h d r f w p` of 16, 64, 32, f32, f64 bits and predicates."""
    WHOLE = "whole"
    """Nothing: the case is the module, `\\n` between its lines."""


@dataclass(frozen=True, slots=True)
class Case:
    """A text to be judged, in which `NAME` stands for a name of its own.

    `cause` groups cases of one kind in reports.
    """

    frame: Frame
    configuration: Configuration
    text: str
    cause: str = ""

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True, slots=True)
class Answer:
    """The verdicts of ptxas and the linter on a case: their first errors, or None."""

    case: Case
    theirs: str | None
    ours: str | None


def before(frame: Frame, configuration: Configuration) -> str:
    """The lines before the cases of a frame."""
    if frame is Frame.WHOLE:
        return ""
    version = configuration.number
    lines = [f".version {configuration.version}", f".target {configuration.target}"]
    if version >= (2, 3):
        lines.append(".address_size 64")
    if frame is Frame.BODY:
        lines += [
            ".global .align 16 .b8 variable[64];",
            f".entry kernel (){_MEMORY if _has_memory(configuration) else ''} {{",
            ".reg .b16 h<4>; .reg .b32 r<4>; .reg .b64 d<4>; .reg .pred p<4>;",
            ".reg .f32 f<4>; .reg .f64 w<4>; .reg .u16 u<4>; .reg .s32 s<4>;",
        ]
    return "\n".join(lines) + "\n"


def _has_memory(configuration: Configuration) -> bool:
    """Whether blocks may have memory of their own, which some special registers need."""
    target = parse_target(configuration.target.partition(",")[0]) or (0, "")
    return configuration.number >= (9, 4) and target >= (80, "")


def after(frame: Frame) -> str:
    """The lines after the cases of a frame."""
    return "exit;\n}\n" if frame is Frame.BODY else ""


def module_text(cases: Sequence[Case]) -> str:
    """The file of cases of one frame and configuration."""
    first = cases[0]
    if first.frame is Frame.WHOLE:
        return first.text.replace("\\n", "\n") + "\n"
    lines = "".join(
        case.text.replace("NAME", f"name_{number}") + "\n" for number, case in enumerate(cases)
    )
    return before(first.frame, first.configuration) + lines + after(first.frame)


class ModuleOracle:
    """ptxas as a judge of cases. Close it to remove its scratch directory."""

    def __init__(self, program: Path) -> None:
        self.program = program
        self.n_runs = 0
        self._directory = tempfile.TemporaryDirectory(prefix="ptx-ls-modules-")
        self._source = Path(self._directory.name) / "module.ptx"

    def close(self) -> None:
        """Removes the scratch directory."""
        self._directory.cleanup()

    def judge(self, cases: Iterable[Case]) -> list[Answer]:
        """The answers to all cases, crashes of ptxas left out."""
        found: list[Answer] = []
        for group in _groups(cases):
            theirs = self._settled(group)
            judged = [case for case in group if theirs[case] is not _CRASHED]
            accepted = [case for case in judged if theirs[case] is None]
            rejected = [case for case in judged if theirs[case] is not None]
            ours = {**our_errors(accepted), **our_errors(rejected)}
            found += [Answer(case, theirs[case], ours.get(case)) for case in judged]
        return found

    def _settled(self, cases: list[Case]) -> dict[Case, str | None]:
        """Verdicts; what was accepted beside rejected cases was asked again without them."""
        verdicts = self._batch(cases)
        while True:
            accepted = [case for case in cases if verdicts[case] is None]
            if not accepted or len(accepted) == len(cases):
                return verdicts
            late = self._batch(accepted)
            verdicts |= late
            cases = accepted

    def _batch(self, cases: list[Case]) -> dict[Case, str | None]:
        verdicts: dict[Case, str | None] = dict.fromkeys(cases)
        first = before(cases[0].frame, cases[0].configuration).count("\n") + 1
        start = 0
        while start < len(cases):
            rest = cases[start:]
            run = self._run(rest)
            loose = _CRASHED if run.crashed else None
            stop = len(rest)
            for message in run.messages:
                if not message.is_error or _COMMAND in message.text:
                    continue
                index = (message.line or 0) - first if len(rest) > 1 else 0
                if message.severity == _FATAL and 0 < index <= len(rest):
                    # perhaps the case before it has no end
                    verdicts |= self._batch([rest[index - 1]])
                    if verdicts[rest[index - 1]] is not None:
                        stop = index
                        break
                if not 0 <= index < len(rest):
                    loose = loose or message.text
                    continue
                verdicts[rest[index]] = verdicts[rest[index]] or message.text
                if message.severity == _FATAL:
                    stop = index + 1
            if loose is not None:
                return {**verdicts, **self._halves(rest, loose)}
            start += stop
        return verdicts

    def _halves(self, cases: list[Case], error: str) -> dict[Case, str | None]:
        """Each half alone, for an error that names no line of ours."""
        if len(cases) == 1:
            return {cases[0]: error}
        half = len(cases) // 2
        return {**self._batch(cases[:half]), **self._batch(cases[half:])}

    def _run(self, cases: list[Case]) -> ptxas.PtxasRun:
        self.n_runs += 1
        self._source.write_text(module_text(cases), encoding="utf-8")
        return ptxas.run(self.program, self._source, cases[0].configuration.target)


_CRASHED = "ptxas crashed"


def _groups(cases: Iterable[Case]) -> Iterable[list[Case]]:
    by_frame: dict[tuple[Frame, Configuration], dict[Case, None]] = defaultdict(dict)
    for case in cases:
        by_frame[case.frame, case.configuration][case] = None
    for (frame, _), group in by_frame.items():
        size = 1 if frame is Frame.WHOLE else _MANY
        listed = list(group)
        for start in range(0, len(listed), size):
            yield listed[start : start + size]


def our_errors(cases: Sequence[Case]) -> dict[Case, str]:
    """Cases of one frame and configuration that the linter calls an error, with its message.

    If one of them cannot be parsed, each is checked by itself.
    """
    if not cases:
        return {}
    found: dict[Case, str] = {}
    first = before(cases[0].frame, cases[0].configuration).count("\n")
    for diagnostic in reading_errors(lint(Document.read(module_text(cases)))):
        index = diagnostic.range.start.line - first
        if len(cases) == 1:
            index = 0
        elif diagnostic.rule in _LOOSE_RULES or not 0 <= index < len(cases):
            half = len(cases) // 2
            return {**our_errors(cases[:half]), **our_errors(cases[half:])}
        found.setdefault(cases[index], f"{diagnostic.rule}: {diagnostic.message}")
    return found
