"""Asks ptxas about single statements, many in one run.

Each statement is on one line of a kernel that declares registers of every type. A fatal message
ends a run, so it is resumed after that line; a crash is bisected, and so is a fatal message that
does not name one of these lines. Statements that were accepted together with rejected ones are
tried again without them, because some checks run only if there was no error before.
"""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from ptx_ls.isa.version import parse_target, parse_version
from ptx_ls.toolchain import ptxas

REGISTER_TYPES = (
    "b8", "u8", "s8", "b16", "u16", "s16", "f16", "b32", "u32", "s32", "f32", "f16x2", "b64", "u64",
    "s64", "f64",
)  # fmt: skip
REGISTERS_PER_TYPE = 560
FEW_REGISTERS = 40
"""Predicates and 128-bit registers."""
CRASH = "ptxas crashed"
_CLEAN_CHUNK = 1000


@dataclass(frozen=True, slots=True)
class Configuration:
    """The header of a module: version and target list."""

    version: str
    target: str

    def __str__(self) -> str:
        return f"{self.version}/{self.target}"

    @property
    def number(self) -> tuple[int, int]:
        """The version as numbers."""
        return parse_version(self.version)


def configuration_of(text: str) -> Configuration:
    """Reads `9.5/sm_90a`. Raises ValueError when that begins with no version."""
    version, _, target = text.partition("/")
    parse_version(version)
    return Configuration(version, target)


CONFIGURATIONS = tuple(
    Configuration(version, target)
    for version, target in (
        ("9.5", "sm_90a"),
        ("9.5", "sm_120a"),
        ("9.5", "sm_100a"),
        ("9.5", "sm_107a"),
        ("9.5", "sm_103a"),
        ("9.5", "sm_110a"),
        ("9.5", "sm_90a, texmode_independent"),
        ("6.4", "sm_72"),
        ("6.3", "sm_60"),
        ("6.2", "sm_70"),
        ("3.0", "sm_20"),
        ("1.4", "sm_13"),
        ("1.3", "sm_13"),
    )
)


def header(configuration: Configuration) -> str:
    """The text before the statements: all names that the version and the target allow."""
    version = configuration.number
    number = (parse_target(configuration.target.partition(",")[0]) or (0, ""))[0]
    lines = [f".version {configuration.version}", f".target {configuration.target}"]
    if version >= (2, 3):
        lines.append(".address_size 64")
    lines += [
        ".global .align 128 .b8 global_variable[4096];",
        ".const .align 16 .b8 const_variable[4096];",
        ".shared .align 128 .b8 shared_variable[8192];",
    ]
    if version >= (1, 5):
        lines += [".global .texref texture;", ".global .surfref surface;"]
    else:
        lines.append(".tex .u64 texture;")
    if "independent" in configuration.target:
        lines.append(".global .samplerref sampler;")
    if version >= (2, 0):
        lines += [
            ".func (.reg .b32 result) device_function (.reg .b32 x) { ret; }",
            ".func (.reg .b32 result) device_function_out () { ret; }",
            ".func device_function_in (.reg .b32 x) { ret; }",
            ".func device_function_bare () { ret; }",
        ]
    parameter = ".param .align 16 .b8 kernel_parameter[64]"
    if version >= (1, 4):
        lines += [".entry other_kernel () { exit; }", f".entry kernel ({parameter}) {{"]
    else:
        lines += [".entry other_kernel { exit; }", f".entry kernel {{ {parameter};"]
    return "\n".join([*lines, *_registers(version, number), *_locals(version, number)]) + "\n"


def _registers(version: tuple[int, int], number: int) -> list[str]:
    has_half = version >= (4, 2) and number >= _SINCE_HALF
    lines = [f".reg .pred pred_<{FEW_REGISTERS}>;"]
    lines += [
        f".reg .{name} {name}_<{REGISTERS_PER_TYPE}>;"
        for name in REGISTER_TYPES
        if has_half or not name.startswith("f16")
    ]
    if version >= (8, 3) and number >= _SINCE_QUAD:
        lines.append(f".reg .b128 b128_<{FEW_REGISTERS}>;")
    return lines


def _locals(version: tuple[int, int], number: int) -> list[str]:
    lines = [".local .align 16 .b8 local_variable[1024];"]
    if version >= (2, 0):
        lines.append(".param .align 16 .b8 local_parameter[64];")
    if version >= (6, 0) and number >= _SINCE_TARGET_LISTS:
        lines.append("Targets: .branchtargets Label;")
    if version >= (2, 1) and number >= _SINCE_PROTOTYPES:
        lines += [
            "Prototype: .callprototype (.reg .b32 _) _ (.reg .b32 _);",
            "Prototype_out: .callprototype (.reg .b32 _) _ ();",
            "Prototype_in: .callprototype _ (.reg .b32 _);",
            "Prototype_bare: .callprototype _ ();",
        ]
    return lines


_SINCE_PROTOTYPES = 20
_SINCE_TARGET_LISTS = 30
_SINCE_HALF = 53
_SINCE_QUAD = 70


FOOTER = "Label: exit;\n}\n"


