"""Shared code of the rules about undeclared names."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ptx_ls.isa.foreign_names import register_named
from ptx_ls.lint.messages import some_of
from ptx_ls.lint.rule import Finding, Related, Repair, SpanEdit
from ptx_ls.lint.suggestions import nearest
from ptx_ls.semantics.symbols.symbols import Symbol, SymbolKind
from ptx_ls.source.english import counted
from ptx_ls.source.numerals import decimal
from ptx_ls.syntax.offsets import along

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from collections.abc import Set as AbstractSet

    from ptx_ls.document.coordinates import FunctionSpan
    from ptx_ls.lint.rule import RuleContext
    from ptx_ls.semantics.problems.instructions import Undeclared

_OF_VALUES: Final = ("symbol", "register")
_MAX_FURTHER_USES: Final = 5
"""Maximum number of further uses that a diagnostic points to."""


def is_label(mismatch: Undeclared) -> bool:
    """Whether only a label is allowed where the name is."""
    return mismatch.wants == "label"


def is_register(mismatch: Undeclared) -> bool:
    """Whether the name looks like a register, or is declared as one elsewhere."""
    elsewhere = mismatch.elsewhere
    return not mismatch.wants and (
        mismatch.name.startswith("%")
        or mismatch.near is not None
        or (elsewhere is not None and elsewhere.kind is SymbolKind.REGISTER)
    )


def undeclared(
    mismatch: Undeclared,
    noun: str,
    known: Sequence[AbstractSet[str]],
    context: RuleContext,
    find: Callable[[str], Symbol | None] | None = None,
) -> Finding:
    """Returns the finding for an undeclared name, with a similar name or a declaration elsewhere.

    `find` returns the symbol of a `known` name, to decide whether it would fit.
    """
    attempt = mismatch.attempt

    def fits(name: str) -> bool:
        found = find(name) if find is not None else None
        return attempt is None or found is None or attempt.takes(found.facts, context.isa_context)

    finding = _about(mismatch, noun, known, fits, is_crowded=context.is_crowded)
    if not mismatch.uses:
        return finding
    return with_uses(finding, _further(mismatch), mismatch.uses)


def with_uses(finding: Finding, count: str, uses: Sequence[FunctionSpan]) -> Finding:
    """Returns a finding that also covers further uses, and points to the first few of them."""
    related = tuple(Related(*place, "also used here") for place in uses[:_MAX_FURTHER_USES])
    message = f"{finding.message} ({count})"
    return finding._replace(message=message, related=(*finding.related, *related))


def _further(mismatch: Undeclared) -> str:
    """Returns `3 more uses` or `also %r11 and %r12; 9 uses`."""
    n_uses = len(mismatch.uses)
    if not mismatch.others:
        return counted(n_uses, "more use")
    return f"also {some_of(mismatch.others)}; {n_uses + 1:,} uses"


def _about(
    mismatch: Undeclared,
    noun: str,
    known: Sequence[AbstractSet[str]],
    fits: Callable[[str], bool],
    *,
    is_crowded: bool,
) -> Finding:
    name = mismatch.name
    for symbol in (mismatch.near, mismatch.elsewhere):
        if symbol is not None:
            return _declared_elsewhere(mismatch, noun, symbol)
    message = f"undeclared {noun} `{name}`"
    register = f"%{name}"
    is_register = any(register in names for names in known)
    near = register if is_register else None
    if near is None and noun in _OF_VALUES:
        near = register_named(name)
    near = near or nearest(name, *known, fits=fits, is_crowded=is_crowded)
    if near is None:
        return Finding(message)
    places = [mismatch.start]
    if not mismatch.others:
        places += [start for start, _ in mismatch.uses]
    edits = (SpanEdit(start, along(start, len(name)), near) for start in places)
    repair = Repair(f"Replace with `{near}`", tuple(edits))
    return Finding(f"{message}; did you mean `{near}`?", repairs=(repair,))


def _declared_elsewhere(mismatch: Undeclared, noun: str, symbol: Symbol) -> Finding:
    name = mismatch.name
    shown = symbol.spelling
    related: tuple[Related, ...] = ()
    if mismatch.is_near:
        related = (Related(symbol.start, symbol.end, f"`{shown}` is declared here"),)
    if mismatch.wants == "function":
        return Finding(f"`{name}` is a {symbol.kind.value}, not a function", related=related)
    digits = name[len(symbol.name) :]
    if symbol.count and not digits:
        members = f"`{name}0` to `{name}{symbol.count - 1}`" if symbol.count > 1 else f"`{name}0`"
        return Finding(f"undeclared {noun} `{name}`; `{shown}` declares {members}", related=related)
    if symbol.count and digits.isdecimal() and decimal(digits) >= symbol.count:
        last = f"{symbol.name}{symbol.count - 1}"
        return Finding(f"undeclared {noun} `{name}`; `{shown}` ends at `{last}`", related=related)
    if symbol.kind is SymbolKind.LABEL and noun != "label":
        return Finding(f"`{name}` is a label, not a {noun}", related=related)
    if noun == "label" and symbol.kind is not SymbolKind.LABEL:
        return Finding(f"`{name}` is a {symbol.kind.value}, not a label", related=related)
    if not symbol.is_forward and mismatch.start < symbol.start and mismatch.is_near:
        return Finding(f"{noun} `{name}` is used before its declaration", related=related)
    if mismatch.is_near:
        message = f"{noun} `{name}` is declared in another block"
        return Finding(message, related=related)
    return Finding(f"`{name}` is used before its declaration")
