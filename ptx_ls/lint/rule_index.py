"""Rules with a check of their own; written by `./dev docs` from the rules.

Each entry has the name of the rule, its module, and the opcodes that the check is for. Without
opcodes, the check is called for all functions. `NEEDED_BY` has the rules that need what a shared
check finds: they word it, or what may follow from it. All rules need what is missing there.
"""

from __future__ import annotations

from typing import Final

CHECKS: Final[tuple[tuple[str, str, tuple[str, ...]], ...]] = (
    (
        "constant-expression",
        "ptx_ls.lint.rules.declarations.constant_expression",
        (),
    ),
    (
        "constant-pointer",
        "ptx_ls.lint.rules.instructions.constant_pointer",
        ("cvta",),
    ),
    (
        "foreign-line",
        "ptx_ls.lint.rules.syntax.foreign_line",
        (),
    ),
    (
        "memory-limit",
        "ptx_ls.lint.rules.declarations.memory_limit",
        (),
    ),
    (
        "missing-wait",
        "ptx_ls.lint.rules.instructions.missing_wait",
        ("wgmma",),
    ),
    (
        "mixed-groups",
        "ptx_ls.lint.rules.instructions.mixed_groups",
        ("tcgen05",),
    ),
    (
        "no-abi",
        "ptx_ls.lint.rules.functions.no_abi",
        (),
    ),
    (
        "parameter-space",
        "ptx_ls.lint.rules.declarations.parameter_space",
        (),
    ),
    (
        "register-pragma",
        "ptx_ls.lint.rules.functions.register_pragma",
        (),
    ),
    (
        "return-address",
        "ptx_ls.lint.rules.functions.return_address",
        (),
    ),
)

NEEDED_BY: Final[dict[str, tuple[str, ...]]] = {
    "BadBank": ("constant-bank",),
    "BadInitialValue": ("initial-value",),
    "BadLocation": ("source-location",),
    "BadOpaqueValue": ("opaque-value",),
    "BadSampler": ("texture-sampler",),
    "BadSize": ("array-size",),
    "DEPRECATED": ("deprecated-feature",),
    "ExcessiveRelease": ("uncompilable",),
    "IgnoredBudget": ("ignored-instruction",),
    "IgnoredDirective": ("ignored-directive",),
    "IgnoredField": ("ignored-field",),
    "NeedsLinking": ("separate-compilation",),
    "REMOVED": ("removed-feature",),
    "RefusedPragma": ("uncompilable",),
    "ReservedName": ("reserved-name",),
    "TARGET": ("unsupported-target",),
    "UnknownStack": ("unknown-stack",),
    "UnknownTarget": ("unknown-target",),
    "UnknownVersion": ("unknown-version",),
    "Unresolved": ("unresolved-symbol",),
    "VERSION": ("unsupported-version",),
}
