"""Operators on instructions: opcodes, modifiers, operands, guards."""

from __future__ import annotations

from benchmarks.accuracy.change import Change, Edit, Site, operator, typo

TYPES = (
    ".b8 .b16 .b32 .b64 .b128 .s8 .s16 .s32 .s64 .u8 .u16 .u32 .u64 .f16 .f16x2 .bf16 .f32 "
    ".f64 .pred"
).split()
SPACES = [".global", ".shared", ".local", ".const", ".param"]
MODIFIERS = (
    ".sat .ftz .rn .rz .rzi .approx .full .wide .lo .hi .cc .v2 .v4 .v8 .sync .aligned .uni "
    ".relaxed .acquire .release .gpu .cta .sys .volatile .nc .to .x2 .x4 "
    ".trans .row .col .eq .lt .ltu "
    ".and .or .xor .add .cas .exch .ca .cg .wb .relu .noftz .satfinite .async .bulk .down .ballot"
).split()
_LITERALS = (
    "0x 0xFG 09 0b12 1.5.2 0f3F80 0f3F8000000 0d3FF0 99999999999999999999999 1e 0x1p3 12abc 0F "
    "-0x .5 1__2 0b U 1.0f"
).split()
_NUMBERS = "-1 0 1.5 99999999999 0f3F800000 0d3FF0000000000000 7 65536 4294967296 -129".split()
_SPECIAL = ["%tid.x", "%laneid", "%clock64", "%ntid", "%envreg3", "%lanemask_lt", "WARP_SZ"]


@operator
def opcode_typo(site: Site) -> Change | None:
    """Makes a typo in an opcode: `ad` for `add`."""
    found = site.pick(site.source.instructions())
    return site.replaced(found.opcode, typo(site.text(found.opcode), site.dice)) if found else None


@operator
def opcode_replaced(site: Site) -> Change | None:
    """Replaces an opcode by that of another instruction."""
    found = site.pick(site.source.instructions())
    other = site.pick(sorted({site.text(it.opcode) for it in site.source.instructions()}))
    change = site.replaced(found.opcode, other) if found and other else None
    if not found or not change:
        return None
    return Change(change.edits, site.source.place(found.opcode, found.statement.end))


@operator
def modifier_typo(site: Site) -> Change | None:
    """Makes a typo in a modifier: `.u23` for `.u32`."""
    at = site.pick(site.modifiers())
    return None if at is None else site.replaced(at, typo(site.text(at), site.dice))


@operator
def modifier_unknown(site: Site) -> Change | None:
    """Adds a modifier that no instruction has."""
    found = site.pick(site.source.instructions())
    at = found and site.dice.randrange(found.opcode + 1, found.operands_at + 1)
    return _after(site, at - 1, site.dice.choice([".foo", ".u33", ".x7", ".rnd"])) if at else None


@operator
def modifier_added(site: Site) -> Change | None:
    """Adds a modifier that instructions have."""
    found = site.pick(site.source.instructions())
    at = found and site.dice.randrange(found.opcode + 1, found.operands_at + 1)
    return _after(site, at - 1, site.dice.choice(MODIFIERS)) if at else None


@operator
def modifier_duplicate(site: Site) -> Change | None:
    """Doubles a modifier."""
    at = site.pick(site.modifiers())
    return None if at is None else _after(site, at, site.text(at))


@operator
def modifier_dropped(site: Site) -> Change | None:
    """Removes a modifier."""
    found = site.pick(it for it in site.source.instructions() if it.operands_at > it.opcode + 1)
    if not found:
        return None
    at = site.dice.randrange(found.opcode + 1, found.operands_at)
    return site.dropped(at, at + 1, (found.opcode, found.statement.end))


@operator
def modifier_replaced(site: Site) -> Change | None:
    """Replaces a modifier by another one in the module."""
    at = site.pick(site.modifiers())
    other = site.pick(sorted({site.text(it) for it in site.modifiers()}))
    change = site.replaced(at, other) if at is not None and other else None
    return Change(change.edits, _statement_of(site, at)) if change and at is not None else None


