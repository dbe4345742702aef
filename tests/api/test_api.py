"""The interface for programs does what its documentation says."""

import ast
import doctest
import subprocess
import sys
from dataclasses import fields, is_dataclass
from importlib import import_module
from pathlib import Path

import pytest

import ptx_ls

PACKAGE = Path(ptx_ls.__file__).parent
PAGE = PACKAGE.parent / "docs" / "api.md"
MODULES = sorted(path.stem for path in (PACKAGE / "api").glob("[!_]*.py"))
KERNEL = (
    ".version 8.0\n.target sm_90\n.entry k()\n{\n    .reg .b32 %r<2>;\n    add.s32 %r1, %r1;\n}\n"
)
USER = """\
import ptx_ls

problems: tuple[ptx_ls.Problem, ...] = ptx_ls.check("", select=["operand-count"])
line: int = problems[0].span.line
text: str = ptx_ls.format("", ptx_ls.FormatStyle(indent=2))
changes: ptx_ls.ModuleChanges = ptx_ls.compare(text, text)
needs: str | None = ptx_ls.requirements(text).target
wrong: int = ptx_ls.explain("operand-count")
"""


def check_raises(error: type[Exception], message: str, function: str, *arguments: object) -> None:
    with pytest.raises(error, match=message):
        getattr(ptx_ls, function)(*arguments)


@pytest.mark.parametrize("name", MODULES)
def test_examples_in_docstrings(name: str) -> None:
    found = doctest.testmod(import_module(f"ptx_ls.api.{name}"))
    assert found.attempted
    assert not found.failed


def test_examples_on_the_page() -> None:
    found = doctest.testfile(str(PAGE), module_relative=False)
    assert found.attempted
    assert not found.failed


def test_every_name_is_on_the_page_and_in_the_types() -> None:
    names = import_module("ptx_ls.api").__all__
    page = PAGE.read_text("utf-8")
    assert [name for name in names if f"`{name}" not in page] == []
    stub = ast.parse((PACKAGE / "__init__.pyi").read_text("utf-8"))
    listed = next(node.value for node in stub.body if isinstance(node, ast.Assign))
    assert sorted(ast.literal_eval(listed)) == sorted(["__version__", *names]) == dir(ptx_ls)
    assert [*ptx_ls.__all__] == ["__version__", *names]


def test_problems_are_counted_from_1() -> None:
    [problem] = ptx_ls.check(KERNEL)
    assert (problem.rule, problem.severity) == ("operand-count", "error")
    assert problem.span == ptx_ls.TextSpan(6, 5, 6, 12)


def test_selected_rules() -> None:
    assert ptx_ls.check(KERNEL, ignore=["operand-count"]) == ()
    assert ptx_ls.check(KERNEL, select=["instructions"]) == ptx_ls.check(KERNEL)
    assert ptx_ls.check(KERNEL, select=["names"]) == ()
    assert ptx_ls.check(KERNEL, select=["all"]) == ptx_ls.check(KERNEL)
    assert ptx_ls.check(KERNEL, ignore=["all"]) == ()


def test_errors_say_what_is_wrong() -> None:
    with pytest.raises(LookupError, match="no rule or group `x`"):
        ptx_ls.check(KERNEL, select=["x"])
    check_raises(LookupError, "did you mean `operand-count`", "explain", "operand-counts")
    check_raises(LookupError, "did you mean", "describe", "addd")
    check_raises(ValueError, "it does not begin with `.version`", "format", "hello")
    check_raises(ValueError, "line 6 has a syntax error", "format", KERNEL.replace("%r1,", "%r1 ["))


def test_values_are_immutable() -> None:
    api = import_module("ptx_ls.api")
    classes = [it for name in api.__all__ if is_dataclass(it := getattr(api, name))]
    assert len(classes) > 5
    for each in classes:
        assert each.__hash__ is not None  # only frozen ones have it
        types = [str(field.type) for field in fields(each)]
        assert not any(word in text for text in types for word in ("list", "dict", "set"))


def test_an_unknown_name() -> None:
    with pytest.raises(AttributeError, match="no attribute `nosuch`"):
        _ = ptx_ls.nosuch  # type: ignore[attr-defined]


@pytest.mark.slow
def test_importing_loads_nothing_else() -> None:
    code = (
        "import sys, ptx_ls; print([it for it in sys.modules if it.startswith('ptx_ls.')]);"
        "from ptx_ls import source; print('ptx_ls.api' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\nFalse\n"


@pytest.mark.slow
def test_a_program_has_types(tmp_path: Path) -> None:
    path = tmp_path / "user.py"
    path.write_text(USER, encoding="utf-8")
    command = [sys.executable, "-m", "mypy", "--strict", "--no-incremental", str(path)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=PACKAGE.parent)
    errors = [line for line in done.stdout.splitlines() if ": error: " in line]
    assert len(errors) == 1, done.stdout + done.stderr
    assert 'expression has type "str", variable has type "int"' in errors[0]
