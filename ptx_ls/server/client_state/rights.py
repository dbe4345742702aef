"""The rights of a client to make the server start programs and read files."""

from __future__ import annotations

from typing import Final

from ptx_ls.source import uris
from ptx_ls.source.named_tuple import NamedTuple


class Rights(NamedTuple):
    """The rights of a client, granted by the user who starts the server.

    Attributes:
        reaches_out: whether its settings may name programs to start, and folders to read that
            are not in its workspace.
        folders: the folders below which files may be read, even if the client's workspace is
            elsewhere; None for all.
    """

    reaches_out: bool = True
    folders: tuple[str, ...] | None = None

    def may_read(self, directory: str) -> bool:
        """Whether files in a directory may be read."""
        if self.folders is None:
            return True
        from ptx_ls.files import confinement  # noqa: PLC0415  # the server's start is measured

        found = confinement.real_or_none(directory)
        return found is not None and any(
            confinement.is_below(found, each)
            for each in map(confinement.real_or_none, self.folders)
            if each is not None
        )

    def workspace(self, folder_uris: list[str]) -> list[str]:
        """Returns the paths of those folders that may be read."""
        paths = map(uris.to_path, folder_uris)
        return [path for path in paths if path is not None and self.may_read(path)]


OF_PARENT: Final = Rights()
"""The rights of the process that started the server: all, as it could do all that itself."""
