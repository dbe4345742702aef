"""Says which threads of a block execute a statement."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ptx_ls.threads.uniformity.levels import LANES, Level

if TYPE_CHECKING:
    from ptx_ls.protocols.participants import Participants
    from ptx_ls.semantics.symbols.region_text import Found
    from ptx_ls.threads.events.sites import EventSite
    from ptx_ls.threads.uniformity.executing_threads import ThreadSet
    from ptx_ls.threads.uniformity.function_uniformity import FunctionUniformity
    from ptx_ls.threads.uniformity.launches import BlockShape

ALL: Final = "all threads"
_ELECT: Final = ("elect",)


def executing(participants: Participants, site: EventSite) -> str:
    """Returns which threads execute a statement, at least once: `warps 4 to 7`; "" if unclear."""
    uniformity = participants.uniformity
    has_elect = uniformity.flow.text.has_opcodes(_ELECT)
    is_exact = participants.is_exact(site)
    words = {
        _words(shape, own, is_exact=is_exact, has_elect=has_elect)
        for shape, own in uniformity.threads_of(site.found)
    }
    return words.pop() if len(words) == 1 else ""


def warps_of(uniformity: FunctionUniformity, found: Found) -> int:
    """Returns the warps that may execute a statement, as a set with a bit for each; 0 if unknown.

    The warps are those of the largest block that is examined.
    """
    warps = 0
    for shape, own in uniformity.threads_of(found):
        warps = 0
        for number, group in enumerate(shape.groups(Level.WARP)):
            warps |= bool(own.threads & group) << number
    return warps


def named_warps(warps: int, shape: BlockShape) -> str:
    """Returns the name of a set of warps: `warps 4 to 7`, or `4 warps`."""
    numbers = [each for each in range(shape.n_warps) if warps >> each & 1]
    if len(numbers) == shape.n_warps:
        return ALL
    return _warps(numbers, shape) or f"{len(numbers)} warps"


def _words(shape: BlockShape, own: ThreadSet, *, is_exact: bool, has_elect: bool) -> str:
    if own.threads == shape.everyone:
        if is_exact or own.together >= Level.CTA:
            return ALL
        return "some warps" if own.together >= Level.WARP else "some threads"
    n_threads = own.threads.bit_count()
    if n_threads == 1:
        thread = own.threads.bit_length() - 1
        return f"one thread of warp {thread // LANES}" if has_elect else f"thread {thread}"
    warps = [
        (number, (own.threads & group).bit_count() == group.bit_count())
        for number, group in enumerate(shape.groups(Level.WARP))
        if own.threads & group
    ]
    named = _warps([number for number, _ in warps], shape)
    if not named:
        return ""
    if all(is_whole for _, is_whole in warps):
        return named if is_exact else f"some of {named}"
    if n_threads == len(warps):
        return f"one thread of {'each of ' if len(warps) > 1 else ''}{named}"
    return f"some threads of {named}"


def _warps(numbers: list[int], shape: BlockShape) -> str:
    """Returns the names of warps; "" if they are not consecutive."""
    first, last = (numbers[0], numbers[-1]) if numbers else (0, -1)
    if last - first + 1 != len(numbers):
        return ""
    is_open = last == shape.n_warps - 1 and not shape.is_stated
    if is_open:
        return f"warps {first} and up" if first else ""
    if first == last:
        return f"warp {first}"
    return f"warps {first} {'and' if last == first + 1 else 'to'} {last}"
