"""Checks the header of a module: `.version`, `.target` and `.address_size`, in that order.

Source: PTX ISA, "PTX Module Directives"; ptxas requires the order.
"""

from __future__ import annotations

from operator import itemgetter
from typing import TYPE_CHECKING, Final

from ptx_ls import isa
from ptx_ls.document.coordinates import FUNCTION_START, FunctionPosition
from ptx_ls.document.facts import fact
from ptx_ls.isa.version import UNRELEASED, module_target, target_read_as
from ptx_ls.semantics.problems.declarations import (
    BadHeader,
    HeaderFault,
    UnknownTarget,
    UnknownVersion,
)
from ptx_ls.semantics.problems.instructions import Unavailable
from ptx_ls.semantics.problems.mismatch import Mismatch
from ptx_ls.semantics.problems.versions import too_old
from ptx_ls.semantics.symbols.module import region_facts
from ptx_ls.source import Position, Range
from ptx_ls.syntax.literals import number as value_of
from ptx_ls.syntax.offsets import along
from ptx_ls.syntax.record import Kind
from ptx_ls.syntax.tokens import FLOAT, NUMBER, WORD, Token, tokenize

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from ptx_ls.document.coordinates import FunctionSpan
    from ptx_ls.document.function import Function
    from ptx_ls.isa import Context
    from ptx_ls.semantics.symbols.module import ModuleFacts
    from ptx_ls.semantics.symbols.region import DirectiveStatement, RegionFacts
    from ptx_ls.semantics.symbols.region_text import RegionText

_BLANKS: Final = " \t\f\r"
"""Characters that may precede a version number, unlike a comment or a line end."""
_WRAP: Final = 1 << 64
_HEADER: Final = (".version", ".target", ".address_size")
_TEXTURE_MODES: Final = ("texmode_unified", "texmode_independent")
"""Texture modes; the first is the default."""
_MAPPED: Final = "map_f64_to_f32"
_ARCHITECTURES: Final = ("sm_", "compute_")
"""Prefixes that ptxas accepts as additional architectures until it generates code."""
_COMPILED: Final = (75, "")
"""The oldest architecture that ptxas 13 generates code for."""
_DEBUG: Final = "debug"
_SECTIONS_SINCE: Final = (2, 0)
"""The first version with `.section`; in earlier ones, debug data follows `@@DWARF`."""
_DOUBLE: Final = (13, "")
"""The first architecture with double precision."""
_MARK: Final = "\ufeff"
"""The byte order mark, which another check reports."""
_ADDRESS_SIZES: Final = (32, 64)


def check_header(
    text: RegionText, facts: RegionFacts, module: ModuleFacts, region: int, *, is_last: bool
) -> Iterator[Mismatch]:
    """Yields the mistakes in the directives of the header and in a `.target` in a body.

    `is_last`: whether this is the last function of the module.
    """
    named = _named_before(module.context_before(region).target) if region else {}
    first_other = FUNCTION_START if region else _first_other(text)
    opening = [] if region else _opening(facts, first_other)
    opened = {directive.start for directive in opening}
    late = [each for each in facts.directives if _is_late(each, opened, facts)]
    is_alone = not region and is_last and not module.names and first_other == text.end
    if not region:
        names = {directive.name for directive in late}
        missing = _missing(opening, first_other, is_alone=is_alone)
        yield from (each for each in missing if each.directive not in names)
    if late:  # the others are out of place for the same reason
        yield BadHeader(late[0].name, HeaderFault.MISPLACED, *_name_of(late[0]))
    for directive in facts.directives:
        if directive.name not in _HEADER:
            continue
        if directive.name == ".target":
            if not module.has_section:
                yield from _check_debug(directive, module.context, is_first=not named)
            # ptxas compares the version with the target at the first statement after the header.
            ignored = Unavailable if is_alone else ()
            found = _check_target(directive, module.context, named)
            yield from (each for each in found if not isinstance(each, ignored))
        else:
            yield from _CHECKS[directive.name](directive, module.context)


def _named_before(names: tuple[str, ...]) -> dict[str, None]:
    """Returns the target names that apply at the start of a function, with the default mode."""
    has_mode = any(mode in names for mode in _TEXTURE_MODES)
    return dict.fromkeys(names if has_mode else (*names, _TEXTURE_MODES[0]))


