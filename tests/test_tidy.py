"""Rules for the project as a whole."""

import pkgutil
import re
import subprocess
import sys
import tomllib
from collections import Counter
from pathlib import Path

import pytest

import ptx_ls

ROOT = Path(ptx_ls.__file__).parents[1]
PACKAGE = ROOT / "ptx_ls"
MODULES = sorted(PACKAGE.rglob("*.py"))
FOLDERS = (PACKAGE, *(ROOT / name for name in ("tests", "docs", "certify", "benchmarks")))
SOURCES = [
    path
    for path in (*ROOT.glob("*"), *(path for folder in FOLDERS for path in folder.rglob("*")))
    if path.suffix in {".py", ".toml", ".md"}
]
LONGEST = 400  # lines; past that a noun is missing
GENERATED = {"ptx_ls/lint/rule_index.py"}
FULLEST = 30  # modules of a folder; past that a reader finds nothing in it
PTX_READERS = ("ptx_ls/syntax/", "ptx_ls/isa/notation/")
"""The folders that may have patterns of PTX, and of the notation of its instructions."""
READERS_OF_OTHER_TEXTS = {
    f"ptx_ls/{name}.py"
    for names in (
        "cli/reports/alike cli/reports/xml_reports",  # messages, XML
        "features/hover/describe_directive",  # prose
        "features/hints/obvious",  # comments
        "features/hover/operand_role features/hover/instructions/headline",  # prose
        "features/hover/instructions/relevant_pitfalls",  # prose
        "features/markup features/plain handbook/markdown",  # Markdown
        "features/completion/snippets/snippet",  # snippets
        "lint/suppression/comments",  # comments for ptx-ls
        "features/hover/instructions/pseudo_code",  # pseudo-code
        "isa/execution/folding isa/execution/formats",  # pseudo-code
        "isa/execution/parser isa/execution/variant isa/nvvm",  # pseudo-code, names of NVVM
        "files/configuration/reading",  # TOML
        "files/configuration/globs",  # patterns of paths
        "files/confinement files/writing source/uris",  # paths
        "source/columns source/encoding",  # characters
        "comparison/generated_names semantics/demangle",  # mangled names of C++ and Rust
        "server/diagnostics/ptxas_messages toolchain/ptxas toolchain/resources",  # output of ptxas
        "server/protocol/access server/protocol/framing",  # headers of HTTP and LSP
        "server/protocol/tolerant_initialize",  # paths in JSON
        "source/patterns",  # the class of patterns itself
    )
    for name in names.split()
}
NOT_OF_PTX = {"ptx_ls/isa/execution/parser.py", "ptx_ls/server/protocol/tolerant_initialize.py"}
EDITOR_LIBRARIES = {"pygls", "lsprotocol", "cattrs", "attrs"}


