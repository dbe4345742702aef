"""Checks the directives between a function's parameters and its body.

Source: PTX ISA, "Performance-Tuning Directives" and "Cluster Dimension Directives", as ptxas
applies them.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import zip_longest
from typing import TYPE_CHECKING, Final

from ptx_ls import isa
from ptx_ls.document.coordinates import FUNCTION_START
from ptx_ls.semantics.directives.ignored_directives import check_launch
from ptx_ls.semantics.directives.pragmas import check_strings
from ptx_ls.semantics.problems.declarations import BadDirective, DirectiveFault
from ptx_ls.source.named_tuple import NamedTuple
from ptx_ls.syntax import parser
from ptx_ls.syntax.dotted import dotted_words
from ptx_ls.syntax.literals import integer
from ptx_ls.syntax.offsets import along, place_of, shifted
from ptx_ls.syntax.record import FUNCTION_HEADS, Kind
from ptx_ls.syntax.tokens import FLOAT, FUNCTION, NUMBER, REG, STRING, WORD, Token, tokenize

if TYPE_CHECKING:
    from collections.abc import Container, Iterator, Mapping

    from ptx_ls.document.coordinates import FunctionPosition
    from ptx_ls.isa import Context
    from ptx_ls.isa.reference import Directive
    from ptx_ls.semantics.directives.pragmas import Fault
    from ptx_ls.semantics.problems.module import IgnoredDirective
    from ptx_ls.semantics.symbols.region import DirectiveStatement as Written
    from ptx_ls.semantics.symbols.region import RegionFacts
    from ptx_ls.semantics.symbols.region_text import Found, RegionText

_MAX_TAILS: Final = 1 << 10
_MAX_KEPT: Final = 200
"""Maximum length, in characters, of the tails of heads that are cached."""
_MAX_VALUE: Final = (1 << 32) - 1
_WRAP: Final = 1 << 64
_WARP: Final = "WARP_SZ"
_WARP_SIZE: Final = 32
_SCOPE: Final = "header"
_PRAGMA: Final = ".pragma"
_ATTRIBUTE: Final = ".attribute"


def check_function_directives(
    text: RegionText, facts: RegionFacts, context: Context
) -> Iterator[Fault | IgnoredDirective]:
    """Yields the faults of directives that a function cannot have, and ignored directives."""
    for found in text.of_kind(*FUNCTION_HEADS):
        if _is_inside(found, facts):
            yield _kernel_inside(found)
            continue
        faults: list[Fault] = []
        if not _is_plain(found.text):
            faults = [*_check_head(found, context), *_check_body(found, text)]
        yield from faults or check_launch(found, context)


def _is_inside(found: Found, facts: RegionFacts) -> bool:
    """Whether a kernel is declared in the body of a function; only device functions may be."""
    is_prototype = found.record.kind is Kind.FUNCTION_DECLARATION and ".entry" in found.text
    return is_prototype and facts.scope_at(found.start) is not facts.module_scope


def _kernel_inside(found: Found) -> BadDirective:
    start = shifted(place_of(found.text, found.text.index(".entry")), found.start)
    end = along(start, len(".entry"))
    return BadDirective(".entry", DirectiveFault.SCOPE, ("module",), start, end)


def _is_plain(head: str) -> bool:
    """Whether a head certainly has no faults: no directives, or ones that were checked before."""
    owner = ".entry" if ".entry" in head else ".func"
    tail = head.rpartition(")")[2] if ")" in head else head.partition(owner)[2]
    if tail[-1:] in ("{", ";") and not any(mark in tail[:-1] for mark in ".{;"):
        return True
    return owner == ".entry" and tail.endswith("{") and len(tail) < _MAX_KEPT and _is_sound(tail)


@lru_cache(maxsize=_MAX_TAILS)
def _is_sound(tail: str) -> bool:
    """Whether the text after the parameters has no faults in any kernel; many kernels share it."""
    if '"' in tail or tail.count("{") > 1:
        return False
    head = _Head(".entry", is_prototype=False, has_result=False)
    return next(_faults(head, list(tokenize(tail)), FUNCTION_START), None) is None


def _check_head(found: Found, context: Context) -> Iterator[Fault]:
    stream = list(tokenize(found.text))
    owner, tokens = _tail(stream)
    last = tokens[-2].string if len(tokens) > 1 else ""
    head = _Head(owner, is_prototype=last == ";", has_result=_has_result(stream))
    yield from _faults(head, tokens, found.start)
    yield from check_strings(_pragmas(tokens), _SCOPE, owner, context, found.start)


def _check_body(head: Found, text: RegionText) -> Iterator[BadDirective]:
    """Yields a fault, at the next token, if a kernel has no body."""
    is_kernel = head.record.kind in FUNCTION_HEADS and ".entry" in dotted_words(head.text)
    if not is_kernel or head.text[-1] in "{;" or parser.problem_of(head.text) is not None:
        return
    following = text.statements(range(head.start[0], len(text.records)))
    other = next((it for it in following if it.start >= head.end), None)
    start = end = text.end
    if other is not None:
        start, end = next(tokenize(other.text)).placed(other.start)
    yield BadDirective(".entry", DirectiveFault.NO_BODY, (), start, end)


def _pragmas(tokens: list[Token]) -> Iterator[Token]:
    """Yields the strings of pragmas among the tokens of a head."""
    is_pragma = False
    for token in tokens:
        if token.type is STRING and is_pragma:
            yield token
        elif token.string != ",":
            is_pragma = token.string == _PRAGMA


def check_prototype(directive: Written) -> Iterator[BadDirective]:
    """Yields the faults of the directives in a `.callprototype`, as in a function without body."""
    stream = list(tokenize(directive.text))
    _, tokens = _tail(stream)
    head = _Head(".func", is_prototype=True, has_result=_has_result(stream))
    yield from _faults(head, tokens, directive.start)


def _has_result(stream: list[Token]) -> bool:
    """Whether a head or a prototype has return values: a non-empty list before the name."""
    depth = 0
    for index, token in enumerate(stream):
        if token.string == "(" and depth == 0 and stream[index - 1].string != _ATTRIBUTE:
            return stream[index + 1].string != ")"
        if token.type in (WORD, REG) and depth == 0:
            return False
        depth += (token.string == "(") - (token.string == ")")
    return False


class _Head(NamedTuple):
    """The head of a function, as needed to check its directives."""

    owner: str
    is_prototype: bool
    has_result: bool


def _faults(head: _Head, tokens: list[Token], origin: FunctionPosition) -> Iterator[BadDirective]:
    known = isa.database().directives
    placed = [
        (index, token, known[token.string])
        for index, token in enumerate(tokens)
        if token.string in known and _SCOPE in known[token.string].scopes
    ]
    before: dict[str, Directive] = {}
    names = {token.string for _, token, _ in placed}
    ends = [*(index + 1 for index, _, _ in placed), len(tokens)]
    for (index, token, directive), stop in zip(placed, ends[1:], strict=True):
        rest = tokens[index + 1 : stop]
        fault, others = _fault(directive, head, names, before, rest)
        before[directive.name] = directive
        if fault is not None:
            place = _wrong_token(fault, directive, rest) or token
            start, end = place.placed(origin)
            yield BadDirective(token.string, fault, others, start, end)


def _wrong_token(fault: DirectiveFault, directive: Directive, rest: list[Token]) -> Token | None:
    """Returns the invalid value; None if the fault is not in a value."""
    values = list(_values(rest))
    if fault is DirectiveFault.ARGUMENTS:
        return values[directive.arguments.count(",") + 1]
    if fault is DirectiveFault.WORD:
        wrong = (one for one in values if one.type is STRING)
        return next((one for one in wrong if one.string[1:-1].lower() not in directive.words), None)
    limits = {
        DirectiveFault.ZERO: (1, _WRAP),
        DirectiveFault.OVERFLOW: (0, _MAX_VALUE),
        DirectiveFault.LARGE: (0, directive.largest or 0),
    }
    least, most = limits.get(fault, (0, _WRAP))
    numbers = ((one, _value(one)) for one in values)
    return next((one for one, n in numbers if n is not None and not least <= n <= most), None)


def _tail(tokens: list[Token]) -> tuple[str, list[Token]]:
    """Returns `.entry` or `.func`, and the tokens after the parameters."""
    owner = next((token.string for token in tokens if token.type is FUNCTION), "")
    depth = last = 0
    for index, token in enumerate(tokens):
        depth += (token.string == "(") - (token.string == ")")
        if token.string == ")" and not depth:
            last = index
    return owner, tokens[last:]


def _fault(
    directive: Directive,
    head: _Head,
    names: Container[str],
    before: Mapping[str, Directive],
    rest: list[Token],
) -> tuple[DirectiveFault | None, tuple[str, ...]]:
    """The fault of a directive, after those `before` and with the tokens up to the next one."""
    misfit = _misfit(directive, head)
    if misfit is not None or (head.is_prototype and directive.name == _PRAGMA):
        return misfit, directive.owners
    conflicts = tuple(name for name in before if name in directive.conflicts)
    if conflicts:
        return DirectiveFault.CONFLICT, conflicts
    missing = tuple(name for name in directive.requires if name not in names)
    if missing:
        return DirectiveFault.REQUIRED, missing
    is_function = head.owner == ".func"
    if directive.name in before and (is_function or not directive.repeats):
        return DirectiveFault.REPEATED, ()
    late = tuple(name for name, other in before.items() if other.order > directive.order)
    if is_function and late:
        return DirectiveFault.ORDER, late
    return _argument_fault(directive, rest)


def _misfit(directive: Directive, head: _Head) -> DirectiveFault | None:
    """Returns why such a function cannot have the directive, or None."""
    if head.is_prototype and directive.name == _PRAGMA:
        return None
    if head.owner and directive.owners and head.owner not in directive.owners:
        return DirectiveFault.OWNER
    if head.is_prototype and not directive.declares:
        return DirectiveFault.BODILESS
    if directive.order == 1 and head.has_result:
        return DirectiveFault.RESULT
    return None


def _argument_fault(
    directive: Directive, rest: list[Token]
) -> tuple[DirectiveFault | None, tuple[str, ...]]:
    """Returns the fault in the values after a directive, and the words to use in its message."""
    if directive.name == _PRAGMA:
        return None, ()
    values = list(_values(rest))
    after = rest[2 * len(values) - 1 if values else 0] if rest else None
    is_open = after is not None and after.string == ","
    strings = [token.string for token in values if token.type is STRING]
    if bool(values) != bool(directive.arguments) or is_open or (strings and not directive.words):
        return DirectiveFault.NO_NUMBER, (directive.arguments,)
    most = directive.arguments.count(",") + 1
    if not directive.words and len(values) > most:
        return DirectiveFault.ARGUMENTS, (str(most),)
    if any(string[1:-1].lower() not in directive.words for string in strings):
        return DirectiveFault.WORD, tuple(f'"{word}"' for word in directive.words)
    return _number_fault(directive, [_value(token) for token in values])


def _number_fault(
    directive: Directive, numbers: list[int | None]
) -> tuple[DirectiveFault | None, tuple[str, ...]]:
    if directive.positive and 0 in numbers:
        return DirectiveFault.ZERO, ()
    given = [number for number in numbers if number is not None]
    if any(number > _MAX_VALUE for number in given):
        return DirectiveFault.OVERFLOW, ()
    largest = directive.largest
    if largest is not None and any(number > largest for number in given):
        return DirectiveFault.LARGE, (str(largest),)
    return None, ()


def _values(rest: list[Token]) -> Iterator[Token]:
    """Yields the comma-separated values at the start of some tokens."""
    for token, after in zip_longest(rest[::2], rest[1::2]):
        if token.type not in (NUMBER, FLOAT, STRING) and token.string != _WARP:
            return
        yield token
        if after is None or after.string != ",":
            return


def _value(token: Token) -> int | None:
    """Returns the low 64 bits of a number, as ptxas reads it; None for other tokens."""
    if token.string == _WARP:
        return _WARP_SIZE
    return integer(token.string) if token.type is NUMBER else None
