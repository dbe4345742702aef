"""The synchronisation of a function as rows: its statements in order, with what belongs to them."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING

from ptx_ls.source.named_tuple import NamedTuple

if TYPE_CHECKING:
    from ptx_ls.features.synchronization.warp_roles import WarpRole
    from ptx_ls.protocols.chains.relations import ChainRelation


class RowKind(StrEnum):
    """The kind of the statements of a row."""

    BARRIER = "barrier"
    CLUSTER = "cluster barrier"
    MBARRIER = "mbarrier"
    OPERATION = "operation"
    """An operation that completes later."""
    COMMIT = "commit"
    WAIT = "wait"
    FENCE = "fence"
    COLLECTIVE = "collective"
    """An instruction of a warp that perhaps only a part of a warp executes."""
    OTHER = "other"


class RowPartner(NamedTuple):
    """A row that belongs to another one; `is_sure`: on all paths, and for the same object."""

    relation: ChainRelation
    row: int
    is_sure: bool


class SyncRow(NamedTuple):
    """A statement, or several with one opcode that come one after another and belong together.

    Attributes:
        lines: the lines of the statements, from 0.
        opcode: their opcode, with modifiers.
        kind: what they do.
        agent: what does the work that completes later, such as `tensor core`, or "".
        executed_by: the threads that may execute them, in words, or "".
        warps: the warps of these threads, as a set with a bit for each; 0 if they are unknown.
        loops: the numbers of the loops around them, from outside to inside.
        objects: the numbers of the mbarrier objects that they are about.
        note: what they do here, in words.
        partners: the rows that belong to them.
    """

    lines: tuple[int, ...]
    opcode: str
    kind: RowKind
    agent: str
    executed_by: str
    warps: int
    loops: tuple[int, ...]
    objects: tuple[int, ...]
    note: str
    partners: tuple[RowPartner, ...]


class SyncLoop(NamedTuple):
    """A loop with rows; lines from 0. `depth`: the number of loops with rows around it."""

    first_line: int
    last_line: int
    depth: int


class SyncObject(NamedTuple):
    """An mbarrier object, or a ring of them.

    `name`: its address, or "". `title`: a short name. `n_arrivals`: how many complete a phase.
    `roles`: what statements do with it, with their lines.
    """

    name: str
    title: str
    is_ring: bool
    n_arrivals: int | None
    roles: tuple[tuple[ChainRelation, tuple[int, ...]], ...]


class SyncOutline(NamedTuple):
    """The synchronisation of a function.

    Attributes:
        name: its name.
        line: the line where it begins, from 0.
        is_known: whether it could be followed: it can be read, and is not too large.
        threads: the number of threads of a block if it is stated, else 0.
        roles: the groups of warps that run different code; one if the warps are not specialised.
        rows: its statements in the order of the text.
        loops: the loops with rows, in order.
        objects: its mbarrier objects, in order.
    """

    name: str
    line: int
    is_known: bool
    threads: int
    roles: tuple[WarpRole, ...]
    rows: tuple[SyncRow, ...]
    loops: tuple[SyncLoop, ...]
    objects: tuple[SyncObject, ...]
