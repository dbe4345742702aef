"""Patterns of a `.gitignore` match the same paths as in git, in linear time."""

import os
import shutil
import subprocess
from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random

import pytest

from ptx_ls.files.configuration.discovery import Configurations
from ptx_ls.files.configuration.exclusion import Exclusion
from ptx_ls.files.configuration.patterns import decision, is_pattern, matches, patterns_of


def check_decision(lines: str, path: str, expected: bool | None) -> None:  # noqa: FBT001
    """Checks what patterns on lines decide on a path; a slash at its end makes it a folder."""
    root = str(Path("root").absolute())
    patterns = patterns_of(lines.encode())
    is_folder = path.endswith("/")
    assert decision(patterns, f"{root}/{path}", root, is_folder=is_folder) is expected


@pytest.mark.parametrize(
    ("lines", "path", "expected"),
    [
        ("*.ptx", "a/b.ptx", True),
        ("*.ptx\n!b.ptx", "a/b.ptx", False),
        ("*.ptx", "a/b.cu", None),
        ("build/", "build", None),
        ("build/", "build/", True),
        ("build/", "build/a.ptx", None),  # its folder is asked for itself
        ("/a", "b/a", None),
        ("b/a", "c/b/a", None),
        ("**/b/a", "c/b/a", True),
        ("a/**", "a/", None),
        ("a/**", "a/b/", True),
        ("a/**/b", "a/b", True),
        ("a**/c", "ac", True),  # git drops the text before the first special character
        ("a*b**/c", "axb/y/c", None),
        ("*", "a/b", True),
        ("a\\ ", "a ", True),
        ("a ", "a", True),
        ("\\#a", "#a", True),
        ("\\!a", "!a", True),
        ("[[:digit:]]x", "1x", True),
        ("[[:digit:]]x", "ax", None),
        ("[^a]b", "cb", True),
        ("a[!b]c", "a/c", None),
        ("a[.-0]c", "a/c", None),
        ("a[.-0]c", "a.c", True),
        ("[]]", "]", True),
        ("[\\]]", "]", True),
        ("[z-a]", "z", True),
        ("?", "ö", None),  # two bytes
        ("??", "ö", True),
        ("ö*", "öl", True),
    ],
)
def test_decisions(lines: str, path: str, expected: bool | None) -> None:  # noqa: FBT001
    check_decision(lines, path, expected)


@pytest.mark.parametrize("text", ["!", "/", "!/", "[a", "a\\", "[[:x:]]", "[a-", "[", "[!]"])
def test_what_is_not_a_pattern(text: str) -> None:
    assert not is_pattern(text)


@pytest.mark.parametrize(
    ("patterns", "path", "expected"),
    [
        (("vendor/",), "vendor/a/b.ptx", True),
        (("vendor/", "!b.ptx"), "vendor/a/b.ptx", False),
        (("!b.ptx", "vendor/"), "vendor/a/b.ptx", False),
        (("vendor/*", "!vendor/a/"), "vendor/a/b.ptx", False),
        (("vendor/**",), "vendor", False),
        (("a/b",), "x/a/b", False),
    ],
)
def test_the_nearest_folder_decides(
    patterns: tuple[str, ...], path: str, *, expected: bool
) -> None:
    root = str(Path("root").absolute())
    assert matches(patterns, f"{root}/{path}", root) is expected


GIT = shutil.which("git") or ""

NASTY = [
    "*a" * 500 + "b",
    "**/a/" * 200 + "b",
    "a/**/" * 200 + "b",
    "a**" * 500,
    "*" * 5000,
    "?" * 5000,
    "[a-z]*" * 500,
    "[!b]*" * 500 + "b",
    "[" * 5000,
    "[a" * 2500 + "]",
    "[[:" * 1500,
    "[[:alpha:]" * 500,
    "[[:alpha:]]*" * 300,
    "\\" * 5000,
    "\\*" * 2500,
    "/" * 5000,
    "*/" * 2500,
    "**/**/" * 800,
    "!" * 5000,
    " " * 5000 + "x",
    "a/" * 120 + "**",
]


