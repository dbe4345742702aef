from pathlib import Path

import pytest

from ptx_ls.files.configuration.errors import ConfigurationError
from ptx_ls.files.configuration.reading import read
from ptx_ls.lint.rule_names import groups_of_rules
from ptx_ls.source import Severity

SEVERITIES = "error, warning, information, hint"
NAMES = "rule or group names"
GROUPS = sorted(set(groups_of_rules().values()))
OPCODE = " (did you mean `unknown-opcode`?)"


@pytest.fixture(autouse=True)
def _in_a_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def check_error(text: str, expected: str, name: str = "ptx-ls.toml") -> None:
    """Checks the message about a file with a mistake."""
    Path(name).write_bytes(text.encode("utf-8", "surrogateescape"))
    with pytest.raises(ConfigurationError) as caught:
        read(name)
    assert str(caught.value) == f"{name}{expected}"


def test_values_of_every_table() -> None:
    Path("ptx-ls.toml").write_text(
        'exclude = ["a/"]\n[lint]\nselect = ["names"]\nseverity = { all = "hint" }\n'
        '[[overrides]]\nfiles = ["x"]\nignore = ["syntax-error"]\n'
        "[format]\ntabs = true\nindent = 2\n"
    )
    found = read("ptx-ls.toml")
    assert found is not None
    assert found.tables == {
        "": {"exclude": ("a/",)},
        "lint": {"select": ("names",), "severity": {"all": Severity.HINT}},
        "format": {"tabs": True, "indent": 2},
    }
    assert found.overrides == ({"files": ("x",), "ignore": ("syntax-error",)},)


def test_a_project_without_our_table() -> None:
    Path("pyproject.toml").write_text("[tool.other]\nx = 1\n")
    assert read("pyproject.toml") is None


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("[tool]\nptx-ls = 5\n", ":2: expected a table `[tool.ptx-ls]`"),
        ("[tool.ptx-ls]\nlint = 1\n", ":2: expected a table `[tool.ptx-ls.lint]`"),
        (
            "[tool.ptx-ls]\nselect = []\n",
            ":2: unknown key `select` (it belongs in `[tool.ptx-ls.lint]`)",
        ),
        (
            "[tool.ptx-ls.lint]\ncache = true\n",
            ":2: unknown key `cache` (it belongs in `[tool.ptx-ls]`)",
        ),
    ],
)
def test_mistakes_in_a_project(text: str, expected: str) -> None:
    check_error(text, expected, "pyproject.toml")


def test_a_number_with_too_many_digits() -> None:
    check_error(f"[format]\nindent = {'9' * 5000}\n", ": a number has too many digits")


@pytest.mark.parametrize(
    "name", ["a", '"a"', "' . '", r'"\""', r'"a\\"'], ids=["bare", "basic", "dot", "quote", "end"]
)
@pytest.mark.parametrize("blank", ["", " \t"], ids=["", "blanks"])
def test_a_key_of_many_names(name: str, blank: str) -> None:
    """The TOML parser takes minutes for such a key of a megabyte."""
    key = f"{blank}.{blank}".join([name] * 51)
    for text in (f"{key} = 1", f"[{key}]", f"[[{key}]]", f"x = {{ {key} = 1 }}"):
        check_error(f"# first\n{text}\n", ":2: a key has more than 50 parts")
    check_error("a = " + ".".join("a" * 50) + "\n", ": Invalid value (at line 1, column 5)")


def test_names_of_rules_that_repeat() -> None:
    names = '"names", ' * 50_000
    Path("ptx-ls.toml").write_text(f"[lint]\nignore = [{names}]\n")
    found = read("ptx-ls.toml")
    assert found is not None
    assert found.tables["lint"] == {"ignore": ("names",)}


