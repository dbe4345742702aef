"""Patterns match the same paths as those of the library, in linear time."""

import re
import warnings

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from pathspec import GitIgnoreSpec

from ptx_ls.files.configuration.git_patterns import spec_of

PATTERNS = st.text("ab*?/![]^-\\. ", max_size=12)
PATHS = st.text("ab/.", min_size=1, max_size=12)


def check_alike(pattern: str, path: str) -> None:
    """Checks that a pattern is decided as the library does, or is invalid for both."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", FutureWarning)
        try:
            expected = GitIgnoreSpec.from_lines([pattern]).check_file(path).include
        except (ValueError, re.error) as error:
            with pytest.raises(type(error)):
                spec_of([pattern])
            return
        assert spec_of([pattern]).check_file(path).include is expected


@given(PATTERNS, PATHS)
@example("*a*b", "aab")
@example("*ab*b", "aabb")
@example("*a*/b*a*a", "ba/baa")
@example("**/*a*b*/**", "a/aab/b")
@example("*[^/]*b", "ab")
@example("*[]*]*b", "*b")
@example("*?*?*b", "aab")
def test_any_pattern(pattern: str, path: str) -> None:
    check_alike(pattern, path)


@given(st.text("ab*?", max_size=10), st.text("ab", min_size=1, max_size=10))
def test_names_with_many_stars(pattern: str, path: str) -> None:
    check_alike(pattern, path)


NAMES = st.sampled_from(["a", "b", "ab", "*", "a*", "*b", "*a*b", "?", "**", "**"])


@given(st.lists(NAMES, min_size=1, max_size=8), st.lists(st.text("ab", min_size=1, max_size=3)))
@example(["**", "a", "**", "b"], ["a", "a", "b", "c"])
@example(["a", "**", "*b", "a", "**", "b", "**"], ["a", "b", "ab", "a", "b", "b"])
def test_patterns_with_many_folders(pattern: list[str], path: list[str]) -> None:
    for end in ("", "/"):
        check_alike("/".join(pattern) + end, "/".join(path or "a") + end)
        check_alike("/" + "/".join(pattern) + end, "/".join(path or "a") + end)


def test_a_pattern_with_many_folders_and_a_deep_path() -> None:
    for start in ("", "a/"):
        assert spec_of([f"{start}{'**/a/' * 30}b"]).check_file("a/" * 100 + "c").include is None


def test_a_pattern_with_many_stars_and_a_long_name() -> None:
    assert spec_of(["*a" * 50 + "b"]).check_file("a" * 255).include is None