@pytest.mark.parametrize("pattern", NASTY, ids=range(len(NASTY)))
def test_work_grows_with_the_length_only(pattern: str) -> None:
    """An attempt for each combination of places would not end in the time of all tests."""
    root = str(Path("root").absolute())
    for path in ("a/" * 100 + "c", "a" * 255, "ab" * 100 + "/" + "a" * 200):
        for is_folder in (False, True):
            decision((pattern,), f"{root}/{path}", root, is_folder=is_folder)


PARTS = [
    *("a", "b", "ab", "*", "**", "***", "?", "/", "/", "!", "[ab]", "[!a]", "[^a-b]", "[]a]"),
    *("\\a", "\\*", " ", "\\ ", "#", "[[:alpha:]]", "[[:digit:]b]", "[a", "]", "-", "[b-a]", "."),
    *("ö", "[ö]", "[a-\\]", "[[:a]", "\\"),
]
NAMES = ["a", "b", "ab", "ba", "aab", "a.b", "ö", "]", "-", "a b", "[a", "*", "b "]


def some_lines(random: Random) -> str:
    """Returns random lines of a file with patterns."""
    lines = []
    for _ in range(random.randrange(1, 5)):
        line = "".join(random.choices(PARTS, k=random.randrange(1, 6)))
        lines.append(random.choice(["", "", "", "!"]) + line + random.choice(["", "", "/", "\r"]))
    return "\n".join(lines) + random.choice(["", "\n"])


def make_tree(folder: Path, random: Random, depth: int = 3) -> None:
    """Makes random folders and files, some with patterns, and perhaps a repository in it."""
    for name in random.sample(NAMES, 4):
        path = folder / name
        if depth and random.random() < 0.5:
            path.mkdir()
            make_tree(path, random, depth - 1)
        else:
            path.touch()
    if random.random() < 0.4:
        (folder / ".gitignore").write_text(some_lines(random), "utf-8", newline="")


def paths_below(folder: Path) -> Iterator[str]:
    for path in sorted(folder.rglob("*")):
        if ".git" not in path.parts and path.name != ".gitignore":
            yield str(path)


def ignored_by_git(root: Path, paths: Sequence[str]) -> set[str]:
    """Returns the paths that git ignores."""
    command = [GIT, "-C", str(root), "check-ignore", "--no-index", "--stdin", "-z"]
    given = b"".join(os.fsencode(it) + b"\0" for it in paths)
    done = subprocess.run(command, input=given, capture_output=True, check=False)
    assert done.returncode in (0, 1), done.stderr
    return {os.fsdecode(it) for it in done.stdout.split(b"\0") if it}


@pytest.mark.slow
@pytest.mark.skipif(not GIT, reason="compares with git")
@pytest.mark.parametrize("seed", range(60))
def test_as_git(seed: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    random = Random(seed)  # noqa: S311  # the same in every run
    root, home = tmp_path / "root", tmp_path / "home"
    root.mkdir()
    (home / "git").mkdir(parents=True)
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(home))
    monkeypatch.delenv("GIT_CONFIG_GLOBAL", raising=False)
    subprocess.run([GIT, "init", "-q", str(root)], check=True)
    make_tree(root, random)
    if random.random() < 0.5:
        (root / ".git" / "info" / "exclude").write_text(some_lines(random), "utf-8", newline="")
    if random.random() < 0.5:
        (home / "git" / "ignore").write_text(some_lines(random), "utf-8", newline="")
    if random.random() < 0.5:
        (home / ".gitconfig").write_text('[core]\n\texcludesFile = "~/other" # mine\n')
        (home / "other").write_text(some_lines(random), "utf-8", newline="")
    paths = [*paths_below(root)]
    exclusion = Exclusion(Configurations(only=""))
    excludes = exclusion.excludes_folder, exclusion.excludes_named
    found = {it for it in paths if excludes[Path(it).is_file()](it)}
    assert found == ignored_by_git(root, paths)
