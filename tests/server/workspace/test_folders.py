from lsprotocol import types

from ptx_ls.server.workspace.folders import Folders

A, B, ROOT = "file:///a", "file:///b", "file:///root"


def check_folders(
    *expected: str,
    folders: tuple[str, ...] | None = (),
    root: str | None = None,
    path: str | None = None,
    changes: tuple[tuple[str, str], ...] = (),
) -> None:
    """Checks the folders after `initialize` and changes: the names of those removed and added."""
    known = Folders()
    named = None if folders is None else [types.WorkspaceFolder(uri, "x") for uri in folders]
    known.begin(
        types.InitializeParams(
            types.ClientCapabilities(), root_path=path, root_uri=root, workspace_folders=named
        )
    )
    for removed, added in changes:
        known.change(
            types.WorkspaceFoldersChangeEvent(
                [types.WorkspaceFolder(uri, "x") for uri in added.split()],
                [types.WorkspaceFolder(uri, "x") for uri in removed.split()],
            )
        )
    assert known.uris == list(expected)


def test_folders_count_and_not_the_root() -> None:
    check_folders(A, B, folders=(A, B), root=ROOT, path="/path")
    check_folders(folders=(A,), root=ROOT, changes=((A, ""),))


def test_clients_that_know_no_folders() -> None:
    check_folders(ROOT, folders=None, root=ROOT)
    check_folders(ROOT, folders=(), root=ROOT)
    check_folders(ROOT, root=ROOT, path="/path")
    check_folders()
    check_folders(root="")
    check_folders(path="not absolute")


def test_changes() -> None:
    check_folders(B, folders=(A,), changes=(("", B), (A, "")))
    check_folders(B, folders=(A,), changes=((A, B), (ROOT, "")))
    check_folders(ROOT, root=ROOT, changes=(("", A), (A, "")))


def test_a_folder_that_gets_another_name_stays() -> None:
    check_folders(A, folders=(A,), changes=((A, A),))


def test_spellings_of_one_folder() -> None:
    check_folders(folders=("file:///a%3Ab",), changes=(("file:///a:b", ""),))
