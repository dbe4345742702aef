"""How statements of a protocol are related to each other."""

from __future__ import annotations

from enum import StrEnum
from typing import Final

from ptx_ls.protocols.mbarriers.objects import (
    ARRIVALS,
    COMPLETE,
    EXPECT,
    INIT,
    INVAL,
    PARTIAL,
    TRACK,
    UNCOUNTED,
    WAITS,
)


class ChainRelation(StrEnum):
    """How a statement is related to another one."""

    COMMITTED_BY = "committed by"
    """A commit closes the group of the operation, or lets an mbarrier object track it."""
    COMMITS = "commits"
    READ_BY = "source read at"
    """After the wait, a bulk copy has read its source."""
    COMPLETE_AT = "complete at"
    """After the wait, the operation is complete."""
    COMPLETES = "completes"
    """The wait is for the operation, and other waits with it if it is not complete on all paths."""
    INIT = "init"
    """The statements that have to do with the same mbarrier object, by what they do."""
    EXPECT = "expect"
    ARRIVE = "arrive"
    SIGNAL = "complete"
    WAIT = "wait"
    INVAL = "inval"

    @classmethod
    def of_action(cls, action: str) -> ChainRelation:
        """Returns the relation of a statement that does something with an mbarrier object."""
        return _ROLES[action]


_ROLES: Final = {
    INIT: ChainRelation.INIT,
    INVAL: ChainRelation.INVAL,
    EXPECT: ChainRelation.EXPECT,
    COMPLETE: ChainRelation.SIGNAL,
    **dict.fromkeys((*ARRIVALS, *PARTIAL, TRACK, UNCOUNTED), ChainRelation.ARRIVE),
    **dict.fromkeys(WAITS, ChainRelation.WAIT),
}
