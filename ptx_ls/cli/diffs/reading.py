"""Reads the files to compare; complains about those that cannot be read."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ptx_ls.cli import console, inputs
from ptx_ls.cli.inputs import Unreadable
from ptx_ls.document.document import Document
from ptx_ls.files.languages import other_language_of
from ptx_ls.semantics.recognition import NO_HEADER, begins_as_ptx
from ptx_ls.source.dumps import NO_MODULES, dump_in
from ptx_ls.source.encoding import EncodingError, decode
from ptx_ls.syntax.record import Kind

if TYPE_CHECKING:
    from ptx_ls.cli.inputs import Input
    from ptx_ls.syntax.reader import Reader


class ModuleReader:
    """Reads modules; what it learns from one helps with the next."""

    def __init__(self) -> None:
        self._reader: Reader | None = None

    def document(self, file: Input | Unreadable | None) -> Document | None:
        """Returns the document of a file, an empty one for None.

        Of the output of `cuobjdump`, the document has the only module, on its lines there.
        Returns None after a complaint if it cannot be read. Parts of it may have errors.
        """
        if file is None:
            return Document.read("", self._reader)
        reason = ""
        if isinstance(file, Unreadable):
            reason = file.reason
        else:
            try:
                text = decode(inputs.read(file)).text
            except (OSError, EncodingError) as error:
                reason = inputs.reason_of(error)
            else:
                dump = dump_in(text)
                document = Document.read(text if dump is None else dump.masked, self._reader)
                self._reader = document.reader
                reason = (
                    _why_not_ptx(file.path, document)
                    if dump is None
                    else _why_not_one_module(len(dump.modules))
                )
        if not reason:
            return document
        console.complain(f"{console.escaped(file.path) or repr(file.path)}: {reason}")
        return None


def _why_not_one_module(n_modules: int) -> str:
    """Returns why the output of `cuobjdump` cannot be compared; "" if it has one module."""
    if n_modules == 1:
        return ""
    if not n_modules:
        return NO_MODULES
    return f"{n_modules} PTX modules; `cuobjdump -ptx -arch sm_N` prints one of them"


def _why_not_ptx(path: str, document: Document) -> str:
    """Returns why a document cannot be compared; "" if it can, even if parts cannot be read."""
    if begins_as_ptx(document.lines, document.records):
        return ""
    reason = other_language_of(path, document.lines[0])
    if reason or not any(function.head is Kind.FUNCTION for function in document.leaves()):
        return f"not PTX: {reason or NO_HEADER}"
    return ""
