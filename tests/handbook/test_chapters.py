"""Chapters: their pages, their pictures, and the links to them."""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest

from ptx_ls.handbook import search
from ptx_ls.handbook.chapters.conversion_table import TYPES, is_conversion
from ptx_ls.handbook.chapters.figures import figure
from ptx_ls.handbook.chapters.links import with_chapters
from ptx_ls.handbook.chapters.matrix_pictures import placement
from ptx_ls.handbook.lookup import describe
from ptx_ls.handbook.markdown import block_markdown, markdown
from ptx_ls.isa import database
from ptx_ls.isa.chapters import Chapter
from ptx_ls.isa.matrices.swizzle import swizzles
from ptx_ls.toolchain import ptxas
from tests.isa.test_examples import HEADERS, check_errors, module

_CODE = re.compile(r"^```ptx\n(.*?)^```", re.DOTALL | re.MULTILINE)
_LINK = re.compile(r"\]\(([a-z][\w-]*)\)")
CHAPTERS = [pytest.param(each, id=each.name) for each in database().chapters.values()]


def check_figure(text: str, expected: str) -> None:
    """Compares a picture, without its first lines if fewer are expected."""
    drawn = "".join(map(block_markdown, figure(text))).splitlines()[1:-1]
    lines = expected.strip().splitlines()
    assert [line.split() for line in drawn[-len(lines) :]] == [line.split() for line in lines]


def codes(chapter: Chapter) -> list[str]:
    """All PTX of a chapter: its listings, and the threads of its litmus tests."""
    found = [code for part in chapter.parts for code in _CODE.findall(part.text + part.note)]
    return found + [thread for part in chapter.parts for thread in part.threads]


def as_module(code: str, version: str, target: str) -> str:
    """A module with a listing, which may be a function, variables or statements."""
    names = sorted(set(re.findall(r"\b(x|y|data|flag|first|second)\]", code)))
    variables = "".join(f".global .align 8 .u32 {name};\n" for name in names)
    if code.startswith((".func", ".global")):
        head = f".version {version}\n.target {target}\n.address_size 64\n"
        return f"{head}{code}"
    whole = module(code, version, target)
    return whole.replace(".entry kernel", f"{variables}.entry kernel", 1)


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_page_has_every_part_and_its_links_lead_to_pages(chapter: Chapter) -> None:
    (entry,) = describe(chapter.name)
    page = markdown(entry.page)
    assert entry.kind == "chapter"
    assert page.startswith(f"# {chapter.title}\n\n**{chapter.summary}**")
    for part in chapter.parts:
        assert f"## {part.title}\n" in page
        known = database().opcodes | database().chapters.keys()
        assert {*_LINK.findall(part.text + part.note)} <= known


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_names_that_it_explains_exist(chapter: Chapter) -> None:
    for name in chapter.explains:
        assert describe(name)
    assert all(chapter.name in str(describe(name)[0].as_data()) or name.startswith(".")
               for name in chapter.explains)  # fmt: skip


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_code_is_legal(chapter: Chapter) -> None:
    for code in codes(chapter):
        errors = [check_errors(as_module(code.strip() + "\n", *header)) for header in HEADERS]
        assert [] in errors, (code, errors[0])


@pytest.mark.ptxas
def test_ptxas_accepts_all_code(tmp_path: Path) -> None:
    program = ptxas.find()
    if program is None:
        if os.environ.get("CI") == "true":
            pytest.fail("no ptxas")
        pytest.skip(f"no ptxas: {ptxas.INSTALL_HINT}")
    source = tmp_path / "listing.ptx"
    for chapter in database().chapters.values():
        for code in codes(chapter):
            source.write_text(as_module(code.strip() + "\n", *HEADERS[0]))
            messages = ptxas.run(program, source, HEADERS[0][1]).messages
            assert [each.text for each in messages if each.is_error] == [], code


def test_swizzling_of_64_bytes() -> None:
    check_figure(
        "swizzle: 64 bytes",
        """
        place   0 1 2 3 4 5 6 7
        line 0  0 1 2 3 4 5 6 7
        line 1  1 0 3 2 5 4 7 6
        line 2  2 3 0 1 6 7 4 5
        line 3  3 2 1 0 7 6 5 4
        """,
    )


def test_swizzling_with_32_bytes_at_a_time() -> None:
    check_figure(
        "swizzle: 128 bytes, 32 at a time",
        """
        line 1  2 3 0 1 6 7 4 5
        line 2  4 5 6 7 0 1 2 3
        line 3  6 7 4 5 2 3 0 1
        """,
    )


def test_every_mode_keeps_its_unit_and_undoes_itself() -> None:
    for mode in swizzles():
        places = [mode.apply(offset) for offset in range(mode.repeat)]
        assert sorted(places) == list(range(mode.repeat))
        assert all(mode.apply(place) == offset for offset, place in enumerate(places))
        assert all(
            places[start + byte] == places[start] + byte
            for start in range(0, mode.repeat, mode.atom)
            for byte in range(mode.atom)
        )


@pytest.mark.parametrize(
    ("major", "mode", "expected"),
    [
        # Offsets of elements in the manual's examples of canonical layouts, times their size.
        ("K-major", "none", {(1, 0): 4 * 4, (8, 0): 64 * 4, (0, 1): 32 * 4}),
        ("K-major", "32 bytes", {(1, 0): 8 * 4, (8, 0): 64 * 4, (0, 1): 4 * 4}),
        ("MN-major", "none", {(1, 0): 8 * 2, (8, 0): 128 * 2, (0, 1): 64 * 2}),
        ("MN-major", "32 bytes", {(1, 0): 16 * 2, (8, 0): 256 * 2, (0, 1): 8 * 2, (0, 2): 128 * 2}),
        ("MN-major", "64 bytes", {(1, 0): 32 * 2, (8, 0): 512 * 2, (0, 4): 256 * 2}),
    ],
)
def test_places_of_the_manual(major: str, mode: str, expected: dict[tuple[int, int], int]) -> None:
    found = placement(major, mode)
    assert {place: found.offset(*place) for place in expected} == expected


