"""Operators on everything else: punctuation, declarations, labels, directives, the header."""

from __future__ import annotations

from itertools import pairwise

from benchmarks.accuracy.change import Change, Edit, Site, operator, typo
from benchmarks.accuracy.in_instructions import SPACES, TYPES
from benchmarks.accuracy.source import Statement

_MARKS = ",;{}[]()"
_NO_DECLARATION = (
    ".version .target .address_size .loc .file .section .pragma .branchtargets .calltargets"
).split()
_KEYWORDS = (
    ".reg .global .shared .visible .extern .func .entry .align .v2 .loc .pragma .maxntid .noreturn "
    '.branchtargets .file add mov ret call { } ( ) [ ] ; , : = + - ! @ % 0 1.5 "text" $ ? \\ #'
).split()
_DIRECTIVES = (
    ".foo;|.version 7.0|.target sm_80|.address_size 64|.maxntid 256;|.reg;|.align 3;|ret|;|{}|zzh:|"
    '.pragma "foo";|.global .u32 zzz = {1, 2};|.shared .f32 zzy[2] = {1.0, 2.0};|'
    ".const .u32 zzx = 5000000000;|.param .u32 zzw;|.local .b32 zzv = 1;|.reg .u32 zzu[4];|"
    ".reg .pred zzt;|.reg .v4 .f32 zzs;|.global .align 3 .b8 zzr[4];|.visible .reg .u32 zzq;|"
    ".loc 99 1 1|.file 1|.entry zzp;|.branchtargets zzo;|.global .texref zzn;|.global .b128 zzm;|"
    ".shared .v4 .f64 zzl;|.func zzk() {}|.entry zzj() { ret; }|.alias zza, zzb;|.global .pred zzi;"
).split("|")


@operator
def mark_missing_semicolon(site: Site) -> Change | None:
    """Removes a `;`."""
    return _without(site, ";")


@operator
def mark_missing_comma(site: Site) -> Change | None:
    """Removes a `,`."""
    return _without(site, ",")


def _without(site: Site, mark: str) -> Change | None:
    at = site.pick(n for n, token in enumerate(site.source.tokens) if token.text == mark)
    return None if at is None else site.dropped(at, at + 1)


@operator
def mark_replaced(site: Site) -> Change | None:
    """Replaces a punctuation mark by another."""
    at = site.pick(n for n, token in enumerate(site.source.tokens) if token.text in _MARKS)
    return site.replaced(at, site.dice.choice(_MARKS))


@operator
def brace_unbalanced(site: Site) -> Change | None:
    """Adds or removes a brace."""
    braces = site.source.of_kind("brace")
    found = site.pick(it for it in braces if site.text(it.first) in "{}")
    if not found:
        return None
    if site.dice.random() < 0.5:  # noqa: PLR2004
        return site.dropped(found.first, found.first + 1)
    start, end = site.source.place(found.first, found.first + 1)
    return Change((Edit(start, start, site.dice.choice(["{ ", "} "])),), (start, end))


@operator
def token_dropped(site: Site) -> Change | None:
    """Removes any token."""
    at = site.dice.randrange(len(site.source.tokens))
    return site.dropped(at, at + 1)


@operator
def token_duplicated(site: Site) -> Change | None:
    """Doubles any token."""
    return site.doubled(site.dice.randrange(len(site.source.tokens)))


@operator
def token_inserted(site: Site) -> Change | None:
    """Inserts a word or mark that does not belong there."""
    at = site.dice.randrange(len(site.source.tokens))
    return site.inserted(at, f" {site.dice.choice(_KEYWORDS)} ")


@operator
def word_case(site: Site) -> Change | None:
    """Swaps upper and lower case in a word."""
    at = site.pick(n for n, t in enumerate(site.source.tokens) if t.kind in ("word", "dotted"))
    return None if at is None else site.replaced(at, site.text(at).swapcase())


@operator
def directive_typo(site: Site) -> Change | None:
    """Makes a typo in a word with a dot outside of instructions."""
    at = site.pick(site.tokens_of("dotted", site.source.of_kind("directive", "head")))
    return None if at is None else site.replaced(at, typo(site.text(at), site.dice))


@operator
def directive_inserted(site: Site) -> Change | None:
    """Inserts a directive that is unknown, wrong, or in the wrong place."""
    found = site.pick(site.source.statements)
    if not found:
        return None
    start = site.source.tokens[found.first].start
    text = site.dice.choice(_DIRECTIVES)
    return Change((Edit(start, start, f"\n{text}\n"),))


@operator
def directive_moved(site: Site) -> Change | None:
    """Swaps a directive or label with its neighbour."""
    statements = site.source.statements
    pairs = [
        (one, two)
        for one, two in pairwise(statements)
        if "directive" in (one.kind, two.kind) or "label" in (one.kind, two.kind)
    ]
    found = site.pick(pairs)
    if not found:
        return None
    (one, two), text = found, site.source.text
    start, stop = site.source.place(one.first, one.end)
    begin, end = site.source.place(two.first, two.end)
    return site.slice_replaced(
        (one.first, two.end), text[begin:end] + text[stop:begin] + text[start:stop]
    )


@operator
def declaration_duplicate(site: Site) -> Change | None:
    """Doubles a declaration."""
    found = site.pick(_declarations(site))
    if not found:
        return None
    first, end = found
    stop = site.source.tokens[end - 1].end
    return Change((Edit(stop, stop, f"\n{site.source.between(first, end)}"),))


