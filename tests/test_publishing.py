"""Published files: complete, with working links, and with one version for all of them."""

import json
import re
import runpy
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from collections.abc import Iterator
from email import message_from_bytes
from email.message import Message
from pathlib import Path
from typing import NamedTuple

import pytest

import ptx_ls
from ptx_ls.source.site import SITE
from tests.support.reading import can_compile

ROOT = Path(ptx_ls.__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
URLS = PROJECT["project"]["urls"]
MANIFEST = json.loads((ROOT / "vscode-extension" / "package.json").read_text("utf-8"))
LINK = re.compile(r"\]\(([^)]*)\)")
NOT_PACKED = {"NOTE.txt"}
"""Tracked files that no test reads."""


class Built(NamedTuple):
    """The files of a build."""

    sdist: Path
    wheel: Path


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Built:
    """An sdist, and the wheel that is made from it."""
    folder = tmp_path_factory.mktemp("dist")
    command = [sys.executable, "-m", "build", "--no-isolation", "--outdir", str(folder), str(ROOT)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    (sdist,) = folder.glob("*.tar.gz")
    (wheel,) = folder.glob("*.whl")
    return Built(sdist, wheel)


def metadata(wheel: Path) -> Message:
    with zipfile.ZipFile(wheel) as archive:
        (name,) = (it for it in archive.namelist() if it.endswith(".dist-info/METADATA"))
        return message_from_bytes(archive.read(name))


def tracked_files() -> Iterator[str]:
    command = ["git", "ls-files", "--cached", "--others", "--exclude-standard"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    if done.returncode:
        pytest.skip("not a clone")
    for name in done.stdout.splitlines():
        if (ROOT / name).exists() and not name.startswith(".ci/") and name not in NOT_PACKED:
            yield name


@pytest.mark.slow
def test_registries_take_it(built: Built) -> None:
    command = [sys.executable, "-m", "twine", "check", "--strict", *map(str, built)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout


@pytest.mark.slow
def test_links_of_the_description(built: Built) -> None:
    found = metadata(built.wheel)
    assert found["Description-Content-Type"] == "text/markdown"
    links = LINK.findall(str(found.get_payload()))
    repository, tag = URLS["Repository"], f"v{ptx_ls.__version__}"
    own = [link for link in links if link.startswith(repository)]
    assert {link for link in links if not link.startswith("https://")} == set()
    assert own
    for link in own:
        form, version, path = link.removeprefix(f"{repository}/").split("/", 2)
        assert form == ("raw" if path.endswith(".png") else "blob")
        assert version == tag
        assert (ROOT / path).exists(), path


@pytest.mark.slow
def test_the_sdist_has_all_that_the_tests_read(built: Built) -> None:
    with tarfile.open(built.sdist) as archive:
        names = {it.name.partition("/")[2] for it in archive if it.isfile()}
    assert names - {"PKG-INFO"} == set(tracked_files())


@pytest.mark.slow
def test_files_of_the_wheel(built: Built) -> None:
    with zipfile.ZipFile(built.wheel) as archive:
        names = archive.namelist()
    shared = [name.partition(".data/data/")[2] for name in names if ".data/data/" in name]
    assert sorted(shared) == [
        "share/bash-completion/completions/ptx-ls",
        "share/fish/vendor_completions.d/ptx-ls.fish",
        "share/man/man1/ptx-ls.1",
        "share/zsh/site-functions/_ptx-ls",
    ]
    assert "ptx_ls/isa/data/compiled.marshal" in names
    assert "ptx_ls/py.typed" in names
    tops = {name.partition("/")[0].partition("-")[0] for name in names}
    assert tops == {"ptx_ls"}


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="auditwheel is for Linux")
def test_the_wheel_runs_on_old_linux(built: Built) -> None:
    if not can_compile():
        pytest.skip("needs a C compiler and the headers of Python")
    command = [sys.executable, "-m", "auditwheel", "show", str(built.wheel)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "-cp311-abi3-linux_" in built.wheel.name
    assert '"manylinux_2_17_' in " ".join(done.stdout.split())


def test_one_version() -> None:
    version = ptx_ls.__version__
    changelog = (ROOT / "CHANGELOG.md").read_text("utf-8")
    releases = re.findall(r"^## \[([\d.]+)\] - ", changelog, re.MULTILINE)
    assert releases[0] == version
    assert MANIFEST["version"] == version
    examples = (ROOT / "docs" / "ci.md").read_text("utf-8")
    assert set(re.findall(r"\bv?(\d+\.\d+\.\d+)\b", examples)) == {version}


def test_one_address_of_the_site() -> None:
    assert URLS["Documentation"] == SITE == MANIFEST["homepage"]


def test_one_address_of_the_repository() -> None:
    repository = URLS["Repository"]
    assert MANIFEST["repository"]["url"] == repository
    hook = PROJECT["tool"]["hatch"]["metadata"]["hooks"]["fancy-pypi-readme"]
    assert all(repository in each["replacement"] for each in hook["substitutions"])
    pages = (*ROOT.glob("*.md"), *(ROOT / "docs").glob("*.md"))
    text = "".join(page.read_text("utf-8") for page in pages)
    named = set(re.findall(r"https://[\w.]+/[\w-]+/ptx-ls(?=[\s\"/.#])", text))
    assert named == {repository}


def test_pictures_of_the_extension() -> None:
    page = (ROOT / "vscode-extension" / "README.md").read_text("utf-8")
    pictures = re.findall(r"!\[[^\]]*\]\(([^)]*)\)", page)
    assert pictures
    assert all((ROOT / "vscode-extension" / each).exists() for each in pictures)
    base = f"{URLS['Repository']}/raw/v{ptx_ls.__version__}/vscode-extension"
    assert MANIFEST["vsce"]["baseImagesUrl"] == base


def test_pictures_are_in_the_page_of_the_package(tmp_path: Path) -> None:
    package, folder = tmp_path / "a.vsix", "extension/media/pictures/"
    page = "![a](https://host/raw/v1/media/pictures/a.png) [b](media/pictures/b.md)"
    with zipfile.ZipFile(package, "w") as made:
        made.writestr("extension/readme.md", page)
        made.writestr(f"{folder}a.png", b"\x89PNG")
        made.writestr(f"{folder}other.png", b"")
    script = ROOT / "vscode-extension" / "scripts" / "inline_pictures.py"
    runpy.run_path(str(script))["main"](str(package))
    with zipfile.ZipFile(package) as read:
        assert read.namelist() == ["extension/readme.md", f"{folder}other.png"]
        inlined = read.read("extension/readme.md").decode()
    assert inlined == "![a](data:image/png;base64,iVBORw==) [b](media/pictures/b.md)"
