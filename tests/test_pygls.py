"""The server uses only what pygls documents: no private name, no base class."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

import ptx_ls

ROOT = Path(ptx_ls.__file__).parents[1]
SOURCES = sorted(
    path for name in ("ptx_ls", "tests", "docs") for path in (ROOT / name).rglob("*.py")
)
PUBLIC_BASES = {"JsonRpcException"}
"""Classes that pygls documents as base classes and that have no private attributes."""


def is_private(name: str) -> bool:
    return name.startswith("_") and not name.endswith("__")


def imported(tree: ast.AST) -> Iterator[tuple[str, str]]:
    """The names that a module gets from pygls: as it calls them, and their full names."""
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] == "pygls":
            for name in node.names:
                yield name.asname or name.name, f"{node.module}.{name.name}"
        elif isinstance(node, ast.Import):
            for name in node.names:
                if name.name.split(".")[0] == "pygls":
                    yield name.asname or "pygls", name.name


def root_of(node: ast.expr) -> str:
    """The variable that an expression begins with: `a` of `a.b(c)[0].d`; `self.a` of `self.a.b`."""
    while True:
        if isinstance(node, ast.Attribute):
            if isinstance(node.value, ast.Name) and node.value.id in ("self", "cls"):
                return f"self.{node.attr}"
            node = node.value
        elif isinstance(node, ast.Call):
            node = node.func
        elif isinstance(node, ast.Subscript | ast.Await):
            node = node.value
        else:
            return node.id if isinstance(node, ast.Name) else ""


def names_in(node: ast.expr | None) -> set[str]:
    """All names in an annotation."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        node = ast.parse(node.value, mode="eval").body
    return set() if node is None else {it.id for it in ast.walk(node) if isinstance(it, ast.Name)}


def bound(node: ast.AST, known: set[str]) -> str:
    """The variable or attribute to which a piece of code gives what comes from pygls, if any."""
    if isinstance(node, ast.Assign) and root_of(node.value) in known:
        return root_of(node.targets[0])
    if isinstance(node, ast.AnnAssign):
        value = root_of(node.value) if node.value is not None else ""
        return root_of(node.target) if {value, *names_in(node.annotation)} & known else ""
    if isinstance(node, ast.withitem) and root_of(node.context_expr) in known:
        return root_of(node.optional_vars) if node.optional_vars is not None else ""
    if isinstance(node, ast.arg) and names_in(node.annotation) & known:
        return node.arg
    if isinstance(node, ast.ExceptHandler) and names_in(node.type) & known:
        return node.name or ""
    return ""


def names_from_pygls(tree: ast.AST) -> set[str]:
    """The variables and attributes of a module that hold what comes from pygls."""
    known: set[str] = set()
    found = {name for name, _ in imported(tree)}
    while found != known:
        known = found
        found = (known | {bound(node, known) for node in ast.walk(tree)}) - {""}
    return known


def faults(source: str) -> list[str]:
    """The uses of what pygls does not offer."""
    if "pygls" not in source:
        return []
    tree = ast.parse(source)
    known = names_from_pygls(tree)
    found = [full for _, full in imported(tree) if any(map(is_private, full.split(".")))]
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and is_private(node.attr):
            if root_of(node.value) in known:
                found.append(ast.unparse(node))
        elif isinstance(node, ast.ClassDef):
            bases = [base for base in node.bases if root_of(base) in known]
            found += [f"class {node.name}" for it in bases if root_of(it) not in PUBLIC_BASES]
        elif isinstance(node, ast.Call) and ast.unparse(node.func) in ("getattr", "setattr"):
            name = node.args[1]
            is_hidden = isinstance(name, ast.Constant) and is_private(str(name.value))
            if is_hidden and root_of(node.args[0]) in known:
                found.append(ast.unparse(node))
    return found


def test_nothing_private_of_pygls_is_used() -> None:
    found = {str(path.relative_to(ROOT)): faults(path.read_text("utf-8")) for path in SOURCES}
    assert {path: wrong for path, wrong in found.items() if wrong} == {}


@pytest.mark.parametrize(
    "source",
    [
        "from pygls.lsp._capabilities import get_capability",
        "from pygls.protocol import _dict_to_object",
        "import pygls.lsp._base_server",
        "import pygls\npygls.uris._normalize('x')",
        "from pygls.workspace import Workspace\nWorkspace(None)._docs",
        "from pygls.workspace import Workspace\nw = Workspace(None)\nv = w.copy()\nv._docs.x",
        "from pygls.workspace import Workspace as W\ndef f(w: W | None): return w._docs",
        "from pygls.workspace import Workspace as W\ndef f(w: 'W'): return w.folders._x",
        "from pygls import lsp\nclass A:\n def f(self): self.b = lsp.B()\n def g(self): self.b._c",
        "from pygls.lsp.server import LanguageServer\nclass A(LanguageServer): pass",
        "from pygls import protocol\nclass A(protocol.JsonRPCProtocol): pass",
        "from pygls import uris\ngetattr(uris, '_x')",
        "from pygls.x import y\nwith y() as z: z._a",
        "from pygls.x import Y\ntry: f()\nexcept Y as z: z._a",
    ],
)
def test_what_is_private_is_found(source: str) -> None:
    assert len(faults(source)) == 1


@pytest.mark.parametrize(
    "source",
    [
        "from pygls.exceptions import JsonRpcException\nclass A(JsonRpcException): pass",
        "from pygls.uris import to_fs_path\nclass A:\n def f(self): self._a = to_fs_path('x')",
        "from pygls.workspace import Workspace\nWorkspace(None).folders.__len__()",
        "from mypygls import _x\n_x._y",
    ],
)
def test_what_is_public_is_not(source: str) -> None:
    assert faults(source) == []