def test_no_two_units_of_a_matrix_share_a_place() -> None:
    for major in ("K-major", "MN-major"):
        for mode in ("none", "32 bytes", "64 bytes", "128 bytes"):
            found = placement(major, mode)
            width = 2 if not found.mode.bits else (1 if found.is_k_major else 2) << found.mode.bits
            places = {found.offset(outer, inner) for outer in range(16) for inner in range(width)}
            assert places == set(range(0, 16 * width * 16, 16))


def test_descriptors() -> None:
    found = placement("K-major", "64 bytes")
    descriptor = found.descriptor("wgmma", 0x12340)
    assert descriptor & 0x3FFF == 0x1234
    assert descriptor >> 32 & 0x3FFF == 512 // 16
    assert descriptor >> 62 == 2
    descriptor = found.descriptor("tcgen05", 0x12340)
    assert descriptor >> 46 & 0b111 == 1
    assert descriptor >> 61 == 4


def test_box_over_the_edge() -> None:
    check_figure(
        "box: tensor 4x3, box 3x2 at 2-2, step 1",
        """
        0  ····
        1  ····
        2  ··##o
        3    ooo
        """,
    )


def test_traversal_stride_skips_rows() -> None:
    check_figure("box: tensor 3x4, box 2x4 at 0-0, step 2", "0 ##·\n1 ···\n2 ##·\n3 ···")


def test_gathered_rows() -> None:
    check_figure(
        "rows: tensor 4x3, width 2 at 1, rows 2 0 1 7",
        "0 ·11· row 1 of the box\n1 ·22· row 2 of the box\n2 ·00· row 0 of the box",
    )


def test_im2col_wraps_at_the_end_of_the_box() -> None:
    check_figure(
        "im2col: image 3x2, corners 0 -1, offsets 1 0, start 1 0, pixels 3",
        """
        -1
        0  · · 0
        1  · 1 2
        2
        """,
    )


def test_pixels_outside_of_the_image_are_filled() -> None:
    check_figure(
        "im2col: image 2x1, corners -1 0, offsets 0 0, start -1 0, pixels 3",
        "-1\n0 (0) 1 2\n1",
    )


def test_conversions_need_what_the_manual_says() -> None:
    assert is_conversion(".s32", ".f32", ".rzi")
    assert not is_conversion(".s32", ".f32")
    assert not is_conversion(".f32", ".s32")
    assert is_conversion(".f64", ".f32")
    assert not is_conversion(".f64", ".f32", ".rn")
    assert all(
        any(is_conversion(result, source, *rounding) for rounding in ((), (".rz",), (".rzi",)))
        for result in TYPES
        for source in TYPES
    )


def test_hovers_link_to_chapters_about_these_modifiers() -> None:
    assert "/isa/memory-model)" in with_chapters("", "ld", (".acquire", ".gpu", ".u32"))
    assert with_chapters("", "ld", (".global", ".u32")) == ""
    assert with_chapters("manual", "add", (".u32",)) == "manual"
    assert "/isa/abi)" in with_chapters("", ".func")


@pytest.fixture(scope="module")
def searched() -> list[search.Searched]:
    return [*search.pages()]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("words", "name"),
    [
        ("memory consistency model", "memory-model"),
        ("memory model", "memory-model"),
        ("swizzling modes", "swizzle"),
        ("tensor map", "tensors"),
        ("im2col", "tensors"),
        ("texturing", "texture-modes"),
        ("descriptors", "matrix-descriptors"),
        ("variadic", "abi"),
        ("calling convention", "abi"),
        ("constant expression", "constant-expressions"),
        ("type conversion", "conversions"),
    ],
)
def test_a_chapter_is_the_first_page_with_its_words(
    words: str, name: str, searched: list[search.Searched]
) -> None:
    assert search.found(words, searched)[0].name == name


@pytest.mark.parametrize(
    ("name", "modifiers", "expected"),
    [
        ("fence", ("acq_rel", "gpu"), ["memory-model"]),
        ("ld", ("global", "u32"), []),
        ("ld", ("acquire", "gpu", "global", "u32"), ["memory-model"]),
        ("st", ("async", "b32"), ["memory-model"]),
        ("st", ("param", "b32"), ["abi"]),
        ("bar", ("sync",), ["memory-model"]),
        ("cp", ("reduce", "async", "bulk", "tensor", "2d"), ["swizzle", "tensors"]),
        ("cp", ("async", "bulk", "shared::cta", "global"), []),
        ("wgmma", ("mma_async", "sync", "aligned"), ["matrix-descriptors", "swizzle"]),
        ("tex", ("2d", "v4"), ["texture-modes"]),
        ("cvt", ("rn", "f16", "f32"), ["conversions"]),
        (".callprototype", None, ["abi"]),
        (".noreturn", None, ["abi"]),
        (".samplerref", None, ["texture-modes"]),
    ],
)
def test_chapters_of_an_instruction(
    name: str, modifiers: tuple[str, ...] | None, expected: list[str]
) -> None:
    found = with_chapters("", name, modifiers)
    assert re.findall(r"/isa/([\w-]+)\)", found) == expected