def test_tables_within_tables() -> None:
    check_error(f"a = {'[' * 20_000}\n", ": nested too deeply")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("exclud = []\n", ":1: unknown key `exclud` (did you mean `exclude`?)"),
        ("\n[lnt]\nx = 1\n", ":2: unknown key `lnt` (did you mean `lint`?)"),
        ("[lint]\n# first\nslect = []\n", ":3: unknown key `slect` (did you mean `select`?)"),
        ("select = ['all']\n", ":1: unknown key `select` (it belongs in `[lint]`)"),
        ("[lint]\nindent = 2\n", ":2: unknown key `indent` (it belongs in `[format]`)"),
        ("[lint]\nfiles = []\n", ":2: unknown key `files` (it belongs in `[[overrides]]`)"),
        ("[lint]\nexclude = []\n", ":2: unknown key `exclude` (it belongs above all tables)"),
        (
            "lint.select = ['ALL']\n",
            f":1: `select`: expected {NAMES}, but `ALL` is neither (did you mean `all`?)",
        ),
        (
            "lint.select = ['x']\n",
            f":1: `select`: expected {NAMES}, but `x` is neither (groups: {', '.join(GROUPS)})",
        ),
        ("selct = []\n", ":1: unknown key `selct` (did you mean `select` in `[lint]`?)"),
        (
            "[lint]\nexclde = []\n",
            ":2: unknown key `exclde` (did you mean `exclude` above all tables?)",
        ),
        ("lint.xyz = 1\n", ":1: unknown key `xyz`"),
        ("select = []\n", ":1: unknown key `select` (it belongs in `[lint]`)"),
        ("files = []\n", ":1: unknown key `files` (it belongs in `[[overrides]]`)"),
        ("[lint]\ncache = true\n", ":2: unknown key `cache` (it belongs above all tables)"),
        ("overrides = [1]\n", ":1: expected a table `[[overrides]]`"),
        ("extend = ''\n", ":1: `extend`: expected a non-empty string"),
        ("# \u2028\nlint = { xyz = 1 }\n", ":2: unknown key `xyz`"),
        (
            "[lint]\nselect = []\nseverity = { unknown-opcod = 'error' }\n",
            f":3: `severity`: expected {NAMES}, but `unknown-opcod` is neither{OPCODE}",
        ),
        (
            "[lint]\nselect = []\nseverity.unknown-opcod = 'error'\n",
            f":3: `severity`: expected {NAMES}, but `unknown-opcod` is neither{OPCODE}",
        ),
        ('[lint]\n"ignore" = 1\n', ":2: `ignore`: expected a list of rule or group names"),
        (
            '[lint]\nignore = ["unknown-opcod"]\n',
            ":2: `ignore`: expected rule or group names, but `unknown-opcod` is neither" + OPCODE,
        ),
        (
            "[lint.severity]\nnames = 'eror'\n",
            f":2: `severity`: expected one of {SEVERITIES} (did you mean `error`?)",
        ),
        ("[lint]\nfail-on = 3\n", f":2: `fail-on`: expected one of {SEVERITIES}, never"),
        ("[format]\nindent = 99\n", ":2: `indent`: expected a whole number (1 to 16)"),
        ("[format]\nindent = true\n", ":2: `indent`: expected a whole number (1 to 16)"),
        ("[format]\ntabs = 1\n", ":2: `tabs`: expected true or false"),
        ("exclude = [3]\n", ":1: `exclude`: expected a list of path patterns"),
        ("format = 3\n", ":1: expected a table `[format]`"),
        ("overrides = {}\n", ":1: expected `[[overrides]]`"),
        ("[[overrides]]\nignore = []\n", ":1: `files` is missing"),
        (
            "[[overrides]]\nfiles = []\n[[overrides]]\nfiles = []\nx = 1\n",
            ":5: unknown key `x`",
        ),
        ("[[overrides]]\nfiles = []\n[[overrides]]\nignore = []\n", ":3: `files` is missing"),
        (
            "[[overrides]]\nfiles = []\n[[overrides]]\nfiles = []\n[overrides.severity]\nall = 1\n",
            f":6: `severity`: expected one of {SEVERITIES}",
        ),
        ("# 1\n" * 100_000 + "x = 1\n", ":100001: unknown key `x`"),
        ("\udcff", ": not UTF-8"),
    ],
)
def test_mistakes(text: str, expected: str) -> None:
    check_error(text, expected)


@pytest.mark.parametrize("text", ["[lint\n", "x = " + "[" * 3000, "x = 1\nx = 2\n", "\0"])
def test_what_is_not_toml(text: str) -> None:
    Path("ptx-ls.toml").write_text(text)
    with pytest.raises(ConfigurationError, match=r"^ptx-ls\.toml: [^\n]+$"):
        read("ptx-ls.toml")


def test_a_mistake_in_a_project() -> None:
    text = '[project]\nlint = "x"\n[tool.ptx-ls.lint]\nselec = ["all"]\n'
    check_error(text, ":4: unknown key `selec` (did you mean `select`?)", "pyproject.toml")
