"""Checks the scopes and the arguments of pragma strings.

Source: PTX ISA, "Descriptions of .pragma Strings". ptxas recognises a pragma by the start of its
string. It ignores unknown ones in functions, but compiles nothing if one is at module scope.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ptx_ls import isa
from ptx_ls.document.facts import fact
from ptx_ls.isa.checking.gates import check_availability
from ptx_ls.semantics.directives.register_pragma_values import is_number, register_pragma
from ptx_ls.semantics.problems.declarations import BadDirective, DirectiveFault
from ptx_ls.semantics.problems.instructions import Unavailable
from ptx_ls.semantics.problems.module import IgnoredDirective, IgnoredFault, RefusedPragma
from ptx_ls.semantics.problems.values import BadValue, ValueFault
from ptx_ls.semantics.symbols.symbols import SymbolKind
from ptx_ls.syntax.tokens import STRING, Token, tokenize
from ptx_ls.syntax.written.numbers import pragma_number

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from ptx_ls.document.coordinates import FunctionPosition, FunctionSpan
    from ptx_ls.isa import Context
    from ptx_ls.isa.reference import Pragma
    from ptx_ls.semantics.symbols.region import RegionFacts

Fault = BadDirective | BadValue | IgnoredDirective | RefusedPragma | Unavailable
_PRAGMA: Final = ".pragma"
_EXACT: Final = "nounroll"
"""The only pragma whose string must not have anything after the name."""


@fact
def check_pragmas(facts: RegionFacts, context: Context) -> tuple[Fault, ...]:
    """Returns the mistakes in the pragmas of a module or of a function's body."""
    return tuple(_bad_pragmas(facts, context))


def _bad_pragmas(facts: RegionFacts, context: Context) -> Iterator[Fault]:
    correct: set[tuple[str, bool]] = set()  # a long function repeats a few pragmas
    for directive in facts.directives:
        if directive.name == _PRAGMA:
            is_module = facts.scope_at(directive.start) is facts.module_scope
            key = directive.text, is_module
            if key in correct:
                continue
            function = facts.function
            is_kernel = function is None or function.kind is SymbolKind.KERNEL
            owner = "" if is_module else ".entry" if is_kernel else ".func"
            scope = "module" if is_module else "body"
            found = [
                *check_strings(tokenize(directive.text), scope, owner, context, directive.start)
            ]
            if not found:
                correct.add(key)
            yield from found


def check_strings(
    tokens: Iterable[Token], scope: str, owner: str, context: Context, origin: FunctionPosition
) -> Iterator[Fault]:
    """Yields the faults of pragma strings among `tokens`; all are in the given scope."""
    known = isa.database().pragmas.values()
    for token in tokens:
        if token.type is not STRING:
            continue
        text = token.string[1:-1]
        pragma = next((each for each in known if text.startswith(each.name)), None)
        place = token.placed(origin)
        name = "" if pragma is not None else register_pragma(text, scope)
        if name:
            if not is_number(text, name):
                found = text.removeprefix(name).strip() or text
                yield BadValue(f'.pragma "{name}"', found, ValueFault.NUMBER, *place)
        elif pragma is None and scope == "module":
            yield RefusedPragma(text, *place)
        elif pragma is None or (text != pragma.name and pragma.name == _EXACT):
            yield IgnoredDirective(text, IgnoredFault.PRAGMA, *place)
        else:
            yield from _check(pragma, text, scope, owner, context, place)


def _check(
    pragma: Pragma,
    text: str,
    scope: str,
    owner: str,
    context: Context,
    place: FunctionSpan,
) -> Iterator[Fault]:
    name = f'.pragma "{pragma.name}"'
    if scope not in pragma.scopes:
        yield BadDirective(name, DirectiveFault.SCOPE, (pragma.scopes[-1],), *place)
        return
    if owner and pragma.owners and owner not in pragma.owners:
        yield BadDirective(name, DirectiveFault.OWNER, pragma.owners, *place)
        return
    value = pragma_number(text[len(pragma.name) + 1 :])
    if pragma.arguments == "n" and (value is None or value <= 0):
        yield BadValue(name, text, ValueFault.COUNT, *place)
    if pragma.arguments == "mask" and pragma_number(text[len(pragma.name) :].rstrip()) is None:
        yield IgnoredDirective(pragma.name, IgnoredFault.MASK, *place)
    for violation in check_availability(pragma.gates, context):
        yield Unavailable(name, violation, *place)
