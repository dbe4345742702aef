"""Facts are computed once for a node, and again only where an edit changed their inputs."""

from __future__ import annotations

from typing import TYPE_CHECKING
from weakref import WeakSet

import pytest

from ptx_ls.document.fact_checking import StaleFactError, check_facts
from ptx_ls.document.facts import combined, fact
from ptx_ls.document.node import Node
from ptx_ls.document.recent_facts import recent_fact

if TYPE_CHECKING:
    from collections.abc import Iterator

computed: list[str] = []


class Word(Node):
    """A node with a text."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.text = text


class Sentence(Node):
    """A node with words."""

    def __init__(self, *words: Word) -> None:
        super().__init__()
        self.words = words


@fact
def length(word: Word) -> tuple[int]:
    computed.append(f"length of {word.text}")
    return (len(word.text),)


@fact
def with_prefix(word: Word, prefix: str) -> str:
    computed.append(f"{prefix} {word.text}")
    return prefix + word.text


def lengths(sentence: Sentence) -> Iterator[tuple[int]]:
    return map(length, sentence.words)


@combined(lengths)
def total(values: tuple[tuple[int], ...]) -> tuple[int]:
    computed.append("total")
    return (sum(value for (value,) in values),)


@pytest.fixture(autouse=True)
def _nothing_computed() -> Iterator[None]:
    computed.clear()
    yield
    check_facts(is_on=False)


def check_computed(*expected: str) -> None:
    assert computed == list(expected)
    computed.clear()


def test_a_fact_is_computed_once() -> None:
    word = Word("add")
    assert length.known(word) is None
    assert length(word) is length(word)
    assert length.known(word) == (3,)
    check_computed("length of add")


def test_a_fact_is_kept_for_its_last_inputs() -> None:
    word, first, second = Word("add"), "1", "2"
    assert [with_prefix(word, prefix) for prefix in (first, first, second, first)] == [
        "1add",
        "1add",
        "2add",
        "1add",
    ]
    check_computed("1 add", "2 add", "1 add")


def test_an_equal_fact_is_the_one_before_the_edit() -> None:
    before = Word("add")
    known = length(before)
    assert length(Word("sub").replacing(before)) is known
    assert length(Word("sub")) is not known


def test_what_is_made_of_equal_facts_is_not_computed_again() -> None:
    first, second = Word("add"), Word("ret")
    before = Sentence(first, second)
    known = total(before)
    check_computed("length of add", "length of ret", "total")
    after = Sentence(Word("sub").replacing(first), second).replacing(before)
    assert total(after) is known
    check_computed("length of sub")
    last = Sentence(Word("mad").replacing(first), Word("exit").replacing(second)).replacing(after)
    assert total(last) == (7,)
    check_computed("length of mad", "length of exit", "total")


def test_facts_of_several_edits_are_compared_with_the_last_that_was_computed() -> None:
    first = Word("add")
    known = length(first)
    unread = Word("subtract").replacing(first)
    assert length(Word("sub").replacing(unread)) is known


def test_a_stale_fact_is_found() -> None:
    word, sentence = Word("add"), Sentence(Word("add"))
    length(word), total(sentence)
    check_facts(is_on=True)
    assert length(word) == (3,)
    assert total(sentence) == (3,)
    word.text = "bar.sync"
    sentence.words = (Word("bar.sync"),)
    with pytest.raises(StaleFactError, match="length"):
        length(word)
    with pytest.raises(StaleFactError, match="total"):
        total(sentence)


class Large(Node):
    """A value of which few should be in memory."""

    __slots__ = ("__weakref__",)


def test_a_recent_fact_drops_an_old_value_before_it_computes_a_new_one() -> None:
    alive: WeakSet[Large] = WeakSet()
    numbers = []

    @recent_fact(2)
    def large(_word: Word) -> Large:
        numbers.append(len(alive))
        value = Large()
        alive.add(value)
        return value

    words = [Word("a"), Word("b"), Word("c"), Word("d")]
    for word in words:
        large(word)
    assert numbers == [0, 1, 1, 1]
    assert [large.known(word) is not None for word in words] == [False, False, True, True]
    large(words[2])
    assert len(numbers) == len(words)
