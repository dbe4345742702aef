"""The effects of a device function that its callers see."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from ptx_ls.lint.calls.function_body import FunctionBody
from ptx_ls.source.named_tuple import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping


class PointerAccess(NamedTuple):
    """An access to memory through a parameter.

    Only the kind is known of accesses that do not happen in each call of the function.

    Attributes:
        parameter: the number of the parameter.
        needed: the kind of address that the parameter has to be: `generic`, or a state space.
        low: the smallest offset of the first byte from the address in the parameter.
        high: the largest one.
        size: the number of bytes; 0 if it is unknown.
        alignment: what the address of the access has to be a multiple of.
    """

    parameter: int
    needed: str
    low: int
    high: int
    size: int
    alignment: int


class PassedPointer(NamedTuple):
    """A parameter, with a constant added to it, that a function passes on in each call."""

    parameter: int
    offset: int
    callee: str
    argument: int


class ReadBytes(NamedTuple):
    """Bytes of a parameter that a function reads in each call: `size` bytes from `first` on."""

    parameter: int
    first: int
    size: int


class CallSummary(NamedTuple):
    """The effects of a device function.

    Attributes:
        accesses: the accesses through its parameters.
        passed: the parameters that it passes on.
        reads: the numbers of parameters whose values it reads in each call.
        read_bytes: the bytes of structures whose values it uses in each call.
        divisors: the numbers of parameters by which it divides integers in each call.
        only_reads: those through which it surely writes no memory, and which it keeps nowhere.
        returns: whether it may return.
        orders: whether it may order accesses of different threads itself.
        callees: the functions that it calls; "" for one that is not named.
        body: what may be written in place of a call; None if it is long.
    """

    accesses: tuple[PointerAccess, ...] = ()
    passed: tuple[PassedPointer, ...] = ()
    reads: frozenset[int] = frozenset()
    read_bytes: tuple[ReadBytes, ...] = ()
    divisors: frozenset[int] = frozenset()
    only_reads: frozenset[int] = frozenset()
    returns: bool = True
    orders: bool = True
    callees: frozenset[str] = frozenset()
    body: FunctionBody | None = None


class CalledBodies(NamedTuple):
    """The bodies that may replace calls.

    `bodies`: the bodies of functions by name. `sharing`: the functions of the module that concern
    other threads, also by the functions that they call.
    """

    bodies: Mapping[str, FunctionBody]
    sharing: frozenset[str]


CallSummaries = MappingProxyType[str, CallSummary]
NO_SUMMARY: Final = CallSummary()
NO_SUMMARIES: Final[CallSummaries] = MappingProxyType({})
NO_BODIES: Final = CalledBodies(MappingProxyType({}), frozenset())
