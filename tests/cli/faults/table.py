"""Faults: what may be wrong with files and systems, and what commands do then.

`docs/generators/faults.py` makes a page of them; `test_faults.py` tries each.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Final, NamedTuple

PATHS: Final = "Paths"
LINKS: Final = "Links"
NAMES: Final = "Names and depth"
CONTENTS: Final = "Contents"
SIZES: Final = "Sizes"
CONFIGURATION: Final = "Configuration, baseline and lists"
WRITING: Final = "Writing files"
STREAMS: Final = "Streams and reports"
SYSTEM: Final = "System"
SECTIONS: Final = (
    *(PATHS, LINKS, NAMES, CONTENTS, SIZES, CONFIGURATION),
    *(WRITING, STREAMS, SYSTEM),
)
"""The sections of the page, in order."""
HEAD: Final = ".version 8.0\n.target sm_80\n.address_size 64\n\n"
BODY: Final = "\n{\n    ret;\n}\n"
GOOD: Final = f"{HEAD}.visible .entry k(){BODY}"
"""A text in which nothing is found, and which is formatted."""
UNTIDY: Final = GOOD.replace("    ret;", "bar 0;\n    ret;")
"""A text with an error that can be fixed, and which is not formatted."""
FIXED: Final = UNTIDY.replace("bar 0", "bar.sync 0")
FORMATTED: Final = UNTIDY.replace("bar 0", "    bar                 0")
"""The results of `lint --fix` and `format` for `UNTIDY`."""


class Outcome(NamedTuple):
    """The result of a command.

    Attributes:
        status: the exit status because of the fault.
        message: the line on standard error after `ptx-ls: `; "" for none.
        is_written: whether `a.ptx`, which has the text `UNTIDY`, is fixed or formatted.
        ends_run: whether the other files of the run are not processed.
        note: more for the page, as a clause.
    """

    status: int
    message: str = ""
    is_written: bool = False
    ends_run: bool = False
    note: str = ""


class Setting(NamedTuple):
    """How a command is run.

    Attributes:
        arguments: the files, besides `other.ptx`.
        options: further arguments.
        environment: variables to set; None removes one.
        limits: limits of resources, by the name of the constant in `resource`.
        has_rights: whether root may read and write everything.
        stdin: where standard input comes from: a path, or "closed".
        stdout: where standard output goes: a path, "closed", or "no reader".
        script: Python that is run before the command.
    """

    arguments: tuple[str, ...] = ("a.ptx",)
    options: tuple[str, ...] = ()
    environment: Mapping[str, str | None] = {}
    limits: Mapping[str, int] = {}
    has_rights: bool = True
    stdin: str = ""
    stdout: str = ""
    script: str = ""


DEFAULT: Final = Setting()
Preparation = Callable[[Path], Setting | None]


class Fault(NamedTuple):
    """A fault, and the outcome of each command for which it is tried.

    `prepare` creates files in a folder, which becomes the current one.
    """

    section: str
    about: str
    prepare: Preparation
    outcomes: Mapping[str, Outcome]

    @property
    def name(self) -> str:
        """The name of the fault."""
        return self.prepare.__name__


class Incident(NamedTuple):
    """A fault that happens during a run; `attempt` causes it and checks the result in a folder."""

    about: str
    result: str
    attempt: Callable[[Path], None]


FAULTS: Final[list[Fault]] = []
INCIDENTS: Final[list[Incident]] = []


def fault(
    section: str, outcome: Outcome | None = None, **outcomes: Outcome
) -> Callable[[Preparation], Preparation]:
    """Adds a fault to the table; its docstring describes it.

    Args:
        section: its section of the page.
        outcome: the result of every command that `outcomes` does not have.
        outcomes: the results of `lint`, `fix` and `format`.
    """

    def add(prepare: Preparation) -> Preparation:
        names = {"lint": "lint", "fix": "lint --fix", "format": "format"}
        found = {command: outcomes.get(name, outcome) for name, command in names.items()}
        given = {command: each for command, each in found.items() if each is not None}
        FAULTS.append(Fault(section, _about(prepare), prepare, given))
        return prepare

    return add


def incident(result: str) -> Callable[[Callable[[Path], None]], Callable[[Path], None]]:
    """Adds an incident with its result to the table; its docstring describes it."""

    def add(attempt: Callable[[Path], None]) -> Callable[[Path], None]:
        INCIDENTS.append(Incident(_about(attempt), result, attempt))
        return attempt

    return add


def _about(function: Callable[..., object]) -> str:
    return " ".join((function.__doc__ or "").split()).removesuffix(".")