@operator
def modifiers_swapped(site: Site) -> Change | None:
    """Swaps two modifiers; ptxas mostly accepts that."""
    at = site.pick(at for at in site.modifiers() if at + 1 in set(site.modifiers()))
    if at is None:
        return None
    change = site.slice_replaced((at, at + 2), site.text(at + 1) + site.text(at))
    return change and Change(change.edits, _statement_of(site, at))


@operator
def type_suffix(site: Site) -> Change | None:
    """Replaces the type of an instruction."""
    found = site.pick(it for it in site.source.instructions() if _typed(site, it.operands_at))
    at = found and site.pick(
        it for it in range(found.opcode + 1, found.operands_at) if site.text(it) in TYPES
    )
    if not found or not at:
        return None
    token = site.source.tokens[at]
    edit = Edit(token.start, token.end, site.dice.choice(TYPES))
    return Change((edit,), site.source.place(at, found.statement.end))


def _typed(site: Site, operands_at: int) -> bool:
    return site.text(operands_at - 1) in TYPES


@operator
def type_width(site: Site) -> Change | None:
    """Halves or doubles the width of a type."""
    at = site.pick(at for at in site.modifiers() if site.text(at)[2:] in ("16", "32", "64"))
    if at is None:
        return None
    width = {"16": "32", "32": "64", "64": "32"}[site.text(at)[2:]]
    change = site.replaced(at, site.text(at)[:2] + width)
    return change and Change(change.edits, _statement_of(site, at))


@operator
def space_replaced(site: Site) -> Change | None:
    """Replaces a state space: `.shared` for `.global`."""
    at = site.pick(at for at in site.modifiers() if site.text(at) in SPACES)
    if at is None:
        return None
    change = site.replaced(at, site.dice.choice(SPACES))
    return change and Change(change.edits, _statement_of(site, at))


@operator
def vector_width(site: Site) -> Change | None:
    """Replaces a vector size: `.v4` for `.v2`."""
    at = site.pick(at for at in site.modifiers() if site.text(at) in (".v2", ".v4", ".v8"))
    if at is None:
        return None
    change = site.replaced(at, site.dice.choice([".v2", ".v4", ".v8", ".v3"]))
    return change and Change(change.edits, _statement_of(site, at))


@operator
def vector_element(site: Site) -> Change | None:
    """Adds or removes an element of a vector."""
    vectors = [
        (at, i) for i, n in site.operands() for at in (i.operands[n][0],) if site.text(at) == "{"
    ]
    found = site.pick(vectors)
    if not found:
        return None
    at = found[0]
    if site.dice.random() < 0.5 or site.text(at + 2) != ",":  # noqa: PLR2004
        return site.inserted(at + 1, f"{site.text(at + 1)}, ")
    return site.dropped(at + 1, at + 3)


@operator
def register_class(site: Site) -> Change | None:
    """Replaces a register by one of another bank."""
    at = site.pick(site.registers())
    banks = {site.text(it).rstrip("0123456789"): it for it in site.registers()}
    other = site.pick(
        it for bank, it in banks.items() if at and bank != site.text(at).rstrip("0123456789")
    )
    return site.replaced(at, site.text(other)) if other else None


@operator
def register_range(site: Site) -> Change | None:
    """Replaces a register by one beyond its range."""
    at = site.pick(at for at in site.registers() if site.text(at)[-1].isdigit())
    if at is None:
        return None
    return site.replaced(
        at, f"{site.text(at).rstrip('0123456789')}{site.dice.choice([9999, 70000])}"
    )


@operator
def register_typo(site: Site) -> Change | None:
    """Makes a typo in the name of a register."""
    at = site.pick(site.registers())
    return None if at is None else site.replaced(at, typo(site.text(at), site.dice))


@operator
def register_special(site: Site) -> Change | None:
    """Replaces a register by a special register."""
    return site.replaced(site.pick(site.registers()), site.dice.choice(_SPECIAL))


