"""Checks `.loc` directives, and the time stamps of source files in `.file`.

Source: PTX ISA, "Debugging Directives: .loc"; ptxas limits numbers to 32 bits.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ptx_ls.semantics.problems.instructions import Unavailable
from ptx_ls.semantics.problems.module import BadLocation, LocationFault
from ptx_ls.semantics.problems.versions import too_old
from ptx_ls.semantics.symbols.symbols import SymbolKind
from ptx_ls.syntax.literals import number
from ptx_ls.syntax.plain.locations import plain_locations
from ptx_ls.syntax.record import LOCATION, Kind
from ptx_ls.syntax.tokens import NAME, NUMBER, REG, WORD, Token, tokenize
from ptx_ls.syntax.written.source_locations import inlined_function

if TYPE_CHECKING:
    from collections.abc import Iterator
    from collections.abc import Set as AbstractSet

    from ptx_ls.document.coordinates import FunctionSpan
    from ptx_ls.isa import Context
    from ptx_ls.semantics.symbols.module import ModuleFacts
    from ptx_ls.semantics.symbols.region import RegionFacts
    from ptx_ls.semantics.symbols.region_text import Found, RegionText

_MODULUS: Final = 1 << 32
_NAME: Final = "function_name"
_CALLER: Final = "inlined_at"
_ARGUMENTS: Final = (NUMBER, WORD, REG, NAME)
_INLINED: Final = [_NAME, _CALLER]
_INLINED_SINCE: Final = (7, 0)
_STAMPS_SINCE: Final = (3, 2)
_STAMPS_NOTE: Final = "earlier versions have no time stamps or sizes of source files"
_PLACE_NUMBERS: Final = 3
"""File, line and column."""


def check_locations(
    text: RegionText, module: ModuleFacts, region: int
) -> Iterator[BadLocation | Unavailable]:
    """Yields the faults of the `.loc` directives of a function."""
    holders = text.holding(Kind.LOCATION)
    if not holders:
        return
    lines = text.lines_of(holders)
    if not module.has_file:
        yield from _without_file(text, lines)
    plain = plain_locations("".join([text.lines[line] for line in lines]))
    is_plain = len(plain) == len(lines)
    has_callers = not is_plain or any(caller for _, _, caller in plain)
    version = module.context.version
    is_old = has_callers and version is not None and version < _INLINED_SINCE
    is_first = has_callers and text.is_whole and not _has_function_before(module, region)
    if not is_plain or is_old or (is_first and _is_doubtful(plain)):
        yield from _check(text, lines, module.context, is_first=is_first)
    known = module.section_labels
    if not is_plain or any(label and label not in known for _, label, _ in plain):
        yield from _without_label(text, lines, module.section_labels.keys())


def _without_file(text: RegionText, lines: list[int]) -> Iterator[BadLocation]:
    """Yields the first `.loc` of the function, in a module without `.file`."""
    for found in text.statements(lines):
        if found.record is LOCATION:
            yield _bad(LocationFault.NO_FILE, [next(tokenize(found.text))], found)
            return


def _without_label(
    text: RegionText, lines: list[int], labels: AbstractSet[str]
) -> Iterator[BadLocation]:
    """Yields, for each name that is not a label in a section, the first `.loc` that uses it."""
    seen = set(labels)
    for found in text.statements(lines):
        name = inlined_function(found.text) if found.record is LOCATION else ""
        if name and name not in seen:
            tokens = [each for each in tokenize(found.text) if each.string == name]
            if tokens:  # otherwise, it is a part of a string or of another token
                seen.add(name)
                yield _bad(LocationFault.LABEL, tokens[:1], found)


def _is_doubtful(plain: list[tuple[str, str, str]]) -> bool:
    """Whether some `.loc` names the location of a caller that no earlier `.loc` has."""
    seen: set[tuple[str, ...]] = set()
    for place, _, caller in plain:
        if caller and tuple(caller.split()) not in seen:
            return True
        seen.add(tuple(place.split()))
    return False


def _has_function_before(module: ModuleFacts, region: int) -> bool:
    """Whether an earlier function may define locations that this one refers to."""
    return any(
        place.region < region
        and place.symbol.is_definition
        and place.symbol.kind in (SymbolKind.FUNCTION, SymbolKind.KERNEL)
        for places in module.names.values()
        for place in places
    )


def _check(
    text: RegionText, lines: list[int], context: Context, *, is_first: bool
) -> Iterator[BadLocation | Unavailable]:
    seen: set[tuple[int | float | None, ...]] = set()
    for found in text.statements(lines):
        if found.record is LOCATION:
            tokens = [token for token in tokenize(found.text) if token.type in _ARGUMENTS]
            yield from _check_statement(tokens, found, context, seen if is_first else None)
            seen.add(_values(tokens[:_PLACE_NUMBERS]))


def _check_statement(
    tokens: list[Token],
    found: Found,
    context: Context,
    seen: set[tuple[int | float | None, ...]] | None,
) -> Iterator[BadLocation | Unavailable]:
    """Yields at most one fault of a `.loc`. `seen`: the earlier locations, if all are known."""
    long = next((token for token in tokens if _is_long(token, tokens)), None)
    if long is not None:
        yield _bad(LocationFault.OVERFLOW, [long], found)
        return
    words = [token for token in tokens if token.string in _INLINED]
    stray = _stray(tokens[_PLACE_NUMBERS:])
    if stray is not None:
        yield _bad(LocationFault.FORM, [stray], found)
        return
    if "," not in found.text or not words:
        return
    names = [token.string for token in words]
    if names != _INLINED or not found.text.startswith((".loc ", ".loc\t")):
        yield _bad(LocationFault.FORM, [_wrong_token(words)], found)
        return
    if context.version is not None and context.version < _INLINED_SINCE:
        yield Unavailable(
            _NAME, too_old(context.version, _INLINED_SINCE), *_place([words[0]], found)
        )
    caller = tokens[tokens.index(words[-1]) + 1 :][:_PLACE_NUMBERS]
    if caller and seen is not None and _values(caller) not in seen:
        yield _bad(LocationFault.CALLER, caller, found)


def _stray(tokens: list[Token]) -> Token | None:
    """Returns the unexpected token after the numbers or after the name of a function, if any."""
    if tokens and tokens[0].string not in _INLINED:
        return tokens[0]
    is_named = len(tokens) > 1 and tokens[0].string == _INLINED[0]
    return tokens[1] if is_named and tokens[1].type is NUMBER else None


def _wrong_token(words: list[Token]) -> Token:
    """Returns the first word other than the expected one, or the only word."""
    wrong = (word for word, wanted in zip(words, _INLINED, strict=False) if word.string != wanted)
    return next(wrong, words[-1])


def _is_long(token: Token, tokens: list[Token]) -> bool:
    """Whether a number has too many bits; an offset from a function's name may have any."""
    value = number(token.string) if token.type is NUMBER else None
    if not isinstance(value, int) or value < _MODULUS:
        return False
    before = tokens[tokens.index(token) - 1]
    return before.type is NUMBER or before.string in _INLINED or before is tokens[-1]


def _values(tokens: list[Token]) -> tuple[int | float | None, ...]:
    return tuple(number(token.string) for token in tokens)


def _place(tokens: list[Token], found: Found) -> FunctionSpan:
    return tokens[0].placed(found.start)[0], tokens[-1].placed(found.start)[1]


def _bad(fault: LocationFault, tokens: list[Token], found: Found) -> BadLocation:
    value = " ".join(token.string for token in tokens)
    return BadLocation(value, fault, *_place(tokens, found))


def check_file_stamps(facts: RegionFacts, context: Context) -> Iterator[Unavailable]:
    """Yields the time stamp in each `.file`, if the module's version does not support it."""
    if context.version is None or context.version >= _STAMPS_SINCE:
        return
    violation = too_old(context.version, _STAMPS_SINCE, _STAMPS_NOTE)
    for directive in facts.directives:
        if directive.name != ".file" or "," not in directive.text:
            continue
        tokens = list(tokenize(directive.text))
        comma = next((index for index, it in enumerate(tokens) if it.string == ","), len(tokens))
        for token in tokens[comma + 1 : comma + 2]:
            if token.type is NUMBER:
                yield Unavailable(token.string, violation, *token.placed(directive.start))
