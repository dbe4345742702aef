"""The checks to run: those for rules that are not ignored, and for causes of their mismatches.

Listed here are checks for several rules, and those whose mismatches `lint.causes` relates; a check
for a single rule is in the module of the rule. Instructions are always checked, because mismatches
of any other class may follow from theirs.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import chain
from typing import TYPE_CHECKING, Final

from ptx_ls.document.braces import braces
from ptx_ls.isa import ViolationKind
from ptx_ls.lint.check_input import CheckInput, RegisteredCheck
from ptx_ls.lint.rule import check_of, triggers_on
from ptx_ls.lint.rule_index import CHECKS
from ptx_ls.semantics.calls.check import CallCheck
from ptx_ls.semantics.calls.removed_functions import check_removed_functions
from ptx_ls.semantics.calls.whole_program import check_program
from ptx_ls.semantics.debug_info.locations import check_file_stamps, check_locations
from ptx_ls.semantics.debug_info.section_gates import check_section_gates
from ptx_ls.semantics.debug_info.sections import check_sections
from ptx_ls.semantics.declarations.aliases import check_aliases
from ptx_ls.semantics.declarations.array_index import ArrayIndexCheck, BadIndex
from ptx_ls.semantics.declarations.attributes import check_attributes
from ptx_ls.semantics.declarations.constant_banks import check_banks
from ptx_ls.semantics.declarations.declaration_check import check_declarations, check_unnamed
from ptx_ls.semantics.declarations.declaration_places import pinpointed
from ptx_ls.semantics.declarations.initial_values import InitialValueCheck
from ptx_ls.semantics.declarations.redeclaration import check_redeclarations, check_repeated_names
from ptx_ls.semantics.declarations.samplers import BadSampler, IgnoredField, check_samplers
from ptx_ls.semantics.declarations.signature_check import BadSignature, check_signatures
from ptx_ls.semantics.declarations.unsized_parameters import check_unsized_parameters
from ptx_ls.semantics.directives.braces import check_braces
from ptx_ls.semantics.directives.directive_values import check_directive_values
from ptx_ls.semantics.directives.function_directives import check_function_directives
from ptx_ls.semantics.directives.header import check_header
from ptx_ls.semantics.directives.metadata import check_metadata
from ptx_ls.semantics.directives.pragmas import check_pragmas
from ptx_ls.semantics.directives.syntax_problems import check_syntax
from ptx_ls.semantics.instructions.parameter_access import BadAccess, check_parameter_access
from ptx_ls.semantics.problems.calls import BadCall
from ptx_ls.semantics.problems.declarations import (
    BadDeclaration,
    BadDirective,
    BadHeader,
    Inconsistent,
    UnknownTarget,
    UnknownVersion,
)
from ptx_ls.semantics.problems.instructions import (
    BadSyntax,
    Duplicate,
    LooseBrace,
    MisplacedInstruction,
    Undeclared,
    UnknownOpcode,
)
from ptx_ls.semantics.problems.module import (
    BadLocation,
    ExcessiveRelease,
    IgnoredBudget,
    IgnoredDirective,
    NeedsLinking,
    RefusedPragma,
    UnknownStack,
    Unresolved,
)
from ptx_ls.semantics.problems.values import BadBank, BadInitialValue, BadOpaqueValue, BadValue
from ptx_ls.semantics.symbols.named_in_directives import check_names
from ptx_ls.semantics.symbols.reserved_names import BadSize, ReservedName, check_declared_names

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ptx_ls.semantics.problems.mismatch import Mismatch

_UNAVAILABLE: Final = (
    ViolationKind.VERSION,
    ViolationKind.TARGET,
    ViolationKind.REMOVED,
    ViolationKind.DEPRECATED,
)
"""Kinds of violations by a directive, a type or a register that is not available."""


def _closes_early(seen: CheckInput) -> bool:
    """Whether there is a stray `}`, or an instruction outside of functions."""
    return bool(seen.outside) or any(brace.sign < 0 for brace in braces(seen.function).problems)


SHARED_CHECKS: Final = (
    RegisteredCheck(
        lambda seen: check_syntax(
            seen.text, seen.facts, seen.module, seen.number, closes_early=_closes_early(seen)
        ),
        (BadSyntax, UnknownOpcode),
    ),
    RegisteredCheck(
        lambda seen: check_braces(
            seen.text, braces(seen.function).problems, ends_file=seen.is_last
        ),
        (LooseBrace,),
    ),
    RegisteredCheck(
        lambda seen: check_repeated_names(seen.facts, seen.module, seen.number), (Duplicate,)
    ),
    RegisteredCheck(lambda seen: seen.outside, (MisplacedInstruction,)),
    RegisteredCheck(
        lambda seen: check_sections(seen.text, seen.facts, seen.module, seen.number),
        (BadDirective, MisplacedInstruction, Duplicate),
    ),
    RegisteredCheck(
        lambda seen: check_header(
            seen.text, seen.facts, seen.module, seen.number, is_last=seen.is_last
        ),
        (BadHeader, UnknownTarget, UnknownVersion, *_UNAVAILABLE),
    ),
    RegisteredCheck(
        lambda seen: seen.checker.availability.check(seen.text, seen.facts), _UNAVAILABLE
    ),
    RegisteredCheck(
        lambda seen: pinpointed(
            chain(
                check_declarations(seen.facts, seen.module.context),
                check_unnamed(seen.facts),
            ),
            seen.text,
        ),
        (BadDeclaration,),
    ),
    RegisteredCheck(
        lambda seen: check_signatures(seen.facts, seen.module.context), (BadSignature,)
    ),
    RegisteredCheck(
        lambda seen: check_redeclarations(seen.facts, seen.module, seen.number), (Inconsistent,)
    ),
    RegisteredCheck(
        lambda seen: check_function_directives(seen.text, seen.facts, seen.module.context),
        (BadDirective, BadValue, IgnoredDirective, RefusedPragma, *_UNAVAILABLE),
    ),
    RegisteredCheck(
        lambda seen: check_directive_values(seen.text, seen.facts), (BadValue, BadDirective)
    ),
    RegisteredCheck(
        lambda seen: check_metadata(seen.facts, seen.module, seen.number), (BadValue, *_UNAVAILABLE)
    ),
    RegisteredCheck(
        lambda seen: check_unsized_parameters(seen.facts, seen.module.context), _UNAVAILABLE
    ),
    RegisteredCheck(lambda seen: check_file_stamps(seen.facts, seen.module.context), _UNAVAILABLE),
    RegisteredCheck(
        lambda seen: check_section_gates(seen.text, seen.facts, seen.module.context), _UNAVAILABLE
    ),
    RegisteredCheck(
        lambda seen: check_pragmas(seen.facts, seen.module.context),
        (BadDirective, BadValue, IgnoredDirective, RefusedPragma, *_UNAVAILABLE),
    ),
    RegisteredCheck(
        lambda seen: check_attributes(seen.text, seen.facts), (BadDirective, NeedsLinking)
    ),
    RegisteredCheck(lambda seen: check_aliases(seen.facts, seen.module, seen.number), (BadValue,)),
    RegisteredCheck(
        lambda seen: check_locations(seen.text, seen.module, seen.number),
        (BadLocation, *_UNAVAILABLE),
    ),
    RegisteredCheck(lambda seen: check_parameter_access(seen.text, seen.facts), (BadAccess,)),
    RegisteredCheck(lambda seen: check_names(seen.facts, seen.module, seen.number), (Undeclared,)),
    RegisteredCheck(
        lambda seen: InitialValueCheck(seen.text, seen.facts, seen.module, seen.number).check(),
        (BadInitialValue, BadOpaqueValue, Undeclared, *_UNAVAILABLE),
    ),
    RegisteredCheck(
        lambda seen: ArrayIndexCheck(
            seen.text, seen.facts, seen.module, seen.number, seen.checker.special
        ).check(),
        (BadIndex,),
    ),
    RegisteredCheck(
        lambda seen: check_banks(seen.text, seen.facts, seen.module.context),
        (BadBank, *_UNAVAILABLE),
    ),
    RegisteredCheck(
        lambda seen: CallCheck(seen.text, seen.facts, seen.module, seen.number).check(), (BadCall,)
    ),
    RegisteredCheck(
        lambda seen: check_removed_functions(seen.text, seen.facts, seen.module), _UNAVAILABLE
    ),
    RegisteredCheck(lambda seen: check_declared_names(seen.facts), (ReservedName, BadSize)),
    RegisteredCheck(
        lambda seen: check_samplers(seen.text, seen.facts, seen.module), (BadSampler, IgnoredField)
    ),
    RegisteredCheck(
        lambda seen: check_program(seen.text, seen.facts, seen.module, seen.number),
        (UnknownStack, Unresolved, IgnoredBudget, ExcessiveRelease),
    ),
)


@lru_cache(maxsize=16)
def checks_on(ignored: frozenset[str]) -> tuple[RegisteredCheck, ...]:
    """Returns the checks to run if some rules are ignored."""
    own = tuple([_of_rule(*each) for each in CHECKS if each[0] not in ignored])
    if not ignored:
        return SHARED_CHECKS + own  # without the rules, which take time to import
    from ptx_ls.lint.causes.relations import with_causes  # noqa: PLC0415  few runs ignore a rule

    wanted = with_causes(triggers_on(ignored))
    return tuple(each for each in SHARED_CHECKS if not wanted.isdisjoint(each.finds)) + own


def _of_rule(name: str, module: str, opcodes: tuple[str, ...]) -> RegisteredCheck:
    """Returns the check of a rule; the rule's module is imported when the check first runs."""

    def run(seen: CheckInput) -> Iterable[Mismatch]:
        if opcodes and not seen.text.shapes_of(opcodes):
            return ()
        return check_of(name, module)(seen)

    return RegisteredCheck(run, ())