@operator
def symbol_typo(site: Site) -> Change | None:
    """Makes a typo in the name of a variable, function or label."""
    places = [
        at
        for i in site.source.instructions()
        for at in range(i.operands_at, i.statement.end)
        if site.source.tokens[at].kind == "word" and not site.text(at).startswith("%")
    ]
    at = site.pick(places)
    return None if at is None else site.replaced(at, typo(site.text(at), site.dice))


@operator
def immediate_for_register(site: Site) -> Change | None:
    """Replaces a register by a number."""
    return site.replaced(site.pick(site.registers()), site.dice.choice(_NUMBERS))


@operator
def register_for_immediate(site: Site) -> Change | None:
    """Replaces a number by a register."""
    numbers = site.tokens_of("number", site.source.of_kind("instruction"))
    register = site.pick(site.registers())
    return site.replaced(site.pick(numbers), site.text(register)) if register else None


@operator
def symbol_for_register(site: Site) -> Change | None:
    """Replaces a register by a name of the module."""
    words = {site.text(at) for at in site.tokens_of("word", site.source.of_kind("head", "label"))}
    words |= {site.text(at) for at in site.tokens_of("word", site.source.of_kind("directive"))}
    name = site.pick(sorted(words))
    return site.replaced(site.pick(site.registers()), name) if name else None


@operator
def bad_literal(site: Site) -> Change | None:
    """Replaces a number by a malformed one."""
    at = site.pick(site.tokens_of("number", site.source.statements))
    return site.replaced(at, site.dice.choice(_LITERALS))


@operator
def other_number(site: Site) -> Change | None:
    """Replaces a number by one of another size or kind."""
    at = site.pick(site.tokens_of("number", site.source.of_kind("instruction", "directive")))
    return site.replaced(at, site.dice.choice(_NUMBERS))


@operator
def operand_dropped(site: Site) -> Change | None:
    """Removes an operand."""
    found = site.pick(site.operands())
    if not found:
        return None
    instruction, number = found
    first, end = instruction.operands[number]
    if number + 1 < len(instruction.operands):
        end += 1
    elif number:
        first -= 1
    return site.dropped(first, end, (instruction.opcode, instruction.statement.end))


@operator
def operand_extra(site: Site) -> Change | None:
    """Repeats an operand after the last one."""
    found = site.pick(site.operands())
    if not found:
        return None
    instruction, number = found
    _, end = instruction.operands[-1]
    stop = site.source.tokens[end - 1].end
    edit = Edit(stop, stop, f", {site.source.between(*instruction.operands[number])}")
    return Change((edit,), site.source.place(instruction.opcode, instruction.statement.end))


@operator
def operands_swapped(site: Site) -> Change | None:
    """Swaps two operands."""
    found = site.pick((i, n) for i, n in site.operands() if n + 1 < len(i.operands))
    if not found:
        return None
    instruction, number = found
    one, two = instruction.operands[number : number + 2]
    text = site.source.text
    start, stop = site.source.place(*one)
    begin, end = site.source.place(*two)
    return site.slice_replaced(
        (one[0], two[1]), text[begin:end] + text[stop:begin] + text[start:stop]
    )


@operator
def operand_bracketed(site: Site) -> Change | None:
    """Removes the brackets of an address or vector, or puts brackets around anything else."""
    found = site.pick(site.operands())
    if not found:
        return None
    part = found[0].operands[found[1]]
    text = site.source.between(*part)
    other = text[1:-1] if text[0] in "[{(" and text[-1] in ")}]" else f"[{text}]"
    return site.slice_replaced(part, other)


@operator
def operand_negated(site: Site) -> Change | None:
    """Puts a sign such as `!` or `-` before an operand."""
    found = site.pick(site.operands())
    if not found:
        return None
    at, sign = found[0].operands[found[1]][0], site.dice.choice("!-~+")
    start, end = site.source.place(at, at + 1)
    return Change((Edit(start, start, sign),), (start, end))


