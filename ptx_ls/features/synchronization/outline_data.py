"""The synchronisation of a function as plain data."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ptx_ls.features.synchronization.outline_text import ROLES

if TYPE_CHECKING:
    from ptx_ls.features.synchronization.outline_model import SyncObject, SyncOutline, SyncRow


def as_data(found: SyncOutline, path: str) -> dict[str, Any]:
    """Returns everything about a function; lines count from 1, rows, loops and objects from 0."""
    return {
        "path": path,
        "function": found.name,
        "line": found.line + 1,
        "known": found.is_known,
        "threads": found.threads or None,
        "roles": [each.name for each in found.roles],
        "rows": [_row(each) for each in found.rows],
        "loops": [
            {"first": each.first_line + 1, "last": each.last_line + 1, "depth": each.depth}
            for each in found.loops
        ],
        "objects": [_object(each) for each in found.objects],
    }


def _row(row: SyncRow) -> dict[str, Any]:
    return {
        "lines": [line + 1 for line in row.lines],
        "opcode": row.opcode,
        "kind": row.kind.value,
        "agent": row.agent or None,
        "executed_by": row.executed_by or None,
        "loops": list(row.loops),
        "objects": list(row.objects),
        "note": row.note,
        "partners": [
            {"relation": each.relation.value, "row": each.row, "certain": each.is_sure}
            for each in row.partners
        ],
    }


def _object(found: SyncObject) -> dict[str, Any]:
    return {
        "name": found.name or None,
        "ring": found.is_ring,
        "arrivals": found.n_arrivals,
        "uses": {ROLES[relation]: [line + 1 for line in lines] for relation, lines in found.roles},
    }
