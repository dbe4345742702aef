"""Writes the table of facts: what is derived from which node of a document, and where."""

from __future__ import annotations

import ast
import re
from pathlib import Path
from typing import Final, NamedTuple

import ptx_ls
from docs.folders import DOCS
from docs.generators.unwrapping import unwrapped

PATH: Final = DOCS / "facts.md"
_PACKAGE: Final = Path(ptx_ls.__file__).parent
_HEAD: Final = """# Facts of a document

Written by `./dev docs` from the declarations. [Architecture](architecture.md#facts) explains facts.

- *computed*: a pure function of the node and of the inputs. The value for the last inputs is kept.
- *combined*: made of one value for each part of the node. It is kept while these values are the
  same objects.
- *recent*: like *computed*, but only the values of the most recently used nodes are kept.
- *joined*: computed for each function, and joined for a group of functions without common lines.
- *stored*: computed elsewhere, such as by a worker, and stored with the node.

| fact | node | kind | inputs | value | module |
| --- | --- | --- | --- | --- | --- |
"""
_KINDS: Final = {
    "fact": "computed",
    "combined": "combined",
    "recent_fact": "recent",
    "shared_recent_fact": "recent",
    "part_fact": "joined",
}
_STORED: Final = "StoredFact"


class _Row(NamedTuple):
    node: str
    name: str
    kind: str
    inputs: str
    summary: str
    module: str


def page() -> str:
    """Returns the page."""
    rows = sorted(row for path in sorted(_PACKAGE.rglob("*.py")) for row in _rows(path))
    return unwrapped(_HEAD) + "".join(map(_line, rows))


def _line(row: _Row) -> str:
    value = row.summary.removeprefix("Returns ")
    value = value[:1].upper() + value[1:]
    cells = f"`{row.name}`", row.node, row.kind, row.inputs, value, f"`{row.module}`"
    return f"| {' | '.join(cells)} |\n"


def _rows(path: Path) -> list[_Row]:
    module = path.relative_to(_PACKAGE.parent).as_posix()
    body = ast.parse(path.read_text("utf-8")).body
    parts = {each.name: each for each in body if isinstance(each, ast.FunctionDef)}
    found: list[_Row] = []
    for number, each in enumerate(body):
        if isinstance(each, ast.FunctionDef):
            for decorator in each.decorator_list:
                row = _declared(each, decorator, parts, module)
                found += [row] if row is not None else []
        elif isinstance(each, ast.AnnAssign) and isinstance(each.value, ast.Call):
            types = _types_of_stored(each)
            if types:
                text = ast.get_docstring(ast.Module([*body[number + 1 : number + 2]], []))
                found.append(_stored(each.value, types, text or "", module))
    return found


def _declared(
    function: ast.FunctionDef,
    decorator: ast.expr,
    parts: dict[str, ast.FunctionDef],
    module: str,
) -> _Row | None:
    name = decorator.func if isinstance(decorator, ast.Call) else decorator
    if not isinstance(name, ast.Name) or name.id not in _KINDS:
        return None
    arguments = function.args.args
    inputs = ", ".join(f"`{each.arg}`" for each in arguments[1:])
    given = decorator.args[0] if isinstance(decorator, ast.Call) else None
    if name.id == "combined" and isinstance(given, ast.Name) and given.id in parts:
        arguments, inputs = parts[given.id].args.args, ""  # of the function that gives the parts
    node = _node(ast.unparse(arguments[0].annotation)) if arguments[0].annotation else ""
    node = "part" if name.id == "part_fact" else node
    return _Row(node, function.name, _KINDS[name.id], inputs, _summary(function), module)


def _types_of_stored(assigned: ast.AnnAssign) -> list[str]:
    """The types in `StoredFact[Node, Value, Inputs]` of an assignment, if it has that."""
    for each in ast.walk(assigned):
        if isinstance(each, ast.Subscript) and ast.unparse(each.value) == _STORED:
            types = each.slice.elts if isinstance(each.slice, ast.Tuple) else [each.slice]
            return [ast.unparse(one).strip("'\"") for one in types]
    return []


def _stored(made: ast.Call, types: list[str], text: str, module: str) -> _Row:
    """The row of `NAME: Final = StoredFact[...]("name")`, which the text below it documents."""
    node, _, inputs = types
    name = ast.literal_eval(made.args[0])
    kinds = inputs.removeprefix("tuple[").removesuffix("]")
    return _Row(_node(node), name, "stored", f"`{kinds}`", _first_sentence(text), module)


def _node(annotation: str) -> str:
    if annotation.startswith("InnerNode"):
        return "group"
    return re.sub(r"(?<=\w)(?=[A-Z])", " ", annotation).lower()


def _summary(function: ast.FunctionDef) -> str:
    return _first_sentence(ast.get_docstring(function) or "")


def _first_sentence(text: str) -> str:
    first = " ".join(text.split("\n\n", maxsplit=1)[0].split())
    return first.removesuffix(".").replace("|", "\\|")
