"""Patterns that are compiled when they are first used."""

import re

import pytest

from ptx_ls.source.patterns import LazyPattern

TEXTS = ("", "a1", "xa1b22", "A1", "b\n22")
PLACES = ((), (1,), (1, 4), (0, 2), (9,))


def check_pattern(text: str, flags: int = 0) -> None:
    """Checks that every method answers as that of the compiled expression."""
    lazy, compiled = LazyPattern(text, flags), re.compile(text, flags)
    for within in TEXTS:
        for place in PLACES:
            for name in ("match", "fullmatch", "search"):
                found = getattr(lazy, name)(within, *place)
                expected = getattr(compiled, name)(within, *place)
                assert _shown(found) == _shown(expected)
            assert lazy.findall(within, *place) == compiled.findall(within, *place)
            found, expected = (each.finditer(within, *place) for each in (lazy, compiled))
            assert list(map(_shown, found)) == list(map(_shown, expected))
        for count in (0, 1):
            assert lazy.sub("<>", within, count) == compiled.sub("<>", within, count)
            assert lazy.sub(_upper, within, count) == compiled.sub(_upper, within, count)


def _shown(match: re.Match[str] | None) -> tuple[object, ...] | None:
    return match and (match.span(), match.groups())


def _upper(match: re.Match[str]) -> str:
    return match[0].upper()


def test_each_method_answers_as_the_compiled_expression() -> None:
    check_pattern(r"[a-z]\d")
    check_pattern(r"([a-z])(\d+)?")
    check_pattern(r"(?P<letter>[a-z])$")


def test_flags() -> None:
    check_pattern(r"a\d", re.IGNORECASE)
    check_pattern(r"^.22", re.MULTILINE | re.DOTALL)


def test_it_is_compiled_at_its_first_use_and_then_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    compiled: list[str] = []
    compile_ = re.compile

    def count(text: str, flags: int = 0) -> re.Pattern[str]:
        compiled.append(text)
        return compile_(text, flags)

    monkeypatch.setattr(re, "compile", count)
    search = LazyPattern("a").search
    assert not compiled
    assert search("ba")
    assert search("bb") is None
    assert compiled == ["a"]
