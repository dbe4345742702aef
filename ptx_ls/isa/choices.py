"""The modifiers that may follow what is typed so far, for completion."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ptx_ls.isa.checking.filling import Filler, constraints_of, ptxas_rules_of, rules_of
from ptx_ls.isa.checking.gates import check_gates
from ptx_ls.isa.checking.match import Placement, place
from ptx_ls.isa.checking.verdict import Context, ViolationKind
from ptx_ls.isa.model import Form, Instruction
from ptx_ls.isa.version import describe_needs
from ptx_ls.source.named_tuple import NamedTuple


class ModifierChoice(NamedTuple):
    """One modifier that fits after those typed.

    `is_canonical`: if appended, it is in canonical order. `requires`: the version or target that
    the module lacks; if not "", `is_legal` is False. `completes`: the instruction needs no further
    modifier. `is_last`: its form has no place for another modifier after it. `is_deprecated`: the
    instruction with it is deprecated. `is_needed`: a legal form requires a modifier in its slot.
    """

    modifier: str
    slot: str
    is_canonical: bool
    requires: str
    is_legal: bool
    completes: bool
    is_last: bool = False
    is_deprecated: bool = False
    is_needed: bool = False


def next_modifiers(
    instruction: Instruction, typed: Sequence[str], context: Context
) -> list[ModifierChoice]:
    """Returns the modifiers that can follow `typed`, in canonical order, each once. Never raises.

    A modifier that would skip a required one is omitted, although ptxas accepts most orders.
    A modifier is legal if the module's version and target have an instruction with it: a form, and
    modifiers for its other slots.
    """
    found: dict[str, ModifierChoice] = {}
    needed: set[str] = set()
    for form in instruction.forms:
        placement = place(form.row, typed, frozenset())
        if placement.leftover or placement.out_of_order:
            continue
        for choice in _choices(form, placement, typed, context):
            if choice.is_needed and choice.is_legal:
                needed.add(choice.modifier)
            other = found.get(choice.modifier)
            if other is None or _quality(choice) > _quality(other):
                found[choice.modifier] = choice
    merged = (it._replace(is_needed=it.modifier in needed) for it in found.values())
    return sorted(merged, key=lambda choice: not choice.is_canonical)


def accepting_forms(instruction: Instruction, typed: Sequence[str]) -> list[tuple[Form, Placement]]:
    """Returns the forms in which ptxas accepts these modifiers, in the order of the data."""
    placed = [(form, place(form.row, typed, frozenset())) for form in instruction.forms]
    return [
        (form, placement)
        for form, placement in placed
        if not (placement.leftover or placement.out_of_order)
        and Filler(form, ptxas_rules_of(form)).filled(placement.values) is not None
    ]


def requirement(form: Form, values: Sequence[str], context: Context) -> str:
    """Returns what a module lacks for a form with these modifiers; "" if nothing."""
    scope = form.scope(values)
    closed = [each for each in check_gates(form.row, scope, context) if not each.lenient]
    return describe_needs(closed[-1].needs) or closed[-1].required if closed else ""


def _quality(choice: ModifierChoice) -> tuple[bool, bool, bool, bool]:
    return choice.is_legal, choice.is_canonical, not choice.is_deprecated, choice.completes


def _choices(
    form: Form,
    placement: Placement,
    typed: Sequence[str],
    context: Context,
) -> Iterator[ModifierChoice]:
    slots = form.row.slots
    within = Filler(form, constraints_of(form, context))
    anywhere = Filler(form, rules_of(form))
    last = max((slot for slot, index in enumerate(placement.filled_by) if index >= 0), default=-1)
    for slot in range(form.row.n_modifier_slots):
        if placement.filled_by[slot] >= 0:
            continue
        if any(not slots[other].optional for other in range(last + 1, slot)):
            break  # another modifier has to come first
        later = [placement.filled_by[at] < 0 for at in range(slot + 1, form.row.n_modifier_slots)]
        for value in slots[slot].values:
            tried = _with(form, placement, typed, slot, value)
            if tried is None:
                continue
            is_next = slot > last and not any(other < slot for other in placement.missing)
            legal = within.filled(tried.values, slot + 1) if is_next else None
            is_canonical = legal is not None
            if legal is None and not (is_next and all(placement.values[:slot])):
                legal = within.filled(tried.values)
            other = None if legal else anywhere.filled(tried.values)
            if legal is None and other is None:
                continue
            requires = requirement(form, other, context) if other is not None else ""
            yield ModifierChoice(
                modifier=value,
                slot=slots[slot].name,
                is_canonical=is_canonical or (legal is None and is_next),
                requires=requires,
                is_legal=legal is not None,
                completes=not tried.missing,
                is_last=not any(later),
                is_deprecated=legal is not None and _is_discouraged(form, legal, context),
                is_needed=not slots[slot].optional,
            )


def _with(
    form: Form, placement: Placement, typed: Sequence[str], slot: int, value: str
) -> Placement | None:
    """Returns the placement with one more modifier in a slot; None if it does not fit there."""
    if form.row.slots[slot].group < 0 and form.row.accepts[value][0] == slot >= form.row.head:
        tried = Placement(len(form.row.slots))
        tried.values = [*placement.values[:slot], value, *placement.values[slot + 1 :]]
        tried.missing = [other for other in placement.missing if other != slot]
        return tried
    tried = place(form.row, [*typed, value], frozenset(), explain=False)
    misplaced = tried.leftover or tried.out_of_order or tried.filled_by[slot] < 0
    return None if misplaced else tried


def _is_discouraged(form: Form, values: Sequence[str], context: Context) -> bool:
    if not form.row.deprecated:
        return False
    scope = form.scope(values)
    return any(
        each.kind is ViolationKind.DEPRECATED for each in check_gates(form.row, scope, context)
    )
