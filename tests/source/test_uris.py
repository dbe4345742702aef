import pytest
from hypothesis import given
from hypothesis import strategies as st

from ptx_ls.source.uris import PathFlavour, from_path, normalized, to_path

POSIX, WINDOWS = PathFlavour.POSIX, PathFlavour.WINDOWS


def check_both_ways(uri: str, path: str, flavour: PathFlavour) -> None:
    check_path(uri, path, flavour)
    assert from_path(path, flavour) == uri


def check_path(uri: str, path: str | None, flavour: PathFlavour) -> None:
    assert to_path(uri, flavour) == path


@pytest.mark.parametrize(
    ("uri", "path"),
    [
        ("file:///", "/"),
        ("file:///home/me/kernel.ptx", "/home/me/kernel.ptx"),
        ("file:///a%20b/gr%C3%B6%C3%9Fe%25%23%3F.ptx", "/a b/größe%#?.ptx"),
        ("file:///c%3A/dir", "/c:/dir"),
        ("file:///a%5Cb", "/a\\b"),
        ("file:///%FF.ptx", "/\udcff.ptx"),  # a name that is not UTF-8
        ("file:///%F0%9F%98%80", "/\U0001f600"),
    ],
)
def test_posix_paths(uri: str, path: str) -> None:
    check_both_ways(uri, path, POSIX)


@pytest.mark.parametrize(
    ("uri", "path"),
    [
        ("FILE:///a", "/a"),
        ("file:/a", "/a"),
        ("file://localhost/a", "/a"),
        ("file:///a?query#fragment", "/a"),
        ("file:///a+b&c=(d)", "/a+b&c=(d)"),
        ("file:///größe", "/größe"),
        ("file:///100%", "/100%"),
        ("file:///C:/dir", "/C:/dir"),
    ],
)
def test_other_spellings_of_posix_paths(uri: str, path: str) -> None:
    check_path(uri, path, POSIX)


@pytest.mark.parametrize(
    ("uri", "path"),
    [
        ("file:///c%3A/dir/kernel.ptx", r"C:\dir\kernel.ptx"),
        ("file:///c%3A/", "C:\\"),
        ("file:///d%3A/a%20b/gr%C3%B6%C3%9Fe%25.ptx", r"D:\a b\größe%.ptx"),
        ("file://server/share/kernel.ptx", r"\\server\share\kernel.ptx"),
        ("file://wsl%24/Debian/home/kernel.ptx", r"\\wsl$\Debian\home\kernel.ptx"),
        ("file:///dir/kernel.ptx", r"\dir\kernel.ptx"),
    ],
)
def test_windows_paths(uri: str, path: str) -> None:
    check_both_ways(uri, path, WINDOWS)


@pytest.mark.parametrize(
    ("uri", "path"),
    [
        ("file:///C:/dir", r"C:\dir"),
        ("file:///c:/dir", r"C:\dir"),
        ("file:///c|/dir", r"C:\dir"),
        ("file:c:/dir", r"C:\dir"),
        ("file://c:/dir", r"C:\dir"),
        ("file://localhost/c:/dir", r"C:\dir"),
        ("file:////server/share", r"\\server\share"),
        ("file:///c%3A", "C:\\"),
        ("file:///c%3A%5Cdir", r"C:\dir"),
    ],
)
def test_other_spellings_of_windows_paths(uri: str, path: str) -> None:
    check_path(uri, path, WINDOWS)


@pytest.mark.parametrize(
    ("path", "uri"),
    [
        ("C:/dir/kernel.ptx", "file:///c%3A/dir/kernel.ptx"),
        (r"\\?\C:\dir", "file:///c%3A/dir"),
        (r"\\?\UNC\server\share", "file://server/share"),
        ("//server/share", "file://server/share"),
    ],
)
def test_other_windows_paths(path: str, uri: str) -> None:
    assert from_path(path, WINDOWS) == uri


def test_posix_path_with_more_than_one_slash_has_no_host() -> None:
    assert from_path("//a/b", POSIX) == "file:///a/b"


@pytest.mark.parametrize("flavour", PathFlavour)
@pytest.mark.parametrize(
    "uri",
    [
        "untitled:Untitled-1",
        "git:/dir/kernel.ptx?ref",
        "vscode-notebook-cell:/dir#1",
        "http://host/dir",
        "file:",
        "file:dir",
        "file:///a%00b",
        "file://[",
        "/dir/kernel.ptx",
        "",
    ],
)
def test_no_file_of_this_system(uri: str, flavour: PathFlavour) -> None:
    check_path(uri, None, flavour)


def test_posix_knows_no_hosts() -> None:
    check_path("file://server/share", None, POSIX)


@pytest.mark.parametrize(
    ("path", "flavour"),
    [
        ("", POSIX),
        ("a/b", POSIX),
        ("C:\\a", POSIX),
        ("a", WINDOWS),
        ("c:a", WINDOWS),
        ("", WINDOWS),
    ],
)
def test_relative_paths_have_no_uri(path: str, flavour: PathFlavour) -> None:
    with pytest.raises(ValueError, match="not an absolute path"):
        from_path(path, flavour)


def test_one_document_has_one_normalized_uri() -> None:
    spellings = ["file:///C:/a.ptx", "file:///c%3A/a.ptx", "file:///c:/a.ptx", "file:/C%3a/a.ptx"]
    assert {normalized(uri, WINDOWS) for uri in spellings} == {"file:///c%3A/a.ptx"}
    assert normalized("untitled:a b", WINDOWS) == "untitled:a b"
    assert normalized("untitled:a b", POSIX) == "untitled:a b"


@given(st.text(max_size=20), st.sampled_from(PathFlavour))
def test_no_uri_raises(rest: str, flavour: PathFlavour) -> None:
    for uri in (rest, f"file:{rest}", f"file://{rest}", f"file:///{rest}", f"file:///c:{rest}"):
        once = normalized(uri, flavour)
        assert normalized(once, flavour) == once


@given(st.text(st.characters(codec="utf-8", exclude_characters="\0/"), max_size=20))
def test_any_posix_name_comes_back(name: str) -> None:
    path = f"/dir/{name}"
    check_path(from_path(path, POSIX), path, POSIX)


@given(st.text(st.characters(codec="utf-8", exclude_characters="\0/\\"), max_size=20))
def test_any_windows_name_comes_back(name: str) -> None:
    path = f"C:\\{name}"
    check_path(from_path(path, WINDOWS), path, WINDOWS)
