"""Cases about directives: places, owners, repetition, pairs and arguments of every one of them."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

from certify.modules import Case, Frame
from certify.oracle import Configuration
from ptx_ls import isa
from ptx_ls.isa.reference import Directive

NEWEST = Configuration("9.5", "sm_107a")
BARE = {
    ".version": ".version 9.5",
    ".target": ".target sm_107a",
    ".address_size": ".address_size 64",
    ".entry": ".entry NAME () { ret; }",
    ".func": ".func NAME () { ret; }",
    ".pragma": '.pragma "nounroll";',
    ".section": ".section .debug_NAME { .b8 1 }",
    ".file": '.file 3 "a.cu"',
    ".loc": ".loc 1 1 1",
    ".loc_intermediate": ".loc_intermediate 1 1 1",
    ".alias": ".func NAME_a () { ret; } .func NAME (); .alias NAME, NAME_a;",
    ".branchtargets": "NAME_l: NAME: .branchtargets NAME_l;",
    ".calltargets": "NAME: .calltargets printf;",
    ".callprototype": "NAME: .callprototype (.param .b32 _) _ (.param .b64 _);",
    ".attribute": ".global .attribute(.managed) .u32 NAME;",
    ".extern": ".extern .global .u32 NAME;",
    ".visible": ".visible .global .u32 NAME;",
    ".weak": ".weak .global .u32 NAME;",
    ".common": ".common .global .u32 NAME;",
    ".reg": ".reg .u32 NAME;",
    ".const": ".const .u32 NAME;",
    ".global": ".global .u32 NAME;",
    ".local": ".local .u32 NAME;",
    ".param": ".param .u32 NAME;",
    ".shared": ".shared .u32 NAME;",
    ".tex": ".tex .u32 NAME;",
    ".surf": ".surf .u32 NAME;",
    ".sreg": ".sreg .u32 NAME;",
    ".language": '.language "nvvm"',
    ".managed": ".managed",
    ".unified": ".unified(1, 2)",
    ".ptr": ".ptr .global .align 16",
    ".align": ".align 4",
}
"""Directives with what they need, where it is not one number or nothing."""
NUMBERS = (
    "0", "1", "-1", "+1", "2,", "2 3", "2, 3", "2, 3, 4", "2, 3, 4, 5", "0, 1", "1, 0", "2, 3, 0",
    "1, -1", "0x10", "020", "08", "0b11", "16U", "1.0", "1.5", "1e3", "0f3F800000", "0d0", "65536",
    "2147483647", "2147483648", "4294967295", "4294967296", "99999999999", "18446744073709551616",
    '"4"', "four", "%r1", "(4)", "{4}", "2+2", "2*2", "-(-4)", "!1", "~1", ",4", "4;", "WARP_SZ",
    "[4]",
)  # fmt: skip
"""Texts that are accepted for a number, and texts that are not."""
_OWNERS = (
    ".entry NAME () {0} {{ ret; }}",
    ".entry NAME (.param .u32 a) {0} {{ ret; }}",
    ".entry NAME {0} {{ ret; }}",
    ".func NAME () {0} {{ ret; }}",
    ".func (.reg .u32 NAME_r) NAME () {0} {{ ret; }}",
    ".func NAME () {0};",
    ".entry NAME () {0};",
    ".extern .func NAME () {0};",
    ".visible .entry NAME () {0} {{ ret; }}",
    ".weak .func NAME () {0} {{ ret; }}",
    ".entry NAME_e () {{ NAME: .callprototype _ () {0}; ret; }}",
    ".entry NAME_e () {{ NAME: .callprototype (.reg .u32 _) _ () {0}; ret; }}",
    ".func () NAME () {0} {{ ret; }}",
    ".extern .func ( ) NAME {0};",
    ".func .attribute(.unified(1, 2)) () NAME () {0} {{ ret; }}",
    ".entry () NAME () {0} {{ ret; }}",
    ".entry NAME_e () {{ NAME: .callprototype () _ (.param .u32 _) {0}; ret; }}",
)
_PLACES = (
    "{0}",
    "{0};",
    ".entry NAME_e () {{ {0} ret; }}",
    ".entry NAME_e () {{ {0}; ret; }}",
    ".entry NAME_e () {{ {{ {0} }} ret; }}",
    ".func NAME_f () {{ {0} ret; }}",
    ".entry NAME_e (.param .u64 {0} NAME_p) {{ ret; }}",
    ".entry NAME_e ({0}) {{ ret; }}",
    ".func NAME_f (.param .u64 {0} NAME_p) {{ ret; }}",
    ".func NAME_f ({0}) {{ ret; }}",
    ".global {0} .u32 NAME_g;",
    ".global .u32 {0} NAME_g;",
    ".global .u32 NAME_g {0};",
    "{0} .global .u32 NAME_g;",
    "{0} .entry NAME_e () {{ ret; }}",
    "{0} .func NAME_f () {{ ret; }}",
    ".entry {0} NAME_e () {{ ret; }}",
    ".func {0} NAME_f () {{ ret; }}",
    ".global .attribute({0}) .u32 NAME_g;",
    ".func .attribute({0}) NAME_f () {{ ret; }}",
)
_LINKAGES = ("", ".extern", ".visible", ".weak", ".common")
_LINKED = (
    ".entry NAME () {{ ret; }}".replace("{{", "{").replace("}}", "}"),
    ".func NAME () { ret; }",
    ".func NAME ();",
    ".global .u32 NAME;",
    ".global .u32 NAME = 1;",
    ".global .u32 NAME[];",
    ".global .u32 NAME[] = {1, 2};",
    ".const .u32 NAME;",
    ".const .u32 NAME[];",
    ".const .u32 NAME = 1;",
    ".shared .u32 NAME;",
    ".shared .b8 NAME[];",
    ".shared .u32 NAME = 1;",
    ".local .u32 NAME;",
    ".reg .u32 NAME;",
    ".param .u32 NAME;",
    ".global .texref NAME;",
    ".global .surfref NAME;",
    '.file 7 "a"',
)
_SPACES = (".reg", ".sreg", ".const", ".global", ".local", ".param", ".shared", ".tex", ".surf")
_DECLARED = (
    "{0} NAME;",
    ".entry NAME_e () {{ {0} NAME; ret; }}",
    ".func NAME_f () {{ {0} NAME; ret; }}",
    ".entry NAME_e ({0} NAME) {{ ret; }}",
    ".func NAME_f ({0} NAME) {{ ret; }}",
    ".func ({0} NAME) NAME_f () {{ ret; }}",
)
_SHAPED = (
    "NAME[4];", "NAME[];", "NAME[0];", "NAME[2][3];", "NAME<4>;", "NAME[-1];", "NAME[1.5];",
    "NAME, NAME_b;", "NAME = 1;", "NAME = 0;", "NAME[2] = {1, 2};", "NAME[2] = {1, 2, 3};",
    "NAME[2] = 1;", "NAME = {1};",
)  # fmt: skip


def is_function_directive(directive: Directive) -> bool:
    """Whether it is between the head of a function and its body."""
    return directive.scopes == ("header",)


def bare(directive: Directive) -> str:
    """The directive with the fewest arguments that it takes."""
    if directive.name in BARE:
        return BARE[directive.name]
    return f"{directive.name} 1" if directive.arguments else directive.name


def directive_cases(configuration: Configuration = NEWEST) -> Iterator[Case]:
    """All of them in one version that has them."""
    known = isa.database().directives
    functional = [entry for entry in known.values() if is_function_directive(entry)]
    for frame, text, cause in (
        *_places(list(known.values())),
        *_owned(functional),
        *_pairs(functional),
        *_arguments(functional),
        *_linkage(),
        *_declarations(),
        *_qualified_parameters(),
    ):
        yield Case(frame, configuration, text, cause)


def _places(known: list[Directive]) -> Iterator[tuple[Frame, str, str]]:
    for directive, place in product(known, _PLACES):
        text = place.format(bare(directive)) if directive.name != "@@DWARF" else "@@DWARF .byte 1"
        yield Frame.MODULE, text, f"{directive.name} in place {place}"


def _owned(functional: list[Directive]) -> Iterator[tuple[Frame, str, str]]:
    for directive, owner in product(functional, _OWNERS):
        text = bare(directive)
        yield Frame.MODULE, owner.format(text), f"{directive.name} of {owner}"
        yield Frame.MODULE, owner.format(f"{text} {text}"), f"{directive.name} twice of {owner}"
        needs = " ".join(f"{name} 2" for name in directive.requires)
        if needs:
            yield Frame.MODULE, owner.format(f"{text} {needs}"), f"{directive.name} needs"
            yield Frame.MODULE, owner.format(f"{needs} {text}"), f"{directive.name} needs"


def _pairs(functional: list[Directive]) -> Iterator[tuple[Frame, str, str]]:
    for one, other in product(functional, functional):
        for owner in (_OWNERS[0], _OWNERS[3], _OWNERS[10]):
            text = owner.format(f"{bare(one)} {bare(other)}")
            yield Frame.MODULE, text, f"{one.name} before {other.name}"


def _arguments(functional: list[Directive]) -> Iterator[tuple[Frame, str, str]]:
    for directive, number in product(functional, ("", *NUMBERS)):
        owner = _OWNERS[3] if directive.owners == (".func",) else _OWNERS[0]
        text = owner.format(f"{directive.name} {number}")
        yield Frame.MODULE, text, f"{directive.name} with {number or 'nothing'}"


def _linkage() -> Iterator[tuple[Frame, str, str]]:
    for one, other, linked in product(_LINKAGES, _LINKAGES, _LINKED):
        text = " ".join(filter(None, (one, other, linked)))
        yield Frame.MODULE, text, f"{one} {other} with {linked}"
        if not other:
            text = f".entry NAME_e () {{ {one} {linked} ret; }}"
            yield Frame.MODULE, text, f"{one} in a body with {linked}"


def _declarations() -> Iterator[tuple[Frame, str, str]]:
    types = isa.database().types
    for space, name, place in product(_SPACES, types, _DECLARED):
        yield Frame.MODULE, place.format(f"{space} {name}"), f"{name} in {space}: {place}"
    for space, shape in product(_SPACES, _SHAPED):
        yield Frame.MODULE, f"{space} .u32 {shape}", f"shape {shape} in {space}"
        text = f".entry NAME_e () {{ {space} .u32 {shape} ret; }}"
        yield Frame.MODULE, text, f"shape {shape} in {space} of a body"
    for space, vector, name in product(_SPACES, (".v2", ".v4", ".v8", ".v3"), types):
        text = f".entry NAME_e () {{ {space} {vector} {name} NAME; ret; }}"
        yield Frame.MODULE, text, f"{vector} {name} in {space} of a body"
    for space, number in product(_SPACES, (*NUMBERS, "2", "4", "8", "3", "1024", "1048576")):
        yield Frame.MODULE, f"{space} .align {number} .u32 NAME;", f".align {number} of {space}"
    for number in (*NUMBERS, "2", "4", "8", "3", "1024", "1048576"):
        for space in ("", ".global", ".shared", ".const", ".local", ".param", ".reg"):
            text = f".entry NAME (.param .u64 .ptr {space} .align {number} NAME_p) {{ ret; }}"
            yield Frame.MODULE, text, f".ptr {space} .align {number}"


_PARAMETER_LISTS = (
    ".entry NAME ({0}) {{ ret; }}",
    ".func NAME ({0}) {{ ret; }}",
    ".func NAME ({0});",
    ".extern .func ({0}) NAME ();",
    ".func ({0}) NAME () {{ ret; }}",
    ".func NAME_f () {{ NAME: .callprototype _ ({0}); ret; }}",
    ".func NAME_f () {{ NAME: .callprototype ({0}) _ (); ret; }}",
)
_POINTED = (
    "", ".global", ".const", ".local", ".shared", ".param", ".reg", ".tex", ".surf", ".generic",
    ".shared::cta", ".texref", ".samplerref", ".surfref", ".u32", ".global .texref", ".ptr",
)  # fmt: skip
_PARAMETER_TYPES = (".u64", ".b8", ".texref", ".v2 .u32")


def _qualified_parameters() -> Iterator[tuple[Frame, str, str]]:
    """All that may follow the type of a parameter, in every kind of list."""
    after_types = [
        *(f".ptr {pointed} {alignment}" for pointed in _POINTED for alignment in ("", ".align 8")),
        ".align 8", "", ".align 8 .ptr", ".align 8 .ptr .global", ".ptr .align 3",
    ]  # fmt: skip
    for owner, type_, after in product(_PARAMETER_LISTS, _PARAMETER_TYPES, after_types):
        for first in (".param", ".reg", ".param .align 16", ".align 16 .param"):
            if first == ".param" or type_ == ".u64":
                text = owner.format(f"{first} {type_} {after} NAME_p")
                yield Frame.MODULE, text, f"{first} {after} in {owner}"
