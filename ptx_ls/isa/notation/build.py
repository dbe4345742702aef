"""Builds the compiled database from the TOML files, as bytes.

Layout: magic, length of the index, the index (`marshal`), then one block for the forms and one for
the prose of each instruction, and one for each other table. Only what is used is decoded.
"""

from __future__ import annotations

import marshal
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from ptx_ls.isa.notation.compiler import IsaDataError, compile_instruction
from ptx_ls.isa.notation.form_entries import SharedDefinitions
from ptx_ls.isa.notation.table import FactRow, FormRow

MAGIC = b"ptx-ls isa 1\n"
LENGTH_BYTES = 8
MARSHAL_VERSION = 4
"""The format version, which every supported Python can read: one wheel is built for all."""
TABLES = (
    "certified", "directives", "layouts", "nvvm", "pragmas", "predefined", "special_registers",
    "state_spaces", "targets", "texture_fields", "types", "versions",
)  # fmt: skip
_PROSE_KEYS = (
    "summary", "doc", "section", "category", "flow", "modifiers", "operands", "pitfalls", "example",
    "semantics", "not-computable", "see", "defaults", "headline",
)  # fmt: skip


def read_toml(path: Path) -> dict[str, Any]:
    """Reads a TOML file. Raises IsaDataError naming the file."""
    try:
        with path.open("rb") as file:
            return tomllib.load(file)
    except tomllib.TOMLDecodeError as error:
        raise IsaDataError(f"{path.name}: {error}") from error


def plain(value: Any) -> Any:
    """Turns named tuples into the plain ones that `marshal` can store."""
    if isinstance(value, tuple):
        return tuple(plain(part) for part in value)
    if isinstance(value, list):
        return [plain(part) for part in value]
    if isinstance(value, dict):
        return {plain(key): plain(part) for key, part in value.items()}
    return value


def read_shared(directory: Path) -> SharedDefinitions:
    """Reads the definitions that instruction files may refer to."""
    shared = read_toml(directory / "shared.toml")
    types = read_toml(directory / "types.toml")["type"]
    return SharedDefinitions(
        sets=shared.get("sets", {}),
        rules=shared.get("rules", {}),
        types=frozenset(entry["name"] for entry in types),
        ordered=tuple(frozenset(words.split()) for words in shared.get("ordered", [])),
    )


def build(directory: Path, stamp: object = None) -> bytes:
    """Compiles every file of the data directory.

    `stamp` describes the state of the sources and is stored for `load`; None means the result is
    final, as in a wheel. An instruction file with an error is left out, and the error is listed in
    `Database.errors`. Raises IsaDataError for other errors; if the result is final, for all errors.
    """
    shared = read_shared(directory)
    blocks: list[bytes] = []
    index: dict[str, Any] = {"stamp": stamp, "instructions": {}, "tables": {}, "errors": []}
    position = 0

    def store(value: object) -> tuple[int, int]:
        nonlocal position
        block = marshal.dumps(plain(value), MARSHAL_VERSION)
        blocks.append(block)
        start = position
        position += len(block)
        return start, len(block)

    for path in sorted((directory / "instructions").glob("*.toml")):
        try:
            data, (forms, facts) = _read_instruction(path, shared)
        except IsaDataError as error:
            if stamp is None:
                raise
            index["errors"].append(str(error))
            continue
        index["instructions"][path.stem] = (
            store((forms, frozenset(data.get("ignored", "").split()))),
            store({"facts": facts, **{key: data[key] for key in _PROSE_KEYS if key in data}}),
        )
    for name in TABLES:
        path = directory / f"{name}.toml"
        index["tables"][name] = store(read_toml(path) if path.exists() else {})
    chapters = sorted((directory / "chapters").glob("*.toml"))
    index["tables"]["chapters"] = store({"chapter": [read_toml(path) for path in chapters]})
    index["tables"]["modifiers"] = store(read_toml(directory / "modifiers.toml"))
    index.update(_small_tables(directory))
    head = marshal.dumps(plain(index), MARSHAL_VERSION)
    return b"".join([MAGIC, len(head).to_bytes(LENGTH_BYTES, "little"), head, *blocks])


def _read_instruction(
    path: Path, shared: SharedDefinitions
) -> tuple[dict[str, Any], tuple[tuple[FormRow, ...], tuple[FactRow, ...]]]:
    data = read_toml(path)
    if data.get("name") != path.stem:
        raise IsaDataError(f"{path.name}: name is {data.get('name')!r}")
    try:
        return data, compile_instruction(data, shared)
    except (TypeError, AttributeError, KeyError, AssertionError) as error:
        raise IsaDataError(f"{path.name}: a value of the wrong type: {error}") from error


def _small_tables(directory: Path) -> Mapping[str, Any]:
    """Returns the tables that every check needs, which are in the index itself."""
    shared = read_toml(directory / "shared.toml")
    keywords = read_toml(directory / "keywords.toml")
    types = read_toml(directory / "types.toml")["type"]
    versions = read_toml(directory / "versions.toml")["version"]
    major, _, minor = versions[-1]["name"].partition(".")
    return {
        "types": {entry["name"]: (entry["bits"], entry["class"]) for entry in types},
        "keywords": tuple(sorted(keywords["opcodes"].split())),
        "newest": (int(major), int(minor)),
        "repeatable": frozenset(shared["lenient"]["repeated"].split()),
        "ignored": frozenset(shared["lenient"]["ignored"].split()),
        "ignored_types": tuple(
            frozenset(shared["lenient"][key].split()) for key in ("types", "types-with-pred")
        ),
    }
