"""Places the modifiers of an instruction into the slots of a form, whatever their order.

ptxas enforces order in two cases only: among modifiers that could take each other's place (types,
`.row` and `.col`), and among the first modifiers of some opcodes.
"""

from __future__ import annotations

from collections.abc import Sequence
from collections.abc import Set as AbstractSet

from ptx_ls.isa.notation.table import FormRow


class Placement:
    """The modifiers in the slots of a form, and those that fit no slot."""

    __slots__ = ("filled_by", "leftover", "missing", "out_of_order", "values")

    def __init__(self, n_slots: int) -> None:
        self.values: list[str] = [""] * n_slots
        self.filled_by: list[int] = [-1] * n_slots
        """The index of the modifier in each slot, -1 for none."""
        self.leftover: list[int] = []
        """The indices of modifiers that fit no free slot."""
        self.missing: list[int] = []
        """The required slots without a modifier."""
        self.out_of_order: list[int] = []
        """The indices of modifiers that would fit in another order, which ptxas enforces."""

    @property
    def is_complete(self) -> bool:
        """Whether every modifier has a slot and every required slot has a modifier."""
        return not (self.leftover or self.missing or self.out_of_order)


def takes(form: FormRow, modifiers: AbstractSet[str]) -> bool:
    """Whether each modifier fits some slot: a quick test before `place`."""
    return form.accepts.keys() >= modifiers


def place(
    form: FormRow, modifiers: Sequence[str], skipped: frozenset[int], *, explain: bool = True
) -> Placement:
    """Fills the slots of `form`; modifiers whose index is in `skipped` are ignored.

    Without `explain`, modifiers in the wrong order count as leftover ones, which is faster.
    """
    placement = Placement(len(form.slots))
    groups: dict[int, list[int]] = {}
    for index, modifier in enumerate(modifiers):
        if index in skipped:
            continue
        candidates = form.accepts.get(modifier)
        if candidates is None:
            placement.leftover.append(index)
            continue
        slot = candidates[0]
        group = form.slots[slot].group
        if group >= 0:
            groups.setdefault(group, []).append(index)
        elif placement.filled_by[slot] >= 0:
            placement.leftover.append(index)
        else:
            placement.filled_by[slot] = index
            placement.values[slot] = modifier
    for group, members in groups.items():
        _place_group(form, modifiers, group, members, placement, explain=explain)
    for slot in range(form.n_modifier_slots):
        if placement.filled_by[slot] < 0 and not form.slots[slot].optional:
            placement.missing.append(slot)
    _check_head(form, placement)
    return placement


def _check_head(form: FormRow, placement: Placement) -> None:
    """Checks that the first modifiers fill the first `head` slots, in order."""
    expected = 0
    for slot in range(form.head):
        index = placement.filled_by[slot]
        if index >= 0 and index != expected:
            placement.out_of_order.append(index)
            return
        expected += index >= 0


def _place_group(
    form: FormRow,
    modifiers: Sequence[str],
    group: int,
    members: list[int],
    placement: Placement,
    *,
    explain: bool,
) -> None:
    slots = [slot for slot in range(form.n_modifier_slots) if form.slots[slot].group == group]
    pairs = _align(form, modifiers, slots, members)
    if explain and len(pairs) < len(members):
        other = _align_unordered(form, modifiers, slots, members)
        if other:
            placement.out_of_order.extend(_first_moved(other))
            pairs = other
    for slot, index in pairs:
        placement.filled_by[slot] = index
        placement.values[slot] = modifiers[index]
    placed = {index for _, index in pairs}
    placement.leftover.extend(index for index in members if index not in placed)


def _first_moved(pairs: list[tuple[int, int]]) -> list[int]:
    """Returns the first modifier that is not in the order of its slot; [] if there is none."""
    indices = [index for _, index in sorted(pairs)]
    return [
        index for index, inorder in zip(indices, sorted(indices), strict=True) if index != inorder
    ][:1]


def _align_unordered(
    form: FormRow, modifiers: Sequence[str], slots: list[int], members: list[int]
) -> list[tuple[int, int]]:
    """Returns an assignment of all members to different slots in any order; empty without one.

    Finds a bipartite matching by augmenting paths.
    """
    holder: dict[int, int] = {}

    def seat(member: int, refused: set[int]) -> bool:
        for slot in slots:
            if slot in refused or slot not in form.accepts[modifiers[member]]:
                continue
            refused.add(slot)
            if slot not in holder or seat(holder[slot], refused):
                holder[slot] = member
                return True
        return False

    if len(members) > len(slots) or not all(seat(member, set()) for member in members):
        return []
    return list(holder.items())


def _align(
    form: FormRow, modifiers: Sequence[str], slots: list[int], members: list[int]
) -> list[tuple[int, int]]:
    """Returns the best assignment in order: with most modifiers, then most required slots."""
    return _align_greedily(form, modifiers, slots, members) or _align_best(
        form, modifiers, slots, members
    )


def _align_greedily(
    form: FormRow, modifiers: Sequence[str], slots: list[int], members: list[int]
) -> list[tuple[int, int]]:
    """Puts each member in the first slot that takes it; empty unless required slots are filled."""
    pairs: list[tuple[int, int]] = []
    taken = 0
    for slot in slots:
        if taken < len(members) and slot in form.accepts[modifiers[members[taken]]]:
            pairs.append((slot, members[taken]))
            taken += 1
        elif not form.slots[slot].optional:
            return []
    return pairs if taken == len(members) else []


def _align_best(
    form: FormRow, modifiers: Sequence[str], slots: list[int], members: list[int]
) -> list[tuple[int, int]]:
    n_slots, n_members = len(slots), len(members)
    best = [[0] * (n_slots + 1) for _ in range(n_members + 1)]
    for i in range(n_members - 1, -1, -1):
        candidates = form.accepts[modifiers[members[i]]]
        for j in range(n_slots - 1, -1, -1):
            score = max(best[i + 1][j], best[i][j + 1])
            if slots[j] in candidates:
                score = max(score, best[i + 1][j + 1] + _weight(form, slots[j]))
            best[i][j] = score
    pairs: list[tuple[int, int]] = []
    i = j = 0
    while i < n_members and j < n_slots:
        takes = slots[j] in form.accepts[modifiers[members[i]]]
        if takes and best[i][j] == best[i + 1][j + 1] + _weight(form, slots[j]):
            pairs.append((slots[j], members[i]))
            i, j = i + 1, j + 1
        elif best[i][j] == best[i][j + 1]:
            j += 1
        else:
            i += 1
    return pairs


def _weight(form: FormRow, slot: int) -> int:
    return 10 if form.slots[slot].optional else 11


def canonical_order(placement: Placement) -> list[int]:
    """Returns the modifier indices in the order of their slots."""
    return [index for index in placement.filled_by if index >= 0]