def relative(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def loaded_modules(code: str) -> set[str]:
    """Returns the top-level modules that a fresh Python has loaded after some code."""
    report = "import sys; print('\\n' + ' '.join({name.partition('.')[0] for name in sys.modules}))"
    done = subprocess.run(
        [sys.executable, "-c", f"{code}\n{report}"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    return set(done.stdout.splitlines()[-1].split())


@pytest.mark.slow
def test_layer_contracts_hold() -> None:
    done = subprocess.run(
        [sys.executable, "-c", "from importlinter.cli import lint_imports_command as run; run()"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout


def test_every_package_has_a_layer() -> None:
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    contracts = settings["tool"]["importlinter"]["contracts"]
    layers = " ".join(next(it["layers"] for it in contracts if it["type"] == "layers"))
    packages = {f"ptx_ls.{path.parent.name}" for path in PACKAGE.glob("*/__init__.py")}
    assert packages - set(re.findall(r"[\w.]+", layers)) == set()


def test_every_folder_with_modules_is_a_package() -> None:
    folders = {path.parent for path in MODULES}
    assert [relative(it) for it in sorted(folders) if not (it / "__init__.py").exists()] == []


@pytest.mark.slow
def test_nothing_below_the_server_loads_what_only_the_server_needs() -> None:
    names = [
        module.name
        for module in pkgutil.walk_packages([str(PACKAGE)], "ptx_ls.")
        if not module.name.startswith("ptx_ls.server") and module.name != "ptx_ls.__main__"
    ]
    assert names
    imports = "\n".join(f"import {name}" for name in names)
    assert loaded_modules(imports) & EDITOR_LIBRARIES == set()


@pytest.mark.slow
def test_initialize_is_answered_without_what_takes_long_to_load() -> None:
    late = EDITOR_LIBRARIES | {"asyncio", "concurrent", "dataclasses", "inspect", "logging"}
    loaded = loaded_modules("import ptx_ls.server.app")
    assert loaded & late == set()
    assert "json" in loaded


def test_no_module_is_a_drawer_for_leftovers() -> None:
    names = re.compile(r"(utils?|helpers?|common|misc|shared)(\.py)?")
    assert [relative(it) for it in PACKAGE.rglob("*") if names.fullmatch(it.name)] == []


def test_no_module_is_long() -> None:
    lengths = {relative(it): len(it.read_text("utf-8").splitlines()) for it in MODULES}
    long = {name: length for name, length in lengths.items() if length > LONGEST}
    assert {name: length for name, length in long.items() if name not in GENERATED} == {}


def test_no_folder_is_full() -> None:
    counts = Counter(relative(path.parent) for path in MODULES if path.name != "__init__.py")
    assert {name: count for name, count in counts.items() if count > FULLEST} == {}


def test_nothing_is_left_for_later() -> None:
    later = re.compile(r"\b(TO[D]O|FIXM[E]|XX[X]|HAC[K])\b")
    found = [relative(it) for it in SOURCES if later.search(it.read_text("utf-8"))]
    assert found == []


def test_version_is_the_newest_in_the_changelog() -> None:
    changelog = (ROOT / "CHANGELOG.md").read_text("utf-8")
    released = re.findall(r"^## \[(\d[^]]*)\]", changelog, re.MULTILINE)
    assert [*released, ptx_ls.__version__][0] == ptx_ls.__version__


def test_no_group_is_possessive() -> None:
    """Python before 3.11.5, Debian 12's among them, matches `(?:...)*+` wrongly."""
    possessive = re.compile(r"(?<!\\)(?:\)|\}|\{\w+\})(?:[*+?]|\{\{?\d*,?\d*\}\}?)\+(?![+\s])")
    raw = re.compile(r"""^\s*[|(]|\brf?["']""")
    found = [
        f"{path.relative_to(ROOT)}:{number}"
        for path in sorted((ROOT / "ptx_ls").rglob("*.py"))
        for number, line in enumerate(path.read_text("utf-8").splitlines(), 1)
        if raw.search(line) and possessive.search(line)
    ]
    assert found == []


def test_what_ptx_looks_like_is_known_in_syntax_alone() -> None:
    pattern = re.compile(
        r"\bre\.(?:compile|match|fullmatch|search|findall|finditer|split|sub)\(|\bLazyPattern\("
    )
    found = {relative(it) for it in MODULES if pattern.search(it.read_text("utf-8"))}
    others = {name for name in found if not name.startswith(PTX_READERS)}
    assert others == READERS_OF_OTHER_TEXTS


def test_characters_of_names_are_spelt_in_one_place() -> None:
    """`ptx_ls/syntax/names.py` says what a name is; pseudo-code and JSON have other names."""
    spelt = re.compile(
        r"A-Za-z_\$|A-Za-z\$_|_\$A-Za-z|\[[^]\n]*(?:\\w[^]\n]*\$|\$[^]\n]*\\w)[^]\n]*\]"
    )
    found = {relative(it) for it in MODULES if spelt.search(it.read_text("utf-8"))}
    assert found - NOT_OF_PTX == {"ptx_ls/syntax/names.py"}