@operator
def operand_offset(site: Site) -> Change | None:
    """Adds an offset, index or component to a name."""
    slices = [i.operands[n] for i, n in site.operands()]
    tokens = site.source.tokens
    at = site.pick(at for part in slices for at in range(*part) if tokens[at].kind == "word")
    if at is None:
        return None
    return site.replaced(at, site.text(at) + site.dice.choice(["+4", "+4.5", "-%r1", "[2]", ".x"]))


@operator
def store_to_read_only(site: Site) -> Change | None:
    """Turns a load into a store to read-only memory."""
    found = site.pick(
        it
        for it in site.source.instructions()
        if site.text(it.opcode) == "ld"
        and len(it.operands) == 2  # noqa: PLR2004
        and site.text(it.opcode + 1) in (".const", ".param", ".global")
    )
    if not found:
        return None
    register, address = (site.source.between(*it) for it in found.operands)
    modifiers = site.source.between(found.opcode + 1, found.operands_at)
    modifiers = modifiers.replace(".global", ".const")
    start, end = site.source.place(found.opcode, found.statement.end)
    return Change((Edit(start, end, f"st{modifiers} {address}, {register};"),))


@operator
def guard_added(site: Site) -> Change | None:
    """Adds a guard, usually by a register that is not a predicate."""
    found = site.pick(it for it in site.source.instructions() if it.opcode == it.statement.first)
    register = site.pick(site.registers())
    if not found or register is None:
        return None
    return site.inserted(found.opcode, f"@{site.dice.choice(['', '!'])}{site.text(register)} ")


@operator
def guard_broken(site: Site) -> Change | None:
    """Gives a guard one mark too many, or removes its mark or predicate."""
    found = site.pick(it for it in site.source.instructions() if it.opcode > it.statement.first)
    if not found:
        return None
    part = (found.statement.first, found.opcode)
    guard = site.source.between(*part)
    ways = [f"@{guard}", guard.replace("@", "@!!"), "@", guard[1:], f"{guard}, "]
    change = site.slice_replaced(part, site.dice.choice(ways))
    return change and Change(change.edits, site.source.place(part[0], found.operands_at))


@operator
def call_arity(site: Site) -> Change | None:
    """Adds or removes an argument or result of a call."""
    calls = [it for it in site.source.instructions() if site.text(it.opcode) == "call"]
    found = site.pick(calls)
    lists = found and [part for part in found.operands if site.text(part[0]) == "("]
    part = site.pick(lists or ())
    if not part or not found:
        return None
    words = [at for at in range(*part) if site.source.tokens[at].kind == "word"]
    if words and site.dice.random() < 0.5:  # noqa: PLR2004
        change = site.inserted(part[1] - 1, f", {site.text(words[0])}")
    elif len(words) > 1:
        change = site.dropped(words[0], words[1])
    else:
        change = site.dropped(part[0], part[1])
    return Change(change.edits, site.source.place(found.opcode, found.statement.end))


@operator
def call_target(site: Site) -> Change | None:
    """Replaces the callee of a call by another name."""
    calls = [it for it in site.source.instructions() if site.text(it.opcode) == "call"]
    words = site.tokens_of("word", site.source.of_kind("head", "directive", "label"))
    found, other = site.pick(calls), site.pick(words)
    part = found and site.pick(p for p in found.operands if site.text(p[0]) != "(")
    return site.slice_replaced(part, site.text(other)) if part and other else None


def _after(site: Site, at: int, text: str) -> Change:
    end = site.source.tokens[at].end
    return Change((Edit(end, end, text),))


def _statement_of(site: Site, at: int) -> tuple[int, int]:
    """Returns the place of an instruction from a modifier or its opcode to the end."""
    for instruction in site.source.instructions():
        if instruction.opcode <= at < instruction.statement.end:
            return site.source.place(at, instruction.statement.end)
    return site.source.place(at, at + 1)