@fact
def header_places(function: Function) -> dict[str, Range]:
    """Returns the ranges of the version and the target in a document's first function.

    They are in the order of the text, so that equal facts are in the same order.
    """
    found = {
        name: Range(*[Position(line, column) for line, column in places])
        for name, *places in header_values(region_facts(function))
    }
    return dict(sorted(found.items(), key=itemgetter(1)))


def header_values(facts: RegionFacts) -> Iterator[tuple[str, FunctionPosition, FunctionPosition]]:
    """Yields the directive, start and end of a header's version number and of its architecture."""
    versions = [directive for directive in facts.directives if directive.name == ".version"]
    targets = [directive for directive in facts.directives if directive.name == ".target"]
    version = next((it for each in versions for it in _placed(each, FLOAT, NUMBER)), None)
    target = next((it for each in targets for it in _placed(each, WORD)), None)
    found = [it for it in (version, target) if it is not None]
    for named in sorted(found, key=lambda it: it[0].start):
        directive, token = named if named is version else _architecture(targets) or named
        yield directive.name, *_place(directive, token)


def architectures(facts: RegionFacts) -> Iterator[FunctionSpan]:
    """Yields the places of all names in `.target` directives that ptxas reads as architectures."""
    targets = [directive for directive in facts.directives if directive.name == ".target"]
    for each in targets:
        for directive, token in _placed(each, WORD):
            if target_read_as(token.string) is not None:
                yield _place(directive, token)


def _architecture(targets: list[DirectiveStatement]) -> tuple[DirectiveStatement, Token] | None:
    """Returns the last architecture in `.target` directives, with its directive."""
    last_first = (it for each in reversed(targets) for it in reversed([*_placed(each, WORD)]))
    return next((it for it in last_first if isa.parse_target(it[1].string) is not None), None)


def _placed(
    directive: DirectiveStatement, *kinds: object
) -> Iterator[tuple[DirectiveStatement, Token]]:
    """Yields the tokens of the given kinds, each with its directive."""
    return ((directive, token) for token in _tokens(directive, *kinds))


def _is_late(
    directive: DirectiveStatement, opened: set[FunctionPosition], facts: RegionFacts
) -> bool:
    """Whether a directive of the header follows other statements, or is repeated."""
    if directive.name not in _HEADER or directive.start in opened:
        return False
    return not _is_in_body(directive, facts)


def _is_in_body(directive: DirectiveStatement, facts: RegionFacts) -> bool:
    """Whether a directive is a `.target` in the body of a function."""
    return directive.name == ".target" and facts.scope_at(directive.start) is not facts.module_scope


def _opening(facts: RegionFacts, stop: FunctionPosition) -> list[DirectiveStatement]:
    """Returns the header's directives that are in order; `stop`: where other statements begin."""
    opening: list[DirectiveStatement] = []
    for directive in facts.directives:
        if directive.start >= stop or directive.name not in _HEADER:
            break
        before = opening[-1].name if opening else ""
        is_in_order = _HEADER.index(directive.name) > (_HEADER.index(before) if before else -1)
        if not is_in_order and directive.name != before:
            break
        if directive.name == before != ".target":
            break
        opening.append(directive)
    return opening


def _first_other(text: RegionText) -> FunctionPosition:
    """Returns the start of the first statement that is not a directive of the header."""
    for found in text.statements():
        kind = found.record.kind
        if (kind is Kind.LINE and found.text[0] == "#") or found.text == _MARK:
            continue
        if kind is not Kind.DIRECTIVE or not found.text.startswith(_HEADER):
            return found.start
    return text.end


def _missing(
    opening: list[DirectiveStatement], end: FunctionPosition, *, is_alone: bool
) -> Iterator[BadHeader]:
    """Yields the missing directives of the header; only `.version` if the module is empty.

    `end`: where other statements begin. `is_alone`: whether the module has none.
    """
    names = [directive.name for directive in opening]
    is_empty = is_alone and not names
    if ".version" not in names:
        place = opening[0].start if opening else end
        yield BadHeader(".version", HeaderFault.MISSING, place, place)
    if ".target" not in names and not is_empty:
        others = [directive.start for directive in opening if directive.name != ".version"]
        place = others[0] if others else end
        yield BadHeader(".target", HeaderFault.MISSING, place, place)