class Oracle:
    """ptxas as a judge of statements."""

    def __init__(self, program: Path) -> None:
        self.program = program
        self.n_runs = 0
        self._late: set[str] = set()
        """Statements that were once rejected only where nothing else was wrong."""
        self._crashing: set[str] = set()
        self.refused: set[Configuration] = set()
        """Configurations in which ptxas takes not even the declarations."""
        self._directory = tempfile.TemporaryDirectory(prefix="ptx-ls-certify-")
        self._source = Path(self._directory.name) / "statements.ptx"

    def close(self) -> None:
        """Removes the scratch directory."""
        self._directory.cleanup()

    def knows(self, configuration: Configuration) -> bool:
        """True when this ptxas takes such a module at all."""
        return not any(message.is_error for message in self._run([], configuration).messages)

    def judge(self, statements: Sequence[str], configuration: Configuration) -> list[str | None]:
        """For each statement the first error ptxas reports, or None when it accepts it."""
        verdicts = self._batch(list(statements), configuration)
        accepted = [index for index, verdict in enumerate(verdicts) if verdict is None]
        if len(accepted) < len(statements):
            late = self._verify([statements[index] for index in accepted], configuration)
            for index, verdict in zip(accepted, late, strict=True):
                verdicts[index] = verdict
        return verdicts

    def judge_anywhere(
        self, statements: Sequence[str], configurations: Sequence[Configuration] = CONFIGURATIONS
    ) -> list[tuple[Configuration | None, str]]:
        """For each statement the first configuration that accepts it, else None and an error.

        The error is the shortest one that is not about versions or targets, where there is one.
        """
        found: list[tuple[Configuration | None, str]] = [(None, "")] * len(statements)
        open_ = list(range(len(statements)))
        for configuration in configurations:
            verdicts = self.judge([statements[index] for index in open_], configuration)
            left = []
            for index, verdict in zip(open_, verdicts, strict=True):
                if verdict is None:
                    found[index] = (configuration, "")
                else:
                    found[index] = (None, _better(found[index][1], verdict))
                    left.append(index)
            open_ = left
            if not open_:
                break
        return found

    def _run(self, statements: Sequence[str], configuration: Configuration) -> ptxas.PtxasRun:
        self.n_runs += 1
        body = "\n".join(statements)
        self._source.write_text(f"{header(configuration)}{body}\n{FOOTER}", encoding="utf-8")
        return ptxas.run(self.program, self._source, configuration.target)

    def _batch(self, statements: list[str], configuration: Configuration) -> list[str | None]:
        """The errors of a run, and of the runs that continue where it ended."""
        if self._crashing.isdisjoint(statements):
            return self._ask(statements, configuration)
        verdicts: list[str | None] = [None] * len(statements)
        calm = [index for index, text in enumerate(statements) if text not in self._crashing]
        found = self._ask([statements[index] for index in calm], configuration)
        for index, verdict in zip(calm, found, strict=True):
            verdicts[index] = verdict
        for index, text in enumerate(statements):
            if text in self._crashing:
                verdicts[index] = self._ask([text], configuration)[0]
        return verdicts

    def _ask(self, statements: list[str], configuration: Configuration) -> list[str | None]:
        verdicts: list[str | None] = [None] * len(statements)
        first = 0
        before = header(configuration).count("\n")
        while first < len(statements):
            run = self._run(statements[first:], configuration)
            if run.crashed:
                rest = self._bisect(statements[first:], configuration, CRASH)
                return [*verdicts[:first], *rest]
            fatal = None
            for message in run.messages:
                line = message.line or 0
                index = line - before - 1 + first
                if message.is_error and 0 < line <= before:
                    self.refused.add(configuration)
                if message.severity == "fatal" and not first <= index < len(statements):
                    # in the expansion of a statement, whose own lines ptxas counts
                    rest = self._bisect(statements[first:], configuration, message.text)
                    return [*verdicts[:first], *rest]
                if not message.is_error or not first <= index < len(statements):
                    continue
                verdicts[index] = verdicts[index] or message.text
                if message.severity == "fatal":
                    fatal = index
            if fatal is None:
                break
            first = fatal + 1
        return verdicts

    def _bisect(
        self, statements: list[str], configuration: Configuration, error: str
    ) -> list[str | None]:
        """Halves them until a single one is left, which has the error."""
        if len(statements) == 1:
            self._crashing.add(statements[0])
            return [error]
        half = len(statements) // 2
        return [
            *self._ask(statements[:half], configuration),
            *self._ask(statements[half:], configuration),
        ]

    def _verify(self, statements: Sequence[str], configuration: Configuration) -> list[str | None]:
        """Asks again in files where nothing else is wrong."""
        verdicts: list[str | None] = [None] * len(statements)
        chunks = self._chunks(statements)
        while chunks:
            chunk = chunks.pop()
            found = self._batch([statements[index] for index in chunk], configuration)
            wrong = {index for index, verdict in zip(chunk, found, strict=True) if verdict}
            for index, verdict in zip(chunk, found, strict=True):
                verdicts[index] = verdict
            self._late.update(statements[index] for index in wrong)
            rest = [index for index in chunk if index not in wrong]
            if wrong and rest:
                half = (len(rest) + 1) // 2
                chunks += [part for part in (rest[:half], rest[half:]) if part]
        return verdicts

    def _chunks(self, statements: Sequence[str]) -> list[list[int]]:
        """Parts of bounded size; those known to be rejected late are by themselves."""
        late = [index for index, text in enumerate(statements) if text in self._late]
        other = [index for index, text in enumerate(statements) if text not in self._late]
        return [
            group[start : start + _CLEAN_CHUNK]
            for group in (late, other)
            for start in range(0, len(group), _CLEAN_CHUNK)
        ]


def _better(old: str, new: str) -> str:
    """The message that says more about the statement than about its place."""
    gated = "requires PTX ISA" in new or "requires .target" in new
    if not old or "requires PTX ISA" in old or "requires .target" in old:
        return old if old and gated else new
    return old
