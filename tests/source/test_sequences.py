from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from ptx_ls.source.sequences import ItemPair, SequencePart, equal_pairs, gaps, increasing

few = st.lists(st.integers(0, 4), max_size=12)


def check_pairs(old: list[int], new: list[int]) -> list[ItemPair]:
    """Aligns two sequences; the pairs are equal items in increasing order."""
    whole = SequencePart(0, len(old), 0, len(new))
    found = equal_pairs(old, new, whole)
    assert all(old[pair.old] == new[pair.new] for pair in found)
    assert all(one.old < two.old and one.new < two.new for one, two in pairwise(found))
    rest = list(gaps(found, whole))
    assert sum(part.old_stop - part.old_first for part in rest) == len(old) - len(found)
    assert sum(part.new_stop - part.new_first for part in rest) == len(new) - len(found)
    return found


@given(few, few)
def test_any_sequences(old: list[int], new: list[int]) -> None:
    check_pairs(old, new)


@given(few, st.integers(0, 12))
def test_an_insertion_leaves_all_else_paired(old: list[int], at: int) -> None:
    assert len(check_pairs(old, [*old[:at], 99, *old[at:]])) == len(old)


def test_a_shortest_edit_without_unique_items() -> None:
    assert len(check_pairs([1, 2, 1, 2, 1, 2, 2], [2, 1, 2, 1, 2, 2, 1])) == 6


def test_long_sequences_without_anything_in_common() -> None:
    assert check_pairs([0] * 50_000, [1] * 50_000) == []
    assert check_pairs(list(range(50_000)), list(range(50_000, 100_000))) == []


def test_long_sequences_of_few_values() -> None:
    old = [number * number % 7 for number in range(20_000)]
    assert len(check_pairs(old, old[5_000:] + old[:5_000])) >= 15_000


@given(st.lists(st.integers(0, 30), unique=True))
def test_a_longest_increasing_selection(numbers: list[int]) -> None:
    pairs = [ItemPair(index, number) for index, number in enumerate(numbers)]
    found = increasing(pairs)
    longest = [1] * len(numbers)
    for index, number in enumerate(numbers):
        before = [longest[k] for k in range(index) if numbers[k] < number]
        longest[index] += max(before, default=0)
    assert len(found) == max(longest, default=0)
    assert all(one.new < two.new for one, two in pairwise(found))
