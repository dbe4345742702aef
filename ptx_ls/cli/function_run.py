"""A run of a subcommand that reports on each function of some files."""

from __future__ import annotations

from typing import TYPE_CHECKING, Generic, Protocol, TypeVar

from ptx_ls.cli import console, inputs
from ptx_ls.cli.inputs import Unreadable
from ptx_ls.cli.status import ExitStatus
from ptx_ls.document.document import Document
from ptx_ls.files.languages import OtherLanguageError
from ptx_ls.semantics.demangle import demangled
from ptx_ls.source.encoding import EncodingError, decode

if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Callable, Iterable, Iterator


class FunctionReport(Protocol):
    """The report on a function."""

    @property
    def name(self) -> str:
        """The name of the function."""


Report = TypeVar("Report", bound=FunctionReport)


class FunctionRun(Generic[Report]):
    """One run over the paths of the options.

    `reports`: makes the reports on the functions of a document.

    Attributes:
        status: the exit status so far.
    """

    def __init__(self, options: Namespace, reports: Callable[[Document], Iterable[Report]]) -> None:
        self._options, self._reports = options, reports
        self.status = int(ExitStatus.CLEAN)

    def found(self) -> Iterator[tuple[str, Report]]:
        """Yields the path and the report of each function; complains about unreadable files."""
        for file in inputs.find(self._options.paths):
            if isinstance(file, Unreadable):
                self._complain(file.path, file.reason)
                continue
            try:
                document = Document.read(decode(inputs.read(file)).text)
                inputs.require_own_language(file.path, document)
            except (OSError, EncodingError, OtherLanguageError) as error:
                self._complain(file.path, inputs.reason_of(error))
                continue
            for each in self._reports(document):
                if self._is_wanted(each.name):
                    yield file.path, each

    def _is_wanted(self, name: str) -> bool:
        wanted = self._options.function
        return wanted is None or wanted in name or wanted in (demangled(name) or "")

    def _complain(self, path: str, reason: str) -> None:
        console.complain(f"{console.escaped(path) or repr(path)}: {reason}")
        self.status = int(ExitStatus.BAD_INPUT)
