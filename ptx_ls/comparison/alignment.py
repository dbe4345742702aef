"""Aligns the statements of two versions of a function."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ptx_ls.comparison.blocks import blocks_of, matched_blocks, parts_between
from ptx_ls.comparison.renaming import renaming
from ptx_ls.comparison.written_names import WrittenNames
from ptx_ls.source.named_tuple import NamedTuple
from ptx_ls.source.sequences import ItemPair, SequencePart, equal_pairs, gaps
from ptx_ls.syntax.record import Shape

if TYPE_CHECKING:
    from collections.abc import Hashable, Mapping, Sequence
    from collections.abc import Set as AbstractSet

    from ptx_ls.comparison.code import FunctionCode
    from ptx_ls.comparison.vocabulary import Vocabulary
    from ptx_ls.document.document import Document


class CodeVersion(NamedTuple):
    """A version of a function, and the document that it is in."""

    document: Document
    code: FunctionCode


class CodeAlignment(NamedTuple):
    """The statements that belong together, and the names that they have in common.

    Attributes:
        pairs: increasing pairs of the numbers of statements.
        equal: those pairs whose statements are equal after renaming.
        renamed: the new local names by old ones.
        moved: pairs of equal statements that are in another order.
    """

    pairs: Sequence[ItemPair]
    equal: frozenset[ItemPair]
    renamed: Mapping[int, int]
    moved: Sequence[ItemPair] = ()


def aligned(old: CodeVersion, new: CodeVersion, vocabulary: Vocabulary) -> CodeAlignment:
    """Returns the alignment of the statements of two functions.

    First, statements are aligned by all except their local names, within matching blocks and
    between them. That shows which names have changed. Then they are aligned again with the new
    names; what remains is aligned by all except names, and at last by the opcode. The first step
    is tried with and without regard to how operands are computed; the better result counts.
    """
    old_keys, new_keys = _keys(old.code, vocabulary), _keys(new.code, vocabulary)
    if old_keys == new_keys:
        pairs = [ItemPair(number, number) for number in range(len(old_keys))]
        renamed = renaming(pairs, old.code, new.code)
        equal = _equal(pairs, renamed, old.code, new.code)
        if len(equal) == len(pairs):
            return CodeAlignment(pairs, equal, renamed)
    parts, moved_parts = _parts(old, new, old_keys, new_keys, vocabulary)
    deep = (
        _deep_keys(old.code, old_keys, vocabulary),
        _deep_keys(new.code, new_keys, vocabulary),
    )
    plain = (old_keys, new_keys)
    opcodes = _opcodes(old.code, vocabulary), _opcodes(new.code, vocabulary)
    arities = _arities(old.code), _arities(new.code)
    found: list[CodeAlignment] = []
    for levels in ([plain, opcodes], [deep, plain, opcodes]):
        pairs = _in_parts(levels, [*parts, *moved_parts], arities)
        pairs += _moved_alike(pairs, old_keys, new_keys)
        renamed = renaming(pairs, old.code, new.code)
        full = _full_keys(old.code, new.code, renamed, vocabulary)
        pairs = _in_parts([full, plain, opcodes], parts, arities)
        equal = frozenset(pair for pair in pairs if full[0][pair.old] == full[1][pair.new])
        found.append(CodeAlignment(pairs, equal, renamed, _moved(equal, *full)))
    return max(found, key=lambda each: len(each.equal))


def _parts(
    old: CodeVersion,
    new: CodeVersion,
    old_keys: Sequence[int],
    new_keys: Sequence[int],
    vocabulary: Vocabulary,
) -> tuple[list[SequencePart], list[SequencePart]]:
    """Returns the parts to align, and the blocks that are in another order."""
    if old.code.unread is not None or new.code.unread is not None:
        return [SequencePart(0, len(old_keys), 0, len(new_keys))], []
    old_blocks, new_blocks = blocks_of(old.document, old.code), blocks_of(new.document, new.code)
    matched = matched_blocks(old_blocks, new_blocks, old_keys, new_keys, vocabulary)
    parts = parts_between(matched, old_blocks, new_blocks)
    blocks = [SequencePart(*old_blocks.span(one), *new_blocks.span(two)) for one, two in matched]
    in_order = frozenset(parts)
    return parts, [block for block in blocks if block not in in_order]


def _keys(code: FunctionCode, vocabulary: Vocabulary) -> list[int]:
    """Returns a number for each statement, without regard to local names."""
    return [
        vocabulary.number(
            (line.pieces, *[it if isinstance(it, str) else None for it in line.names])
        )
        for line in code.lines
    ]


def _full_keys(
    old: FunctionCode, new: FunctionCode, renamed: Mapping[int, int], vocabulary: Vocabulary
) -> tuple[list[int], list[int]]:
    """Returns a number for each statement that depends on its names, with the new ones for old."""

    def meaning(name: int | str) -> int | str:
        return name if isinstance(name, str) else renamed.get(name, -1 - name)

    number = vocabulary.number
    return (
        [number(("full", it.pieces, *map(meaning, it.names))) for it in old.lines],
        [number(("full", it.pieces, *it.names)) for it in new.lines],
    )


def _opcodes(code: FunctionCode, vocabulary: Vocabulary) -> list[int]:
    """Returns a number for each statement that depends on its opcode or kind only."""
    return [
        vocabulary.number(
            ("opcode", line.record.name if isinstance(line.record, Shape) else line.record.kind)
        )
        for line in code.lines
    ]


def _deep_keys(code: FunctionCode, keys: Sequence[int], vocabulary: Vocabulary) -> list[int]:
    """Returns a number for each statement that depends on those that compute its operands, too."""
    writers = {name: number for name, (number, _) in WrittenNames().writers(code).items()}
    current = list(keys)
    for _ in range(2):
        found: list[int] = []
        for number, line in enumerate(code.lines):
            operands: list[Hashable] = [
                name
                if isinstance(name, str)
                else code.names[name].declared
                if (writer := writers.get(name, number)) == number
                else current[writer]
                for name in line.names
            ]
            found.append(vocabulary.number(("deep", keys[number], *operands)))
        current = found
    return current


def _equal(
    pairs: Sequence[ItemPair], renamed: Mapping[int, int], old: FunctionCode, new: FunctionCode
) -> frozenset[ItemPair]:
    """Returns the pairs whose statements are equal after renaming, of those with equal keys."""
    return frozenset(
        pair
        for pair in pairs
        if all(
            name == other if isinstance(name, str) else renamed.get(name) == other
            for name, other in zip(
                old.lines[pair.old].names, new.lines[pair.new].names, strict=True
            )
        )
    )


def _arities(code: FunctionCode) -> list[int]:
    """Returns the number of names in each statement; -1 for a label."""
    return [-1 if line.is_label else len(line.names) for line in code.lines]


def _in_parts(
    levels: Sequence[tuple[Sequence[int], Sequence[int]]],
    parts: Sequence[SequencePart],
    arities: tuple[Sequence[int], Sequence[int]],
) -> list[ItemPair]:
    """Returns pairs of statements by the first keys, then between these by the next ones.

    At last, parts with as many old as new statements have each replaced by the one in its place,
    if both have as many names.
    """
    found: list[ItemPair] = []
    waiting = list(parts)
    for old, new in levels:
        following: list[SequencePart] = []
        for part in waiting:
            pairs = equal_pairs(old, new, part)
            found += pairs
            following += [gap for gap in gaps(pairs, part) if not gap.is_one_sided]
        waiting = following
    for part in waiting:
        if part.old_stop - part.old_first == part.new_stop - part.new_first:
            places = zip(
                range(part.old_first, part.old_stop),
                range(part.new_first, part.new_stop),
                strict=True,
            )
            found += [
                ItemPair(one, two) for one, two in places if arities[0][one] == arities[1][two] > 0
            ]
    return sorted(found)


def _moved(
    equal: frozenset[ItemPair], old_full: Sequence[int], new_full: Sequence[int]
) -> list[ItemPair]:
    """Returns equal statements that are not paired with an equal one, in the order of the old.

    One that occurs several times among these, such as a barrier, has only moved if the functions
    have the same statements.
    """
    in_old = _left(old_full, {pair.old for pair in equal})
    in_new = _left(new_full, {pair.new for pair in equal})
    is_permuted = {key: len(numbers) for key, numbers in in_old.items()} == {
        key: len(numbers) for key, numbers in in_new.items()
    }
    return sorted(
        ItemPair(*numbers)
        for key in in_old.keys() & in_new.keys()
        if is_permuted or len(in_old[key]) == len(in_new[key]) == 1
        for numbers in zip(in_old[key], in_new[key], strict=True)
    )


def _moved_alike(
    pairs: Sequence[ItemPair], old_keys: Sequence[int], new_keys: Sequence[int]
) -> list[ItemPair]:
    """Returns statements that are not in a pair, and that differ from one other only in names."""
    in_old = _left(old_keys, {pair.old for pair in pairs})
    in_new = _left(new_keys, {pair.new for pair in pairs})
    return [
        ItemPair(in_old[key][0], in_new[key][0])
        for key in sorted(in_old.keys() & in_new.keys())
        if len(in_old[key]) == len(in_new[key]) == 1
    ]


def _left(keys: Sequence[int], paired: AbstractSet[int]) -> dict[int, list[int]]:
    """Returns the statements that are not in a pair, by their keys."""
    found: dict[int, list[int]] = {}
    for number, key in enumerate(keys):
        if number not in paired:
            found.setdefault(key, []).append(number)
    return found
