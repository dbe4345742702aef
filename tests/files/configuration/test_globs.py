"""Patterns of an `.editorconfig` match according to its specification, in linear time."""

import re

import pytest
from editorconfig.fnmatch import fnmatchcase
from hypothesis import example, given
from hypothesis import strategies as st

from ptx_ls.files.configuration.globs import Glob
from ptx_ls.files.configuration.matching import MatchedPath


def check_glob(pattern: str, matched: str, others: str) -> None:
    """Checks which paths, separated by blanks, a pattern matches."""
    glob = Glob(pattern)
    both = [*matched.split(), *others.split()]
    assert [it for it in both if glob.matches(MatchedPath(f"/{it}"))] == matched.split()


# These are the cases of the tests that all programs for `.editorconfig` share.
@pytest.mark.parametrize(
    ("pattern", "matched", "others"),
    [
        ("a*e.c", "ace.c ae.c abcde.c", "a/e.c"),
        ("Bar/*", "Bar/foo.txt Bar/.editorconfig", "Bar x/Bar/foo.txt"),
        ("*", ".editorconfig a/b", ""),
        ("som?.c", "some.c", "som.c something.c som/.c"),
        (r"[\]].g", "].g", "a.g"),
        (r"[b]].g", "b].g", "b.g ].g"),
        (r"[!\]].g", "c.g", "].g"),
        ("[!b]].g", "c].g", "b].g c.g"),
        ("[ab].a", "a.a", "c.a"),
        ("[!ab].b", "c.b", "a.b"),
        ("[d-g].c", "f.c", "h.c"),
        ("[!d-g].d", "h.d", "f.d"),
        ("[abd-g].e", "e.e", "c.e"),
        ("[-ab].f", "-.f a.f", "c.f"),
        ("ab[e/]cd.i", "ab[e/]cd.i", "ab/cd.i abecd.i"),
        ("ab[/c", "ab[/c", "ab/c"),
        ("*.{py,js,html}", "test.py test.js test.html", "test.pyc"),
        ("{single}.b", "{single}.b", ".b single.b"),
        ("{}.c", "{}.c", ".c"),
        ("a{b,c,}.d", "a.d ab.d ac.d", "a,.d"),
        ("a{,b,,c,}.e", "a.e ab.e ac.e", "a,.e"),
        ("{.f", "{.f", ".f"),
        ("{word,{also},this}.g", "word.g {also}.g this.g", "word,this}.g {also,this}.g"),
        ("{{a,b},c}.k", "a.k b.k c.k", "{{a,b},c}.k {a,b}.k"),
        ("{a,{b,c}}.l", "a.l b.l c.l", "{a,{b,c}}.l {b,c}.l"),
        ("{},b}.h", "{},b}.h", "{}.h b.h"),
        ("{{,b,c{d}.i", "{{,b,c{d}.i", "{.i b.i c{d.i .i"),
        (r"{a\,b,cd}.txt", "a,b.txt cd.txt", "a.txt"),
        (r"{e,\},f}.txt", "e.txt }.txt f.txt", ".txt"),
        (r"{g,\\,i}.txt", r"g.txt \.txt i.txt", ".txt"),
        (
            "{some,a{*c,b}[ef]}.j",
            "some.j abe.j abf.j ace.j acf.j abce.j abcf.j",
            "abg.j acg.j abcg.j ae.j .j",
        ),
        ("{3..120}", "3 15 60 120", "1 5a 121 060"),
        ("{aardvark..antelope}", "{aardvark..antelope}", "a aardvark agreement antelope"),
        ("a**z.c", "a/z.c amnz.c am/nz.c a/mnz.c amn/z.c a/mn/z.c", "b/z.c"),
        ("b/**z.c", "b/z.c b/mnz.c b/mn/z.c", "bmnz.c bm/nz.c bmn/z.c"),
        ("c**/z.c", "c/z.c cmn/z.c c/mn/z.c", "cmnz.c cm/nz.c c/mnz.c"),
        ("d/**/z.c", "d/z.c d/mn/z.c", "dmnz.c dm/nz.c d/mnz.c dmn/z.c"),
        ("/top.c", "top.c", "a/top.c"),
        ("sub/*.c", "sub/a.c", "a.c x/sub/a.c"),
        ("sub/", "", "sub sub/a"),
        (r"test\;.c", "test;.c", "test.c"),
        ("中文.txt", "中文.txt a/中文.txt", "文.txt"),
    ],
)
def test_what_a_pattern_matches(pattern: str, matched: str, others: str) -> None:
    check_glob(pattern, matched, others)


PATHS = st.text("ab/,.1", max_size=8)


@given(st.text(r"ab*?/[]!-{},.1\ ", max_size=10), PATHS)
@example("{a,b}", "a")
@example("[a-]", "-")
@example("a{b,{a,b}*}/**/a", "ab/a")
def test_as_another_implementation(pattern: str, path: str) -> None:
    """The library is right where the pattern has none of what it reads in its own way."""
    is_odd = re.search(r"/\*\*/\*|\*\*\*|\[[^\]]*(?:$|/)|\[\W*\]|\\|-|[{}]|\.\.|\]", pattern)
    if is_odd and not re.fullmatch(r"[ab*?/.]*(?:\{[ab*?.]*,[ab*?,.]*\}[ab*?/.]*)*", pattern):
        return
    anchored = f"/{pattern.removeprefix('/')}" if "/" in pattern else f"/**/{pattern}"
    assert Glob(pattern).matches(MatchedPath(f"/{path}")) == fnmatchcase(f"/{path}", anchored)


@given(st.integers(-2000, 2000), st.integers(-2000, 2000), st.integers(-2100, 2100))
@example(0, 0, 0)
@example(-1, 10, 0)
@example(999_999_998, 999_999_999, 999_999_999)
def test_numbers(least: int, most: int, number: int) -> None:
    found = Glob(f"{{{least}..{most}}}").matches(MatchedPath(f"/{number}"))
    assert found == (least <= number <= most)
    assert not Glob(f"{{{least}..{most}}}").matches(MatchedPath(f"/0{number}"))


LONG = "a" * 250
NASTY = [
    "*a" * 500 + "b",
    "?" * 1000,
    "**/" * 340,
    "**a" * 340,
    "{a,b}" * 200,
    "{" * 500 + "a" + ",b}" * 170,
    "{a," * 250 + "}" * 250,
    "{" * 512 + "}" * 512,
    "[" * 1000,
    "[" * 500 + "]" + "/" + "[" * 500,
    "[a-" * 340,
    "\\" * 1023,
    "{1..999999999}" * 70,
    "{-999999999..999999999}" * 44,
    "{*,?,**,[a-z],{a,*b}}" * 48,
    "[!" * 510,
    "{a*,b*}*" * 128,
    "," * 1000,
    "}" * 1000,
    "{" * 1000,
    "a/**/" * 200,
]


@pytest.mark.parametrize("pattern", NASTY, ids=range(len(NASTY)))
def test_work_grows_with_the_length_only(pattern: str) -> None:
    """An attempt for each combination of places would not end in the time of all tests."""
    path = MatchedPath("/" + f"{LONG}/" * 15 + f"{LONG}b.ptx")
    Glob(pattern).matches(path)
    Glob(f"*{pattern}*").matches(path)
