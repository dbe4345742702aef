"""The JSON schema of a configuration file, by which editors complete and check it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from ptx_ls.files.configuration.keys import FILE, TABLES

if TYPE_CHECKING:
    from ptx_ls.files.configuration.keys import ConfigurationTable

_DIALECT: Final = "http://json-schema.org/draft-07/schema#"


def schema() -> dict[str, Any]:
    """Returns the schema of `ptx-ls.toml`, and of `[tool.ptx-ls]` in `pyproject.toml`."""
    tables = {table.name: _of_tables(table) for table in TABLES}
    found = _of_table(FILE)
    found["properties"] |= tables
    return {"$schema": _DIALECT, "title": "Configuration of ptx-ls", **found}


def _of_tables(table: ConfigurationTable) -> dict[str, Any]:
    if not table.is_repeated:
        return _of_table(table)
    required = [key.name for key in table.keys if key.is_required]
    item = {**_of_table(table), "required": required}
    return {"description": table.about, "type": "array", "items": item}


def _of_table(table: ConfigurationTable) -> dict[str, Any]:
    return {
        "description": table.about,
        "type": "object",
        "additionalProperties": False,
        "properties": {
            key.name: {"description": key.about, **key.kind.schema()} for key in table.keys
        },
    }
