"""The checks for several rules, and those whose mismatches `lint.causes` relates.

A check for a single rule is in the module of the rule. A check runs only for a function that has
the things that it looks at, and is imported for the first such function: most functions have no
debug data, initial values, aliases and so on, and to lint a small file takes about as long as to
import what is needed for it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ptx_ls.document.braces import braces
from ptx_ls.lint.candidates.statements import has_head_directives
from ptx_ls.lint.check_input import CheckInput, RegisteredCheck
from ptx_ls.semantics.declarations.declaration_check import check_declarations, check_unnamed
from ptx_ls.semantics.declarations.signature_check import check_signatures
from ptx_ls.semantics.directives.header import check_header
from ptx_ls.semantics.instructions.checks.parameter_access import check_parameter_access
from ptx_ls.semantics.symbols.reserved_names import check_declared_names
from ptx_ls.syntax.record import Kind

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ptx_ls.semantics.problems.mismatch import Mismatch

_INITIAL: Final = "="
"""Contained in every declaration with an initial value."""
_ELEMENT: Final = "n["
"""Contained in the shape of every instruction with an array element."""
_BANK: Final = ".const["
_BANKS_UNTIL: Final = (2, 2)
"""The first version in which `.const` has no banks."""
_ATTRIBUTE: Final = ".attribute"
_LISTS: Final = (".branchtargets", ".calltargets", ".alias")
_ANYWHERE: Final = (".version", ".target", ".address_size", ".pragma")
"""Directives whose places and values `check_directive_values` does not check."""
_CALLS: Final = ("call",)
_REMOVED: Final = "cudaDeviceSynchronize"
_WITH_SAMPLERS: Final = "texmode_independent"
_UNAVAILABLE: Final = ("VERSION", "TARGET", "REMOVED", "DEPRECATED")
"""Kinds of violations by a directive, a type or a register that is not available."""


def _has_kind(seen: CheckInput, *kinds: Kind) -> bool:
    """Whether a function has a statement of one of these kinds, which are not instructions."""
    return not seen.text.contents.kinds.keys().isdisjoint(kinds)


def _has_directive(seen: CheckInput, *names: str) -> bool:
    return any(directive.name in names for directive in seen.facts.directives)


def _is_declared_again(seen: CheckInput) -> bool:
    """Whether the module has several declarations of a name that the function declares."""
    names = seen.module.names
    return any(len(names.get(symbol.name, ())) > 1 for symbol in seen.facts.exports)


def _syntax(seen: CheckInput) -> Iterable[Mismatch]:
    if seen.facts.too_deep is None and not any(read.problems for read in seen.text.distinct):
        return ()
    from ptx_ls.semantics.directives.syntax_problems import check_syntax

    # a surplus `}`, or an instruction outside of functions
    closes_early = bool(seen.outside) or any(it.sign < 0 for it in braces(seen.function).problems)
    return check_syntax(seen.text, seen.facts, seen.module, seen.number, closes_early=closes_early)


def _braces(seen: CheckInput) -> Iterable[Mismatch]:
    loose = braces(seen.function).problems
    if not loose:
        return ()
    from ptx_ls.semantics.directives.braces import check_braces

    return check_braces(seen.text, loose, ends_file=seen.is_last)


def _repeated_names(seen: CheckInput) -> Iterable[Mismatch]:
    if not seen.facts.duplicates and not _is_declared_again(seen):
        return ()
    from ptx_ls.semantics.declarations.redeclaration import check_repeated_names

    return check_repeated_names(seen.facts, seen.module, seen.number)


def _redeclarations(seen: CheckInput) -> Iterable[Mismatch]:
    if not seen.facts.redeclared and not _is_declared_again(seen):
        return ()
    from ptx_ls.semantics.declarations.redeclaration import check_redeclarations

    return check_redeclarations(seen.facts, seen.module, seen.number)


def _outside(seen: CheckInput) -> Iterable[Mismatch]:
    return seen.outside


def _sections(seen: CheckInput) -> Iterable[Mismatch]:
    if not _has_kind(seen, Kind.SECTION, Kind.DATA):
        return ()
    from ptx_ls.semantics.debug_info.sections import check_sections

    return check_sections(seen.text, seen.facts, seen.module, seen.number)


def _section_gates(seen: CheckInput) -> Iterable[Mismatch]:
    if not _has_kind(seen, Kind.SECTION):
        return ()
    from ptx_ls.semantics.debug_info.section_gates import check_section_gates

    return check_section_gates(seen.text, seen.facts, seen.module.context)


def _locations(seen: CheckInput) -> Iterable[Mismatch]:
    if not _has_kind(seen, Kind.LOCATION):
        return ()
    from ptx_ls.semantics.debug_info.locations import check_locations

    return check_locations(seen.text, seen.module, seen.number)


def _file_stamps(seen: CheckInput) -> Iterable[Mismatch]:
    if not _has_directive(seen, ".file"):
        return ()
    from ptx_ls.semantics.debug_info.locations import check_file_stamps

    return check_file_stamps(seen.facts, seen.module.context)


def _header(seen: CheckInput) -> Iterable[Mismatch]:
    if seen.number and not seen.facts.directives:
        return ()
    return check_header(seen.text, seen.facts, seen.module, seen.number, is_last=seen.is_last)


def _availability(seen: CheckInput) -> Iterable[Mismatch]:
    return seen.checker.availability.check(seen.text, seen.facts)


def _declarations(seen: CheckInput) -> Iterable[Mismatch]:
    found = [*check_declarations(seen.facts, seen.module.context), *check_unnamed(seen.facts)]
    if not found:
        return ()
    from ptx_ls.semantics.declarations.declaration_places import pinpointed

    return pinpointed(found, seen.text)


def _signatures(seen: CheckInput) -> Iterable[Mismatch]:
    return check_signatures(seen.facts, seen.module.context)


def _unsized_parameters(seen: CheckInput) -> Iterable[Mismatch]:
    from ptx_ls.semantics.declarations.unsized_parameters import check_unsized_parameters

    return check_unsized_parameters(seen.facts, seen.module.context)


def _function_directives(seen: CheckInput) -> Iterable[Mismatch]:
    if not has_head_directives(seen):
        return ()
    from ptx_ls.semantics.directives.function_directives import check_function_directives

    return check_function_directives(seen.text, seen.facts, seen.module.context)


def _directive_values(seen: CheckInput) -> Iterable[Mismatch]:
    is_usual = all(directive.name in _ANYWHERE for directive in seen.facts.directives)
    if is_usual and not _has_kind(seen, Kind.DATA, Kind.LOCATION):
        return ()
    from ptx_ls.semantics.directives.directive_values import check_directive_values

    return check_directive_values(seen.text, seen.facts)


def _metadata(seen: CheckInput) -> Iterable[Mismatch]:
    if not _has_directive(seen, ".metadata_section"):
        return ()
    from ptx_ls.semantics.directives.metadata import check_metadata

    return check_metadata(seen.facts, seen.module, seen.number)


def _pragmas(seen: CheckInput) -> Iterable[Mismatch]:
    if not _has_directive(seen, ".pragma"):
        return ()
    from ptx_ls.semantics.directives.pragmas import check_pragmas

    return check_pragmas(seen.facts, seen.module.context)


def _attributes(seen: CheckInput) -> Iterable[Mismatch]:
    is_directive = any(_ATTRIBUTE in directive.text for directive in seen.facts.directives)
    if not is_directive and not seen.text.declarations_with(_ATTRIBUTE):
        return ()
    from ptx_ls.semantics.declarations.attributes import check_attributes

    return check_attributes(seen.text, seen.facts)


def _aliases(seen: CheckInput) -> Iterable[Mismatch]:
    if not _has_directive(seen, ".alias"):
        return ()
    from ptx_ls.semantics.declarations.aliases import check_aliases

    return check_aliases(seen.facts, seen.module, seen.number)


def _names_in_directives(seen: CheckInput) -> Iterable[Mismatch]:
    if not _has_directive(seen, *_LISTS):
        return ()
    from ptx_ls.semantics.symbols.references.named_in_directives import check_names

    return check_names(seen.facts, seen.module, seen.number)


def _parameter_access(seen: CheckInput) -> Iterable[Mismatch]:
    return check_parameter_access(seen.text, seen.facts)


def _initial_values(seen: CheckInput) -> Iterable[Mismatch]:
    if not seen.text.declarations_with(_INITIAL):
        return ()
    from ptx_ls.semantics.declarations.initial_values import InitialValueCheck

    return InitialValueCheck(seen.text, seen.facts, seen.module, seen.number).check()


def _array_elements(seen: CheckInput) -> Iterable[Mismatch]:
    if not any(_ELEMENT in shape.text for shape in seen.text.shapes):
        return ()
    from ptx_ls.semantics.declarations.array_index import ArrayIndexCheck

    special = seen.checker.special
    return ArrayIndexCheck(seen.text, seen.facts, seen.module, seen.number, special).check()


def _constant_banks(seen: CheckInput) -> Iterable[Mismatch]:
    version = seen.module.context.version
    is_old = version is not None and version < _BANKS_UNTIL
    is_named = is_old or any(_BANK in shape.opcode for shape in seen.text.shapes)
    if not is_named and not seen.text.declarations_with(_BANK):
        return ()
    from ptx_ls.semantics.declarations.constant_banks import check_banks

    return check_banks(seen.text, seen.facts, seen.module.context)


def _calls(seen: CheckInput) -> Iterable[Mismatch]:
    if not seen.text.has_opcodes(_CALLS):
        return ()
    from ptx_ls.semantics.calls.check import CallCheck

    return CallCheck(seen.text, seen.facts, seen.module, seen.number).check()


def _removed_functions(seen: CheckInput) -> Iterable[Mismatch]:
    if _REMOVED not in seen.module.names:
        return ()
    from ptx_ls.semantics.calls.removed_functions import check_removed_functions

    return check_removed_functions(seen.text, seen.facts, seen.module)


def _declared_names(seen: CheckInput) -> Iterable[Mismatch]:
    return check_declared_names(seen.facts)


def _samplers(seen: CheckInput) -> Iterable[Mismatch]:
    if _WITH_SAMPLERS not in seen.module.context.target:
        return ()
    from ptx_ls.semantics.declarations.samplers import check_samplers

    return check_samplers(seen.text, seen.facts, seen.module)


def _program(seen: CheckInput) -> Iterable[Mismatch]:
    graph = seen.module.graph
    is_concerned = graph.growing or graph.reaching or graph.budgeting
    if not is_concerned and seen.module.needed is None:
        return ()
    from ptx_ls.semantics.calls.whole_program import check_program

    return check_program(seen.text, seen.facts, seen.module, seen.number)


SHARED_CHECKS: Final = (
    RegisteredCheck(_syntax, ("BadSyntax", "UnknownOpcode")),
    RegisteredCheck(_braces, ("LooseBrace",)),
    RegisteredCheck(_repeated_names, ("Duplicate",)),
    RegisteredCheck(_outside, ("MisplacedInstruction",)),
    RegisteredCheck(_sections, ("BadDirective", "MisplacedInstruction", "Duplicate")),
    RegisteredCheck(_header, ("BadHeader", "UnknownTarget", "UnknownVersion", *_UNAVAILABLE)),
    RegisteredCheck(_availability, _UNAVAILABLE),
    RegisteredCheck(_declarations, ("BadDeclaration",)),
    RegisteredCheck(_signatures, ("BadSignature",)),
    RegisteredCheck(_redeclarations, ("Inconsistent",)),
    RegisteredCheck(
        _function_directives,
        ("BadDirective", "BadValue", "IgnoredDirective", "RefusedPragma", *_UNAVAILABLE),
    ),
    RegisteredCheck(_directive_values, ("BadValue", "BadDirective")),
    RegisteredCheck(_metadata, ("BadValue", *_UNAVAILABLE)),
    RegisteredCheck(_unsized_parameters, _UNAVAILABLE),
    RegisteredCheck(_file_stamps, _UNAVAILABLE),
    RegisteredCheck(_section_gates, _UNAVAILABLE),
    RegisteredCheck(
        _pragmas, ("BadDirective", "BadValue", "IgnoredDirective", "RefusedPragma", *_UNAVAILABLE)
    ),
    RegisteredCheck(_attributes, ("BadDirective", "NeedsLinking")),
    RegisteredCheck(_aliases, ("BadValue",)),
    RegisteredCheck(_locations, ("BadLocation", *_UNAVAILABLE)),
    RegisteredCheck(_parameter_access, ("BadAccess",)),
    RegisteredCheck(_names_in_directives, ("Undeclared",)),
    RegisteredCheck(
        _initial_values, ("BadInitialValue", "BadOpaqueValue", "Undeclared", *_UNAVAILABLE)
    ),
    RegisteredCheck(_array_elements, ("BadIndex",)),
    RegisteredCheck(_constant_banks, ("BadBank", *_UNAVAILABLE)),
    RegisteredCheck(_calls, ("BadCall",)),
    RegisteredCheck(_removed_functions, _UNAVAILABLE),
    RegisteredCheck(_declared_names, ("ReservedName", "BadSize")),
    RegisteredCheck(_samplers, ("BadSampler", "IgnoredField")),
    RegisteredCheck(_program, ("UnknownStack", "Unresolved", "IgnoredBudget", "ExcessiveRelease")),
)