@operator
def declaration_removed(site: Site) -> Change | None:
    """Removes a declaration."""
    found = site.pick(_declarations(site))
    return site.dropped(*found, (0, len(site.source.tokens))) if found else None


@operator
def declaration_renamed(site: Site) -> Change | None:
    """Makes a typo in a name where it is declared."""
    words = [
        at
        for s in (*site.source.of_kind("label"), *_statements(site))
        for at in range(s.first, s.end)
        if site.source.tokens[at].kind == "word"
    ]
    at = site.pick(words)
    return None if at is None else site.replaced(at, typo(site.text(at), site.dice))


@operator
def declaration_type(site: Site) -> Change | None:
    """Replaces the type of a register, variable or parameter."""
    dotted = site.tokens_of("dotted", site.source.of_kind("directive", "head"))
    return site.replaced(
        site.pick(at for at in dotted if site.text(at) in TYPES), site.dice.choice(TYPES)
    )


@operator
def declaration_space(site: Site) -> Change | None:
    """Replaces the state space of a register, variable or parameter."""
    dotted = site.tokens_of("dotted", site.source.of_kind("directive", "head"))
    spaces = [*SPACES, ".reg"]
    return site.replaced(
        site.pick(at for at in dotted if site.text(at) in spaces), site.dice.choice(spaces)
    )


@operator
def declaration_number(site: Site) -> Change | None:
    """Replaces a size, alignment, range or initial value."""
    numbers = site.tokens_of("number", (*_statements(site), *site.source.of_kind("head")))
    return site.replaced(
        site.pick(numbers), site.dice.choice("0 1 2 3 -4 1.5 5000000000 256 0x".split())
    )


@operator
def label_removed(site: Site) -> Change | None:
    """Removes a label."""
    found = site.pick(site.source.of_kind("label"))
    if not found:
        return None
    return site.dropped(found.first, found.end, (0, len(site.source.tokens)))


@operator
def label_duplicate(site: Site) -> Change | None:
    """Declares a label a second time."""
    label = site.pick(site.source.of_kind("label"))
    place = site.pick(site.source.of_kind("instruction"))
    if not label or not place:
        return None
    return site.inserted(place.first, f"{site.text(label.first)}: ")


@operator
def head_changed(site: Site) -> Change | None:
    """Removes or doubles a token in the head of a function."""
    found = site.pick(site.source.of_kind("head"))
    if not found:
        return None
    at = site.dice.randrange(found.first, found.end)
    if site.dice.random() < 0.5:  # noqa: PLR2004
        return site.dropped(at, at + 1)
    return site.doubled(at)


@operator
def head_parameter(site: Site) -> Change | None:
    """Removes parameters or the result of a function."""
    heads = site.source.of_kind("head")
    lists = [_parenthesised(site, it.first, it.end) for it in heads]
    part = site.pick(part for parts in lists for part in parts)
    if not part:
        return None
    first, end = part
    commas = [at for at in range(first, end) if site.text(at) == ","]
    if commas:
        return site.dropped(commas[-1], end - 1)
    if end - first > 2 and site.dice.random() < 0.5:  # noqa: PLR2004
        return site.dropped(first + 1, end - 1)
    return site.dropped(first, end)


@operator
def version_lower(site: Site) -> Change | None:
    """Replaces the `.version` by an older or a strange one."""
    older = "1.0 1.4 2.3 3.2 4.3 5.0 6.0 6.5 7.0 7.8 8.0 8.6 9.0 0.0 x 7".split()
    return _header(site, ".version", older)


@operator
def target_lower(site: Site) -> Change | None:
    """Replaces the `.target` by an older or a strange one."""
    older = (
        "sm_10 sm_20 sm_30 sm_52 sm_70 sm_75 sm_80 sm_89 sm_90 sm_90a sm_100 sm_120 sm_77 sm80 "
        "compute_80 sm_80,debug sm_80,texmode_independent sm_80,foo sm_90,sm_80"
    ).split()
    return _header(site, ".target", older)


@operator
def address_size(site: Site) -> Change | None:
    """Replaces the `.address_size`."""
    return _header(site, ".address_size", ["32", "16", "64.0", "128"])


def _header(site: Site, directive: str, values: list[str]) -> Change | None:
    found = site.pick(
        it for it in site.source.of_kind("directive") if site.text(it.first) == directive
    )
    if not found or found.end == found.first + 1:
        return None
    return site.slice_replaced((found.first + 1, found.end), site.dice.choice(values))


def _statements(site: Site) -> list[Statement]:
    """Returns the declarations that are statements."""
    return [
        it for it in site.source.of_kind("directive") if site.text(it.first) not in _NO_DECLARATION
    ]


def _declarations(site: Site) -> list[tuple[int, int]]:
    """Returns the places of declarations, including those of functions without a body."""
    heads = [it for it in site.source.of_kind("head") if site.text(it.end - 1) == ";"]
    return [(it.first, it.end) for it in (*_statements(site), *heads)]


def _parenthesised(site: Site, first: int, end: int) -> list[tuple[int, int]]:
    parts, start = [], first
    for at in range(first, end):
        if site.text(at) == "(":
            start = at
        elif site.text(at) == ")":
            parts.append((start, at + 1))
    return parts