def _check_version(directive: DirectiveStatement, context: Context) -> Iterator[Mismatch]:
    del context
    number = next(_tokens(directive, FLOAT, NUMBER), None)
    if number is None:
        return
    if number.prefix.strip(_BLANKS):
        yield BadHeader(".version", HeaderFault.APART, *_name_of(directive))
        return
    try:
        version = isa.parse_version(number.string)
    except ValueError:
        yield BadHeader(".version", HeaderFault.VALUE, *_place(directive, number))
        return
    database = isa.database()
    version = database.version_in_force(version)
    if version not in database.versions and version not in UNRELEASED:
        newest = max(database.versions)
        yield UnknownVersion(version, newest, version > newest, *_place(directive, number))


def _targets_of(directive: DirectiveStatement) -> list[Token]:
    return [*_tokens(directive, WORD)]


def _check_target(
    directive: DirectiveStatement, context: Context, named: dict[str, None]
) -> Iterator[Mismatch]:
    """Yields the mistakes in the names of a `.target`.

    `named`: the names before it, in the order of their last occurrences; this adds its own names.
    """
    for token in _targets_of(directive):
        name = token.string
        yield from _check_name(name, _place(directive, token), named, context.version)
        named.pop(name, None)
        named[name] = None


def _check_name(
    name: str,
    place: FunctionSpan,
    before: Mapping[str, None],
    version: tuple[int, int] | None,
) -> Iterator[Mismatch]:
    """Yields the mistakes in one name of a `.target`; `before`: the names before it."""
    known = isa.database().targets
    exact = known.get(name) or known.get(name.replace("compute_", "sm_"))
    target = exact or known.get(target_read_as(name) or "")
    is_newer = version is not None and version > isa.database().newest_version
    if exact is None and not is_newer:
        is_further = bool(before) and _is_bare(name)
        yield UnknownTarget(name, *place, is_taken=is_further or target is not None)
    if exact is not None and not before and isa.parse_target(name) is None:
        yield BadHeader(".target", HeaderFault.VALUE, *place)
    elif target is not None and version is not None and version < target.since:
        yield Unavailable(name, too_old(version, target.since), *place)
    if exact is not None and before and _is_odd(name, before):
        yield BadHeader(".target", HeaderFault.OPTION, *place)


def _is_bare(name: str) -> bool:
    """Whether a name is the prefix of an architecture without a number."""
    return name.startswith(_ARCHITECTURES) and not name.partition("_")[2][:1].isdecimal()


def _is_odd(option: str, before: Mapping[str, None]) -> bool:
    """Whether an option conflicts with the architecture or with an earlier option."""
    if option in _TEXTURE_MODES:
        return any(mode in before and mode != option for mode in _TEXTURE_MODES)
    if option != _MAPPED:
        return False
    target = module_target(tuple(reversed([*before])))
    return target is not None and target >= _DOUBLE


def _check_debug(
    directive: DirectiveStatement, context: Context, *, is_first: bool
) -> Iterator[BadHeader]:
    """Yields the option `debug` of a `.target` in a module without debug data."""
    if context.version is None or context.version >= _SECTIONS_SINCE:
        for name in _targets_of(directive)[is_first:]:
            if name.string == _DEBUG:
                yield BadHeader(".target", HeaderFault.DEBUG, *_place(directive, name))


def _check_address_size(directive: DirectiveStatement, context: Context) -> Iterator[Mismatch]:
    number = next(_tokens(directive, NUMBER), None)
    if number is None:
        return
    size = value_of(number.string)
    target = isa.parse_target(context.target[0]) if context.target else None
    if size not in _ADDRESS_SIZES:
        yield BadHeader(".address_size", HeaderFault.VALUE, *_place(directive, number))
    elif size == _ADDRESS_SIZES[0] and target is not None and target >= _COMPILED:
        yield BadHeader(".address_size", HeaderFault.NARROW, *_place(directive, number))


_CHECKS: Final = {
    ".version": _check_version,
    ".address_size": _check_address_size,
}


def _tokens(directive: DirectiveStatement, *kinds: object) -> Iterator[Token]:
    return (token for token in tokenize(directive.text) if token.type in kinds)


def _name_of(directive: DirectiveStatement) -> FunctionSpan:
    return directive.start, along(directive.start, len(directive.name))


def _place(directive: DirectiveStatement, token: Token) -> FunctionSpan:
    return token.placed(directive.start)
