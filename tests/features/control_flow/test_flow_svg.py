"""Pictures of flow graphs: their blocks, links, texts and look."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING
from xml.etree import ElementTree as ET

import pytest

from ptx_ls.document.document import Document
from ptx_ls.features.control_flow.chains import chains
from ptx_ls.features.control_flow.flow_svg import WINDOW, NoPictureError, svg
from ptx_ls.features.control_flow.flow_text import flow_at, flow_of
from ptx_ls.features.control_flow.layered.layout import Size
from ptx_ls.semantics.analysis import Analysis
from ptx_ls.source import Position
from tests.support.fixture import parse_fixture

if TYPE_CHECKING:
    from collections.abc import Callable

CORPUS = Path(__file__).parents[2] / "corpus"
SPACE = "{http://www.w3.org/2000/svg}"
LOOP = """\
.visible .entry _Z4loopv()
{
  .reg .pred %p<9>;
  @%p1 bra END;<|>
HEAD: add.u32 %r1, %r1, 1; // one more
  call f, ();
INNER:
  @!%p2 bra INNER;
  @%p3 exit;
  @%p4 bra HEAD;
END:
  ret;
  trap;
}
"""


class Picture:
    """The contents of the picture: blocks by number, and links with their texts."""

    def __init__(self, text: str) -> None:
        self.text = text
        root = ET.fromstring(text)  # noqa: S314  of our own making
        self.blocks = [it for it in root.iter(f"{SPACE}g") if it.get("data-block")]
        self.links = [
            f"{it.get('data-from')}-{it.get('data-to')} "
            f"{(it.get('class') or '').removeprefix('link ')}: {it.findtext(f'{SPACE}title')}"
            for it in root.iter(f"{SPACE}path")
            if it.get("data-from")
        ]
        self.words = {"".join(it.itertext()) for it in root.iter(f"{SPACE}text")}

    def texts(self, number: int) -> list[str]:
        """The texts of a block, without its tip."""
        return ["".join(it.itertext()) for it in self.blocks[number].iter(f"{SPACE}text")]


def check_svg(marked: str, *, should_stop: Callable[[], bool] = lambda: False) -> Picture:
    """Draws the function at `<|>`, and checks what holds of every picture."""
    fixture = parse_fixture(marked)
    flow = flow_at(Analysis(Document.read(fixture.text)), fixture.cursor)
    assert flow is not None
    text = svg(flow, should_stop)
    assert text == svg(flow, should_stop)
    assert not re.search(r"<script|<image|<a\b|href|@import|url\((?!#)|style=|\son\w+=", text)
    picture = Picture(text)
    boxed = chains(flow).chains
    assert [int(it.get("data-block", "")) for it in picture.blocks] == list(range(len(boxed)))
    n_joined = len(flow.graph.blocks) - len(boxed)
    n_links = sum(len(it.successors) for it in flow.graph.blocks)
    assert len(picture.links) == n_links - n_joined
    return picture


def test_links_say_when_they_are_taken() -> None:
    picture = check_svg(LOOP)
    assert picture.links == [
        "0-1 otherwise: falls through @!%p1",
        "0-5 taken: branch taken @%p1",
        "1-2 plain: always",
        "2-3 otherwise: falls through @%p2",
        "2-2 taken back: branch taken @!%p2",
        "3-4 otherwise: falls through @!%p3",
        "4-5 otherwise: falls through @!%p4",
        "4-1 taken back: branch taken @%p4",
    ]
    assert {"@%p1", "@!%p1", "@!%p2", "7 blocks, 2 loops", "loop()"} < picture.words


def test_blocks_tell_lines_loops_and_dead_code() -> None:
    picture = check_svg(LOOP)
    assert picture.texts(1) == [
        *("HEAD", "lines 5\N{EN DASH}6", "loop of 4 blocks"),
        *("5", "add.u32 %r1, %r1, 1;", "6", "call f, ();"),
    ]
    assert picture.texts(2)[2] == "loop of this block, depth 2"
    dead = picture.blocks[6]
    assert dead.get("class") == "block dead"
    assert "unreachable" in picture.texts(6)
    assert (dead.get("data-first"), dead.get("data-last")) == ("12", "12")
    ends = [bool(it.findall(f"{SPACE}rect[@class='end']")) for it in picture.blocks]
    assert ends == [False, False, False, True, False, True, True]


def test_blocks_of_part_of_a_warp_are_tinted() -> None:
    picture = check_svg(
        """
        .visible .entry k(.param .u32 n)
        {
          .reg .pred %p<3>;
          .reg .b32 %r<3>;
          mov.u32 %r1, %laneid;<|>
          setp.eq.u32 %p1, %r1, 0;
          @!%p1 bra NEXT;
          add.u32 %r2, %r1, 1;
        NEXT:
          atom.shared.add.u32 %r2, [0], 1;
          setp.eq.u32 %p1, %r2, 0;
          @!%p1 bra LAST;
          add.u32 %r2, %r1, 1;
        LAST:
          add.u32 %r2, %r1, 2;
          ret;
        }
        """
    )
    tints = [bool(it.findall(f"{SPACE}rect[@class='part']")) for it in picture.blocks]
    assert tints == [False, True, False, False, False]
    assert "part of a warp, by %laneid" in picture.texts(1)
    assert "possibly part of a warp, by atom" in picture.texts(3)


def check_tinted_by_exit(condition: str, head: str = "", more: str = "") -> list[str]:
    """Returns the notes on the block that threads reach unless a condition lets them exit."""
    picture = check_svg(
        f"""
        .visible .entry k(.param .u32 n) {head}
        {{
          .reg .pred %p<3>;
          .reg .b32 %r<3>;
          mov.u32 %r1, %tid.x;
          ld.param.u32 %r2, [n];
          {more}<|>
          setp.{condition};
          @%p1 bra DONE;
          st.shared.u32 [0], %r1;
        DONE:
          ret;
        }}
        """
    )
    tints = [bool(it.findall(f"{SPACE}rect[@class='part']")) for it in picture.blocks]
    assert tints[0] is tints[2] is False
    return [text for text in picture.texts(1) if "part of a warp" in text]


def test_blocks_before_the_end_of_a_kernel_are_tinted() -> None:
    assert check_tinted_by_exit("gt.u32 %p1, %r1, 15", ".reqntid 256") == [
        "part of a warp, by %tid.x"
    ]
    assert check_tinted_by_exit("gt.u32 %p1, %r1, 15", ".maxntid 256") == [
        "part of a warp, by %tid.x"
    ]
    # In blocks of some shapes, but not in all.
    two_dimensions = "mov.u32 %r0, %tid.y; st.shared.u32 [4], %r0;"
    assert check_tinted_by_exit("gt.u32 %p1, %r1, 15", more=two_dimensions) == [
        "possibly part of a warp, by %tid.x"
    ]
    # Whole warps, and a limit that only the launch knows.
    assert check_tinted_by_exit("gt.u32 %p1, %r1, 63", ".reqntid 256") == []
    assert check_tinted_by_exit("lt.u32 %p1, %r1, 32") == []
    assert check_tinted_by_exit("ge.u32 %p1, %r1, %r2") == []


def test_branches_by_index_and_to_unknown_labels() -> None:
    picture = check_svg(
        ".entry k()\n{\nT: .branchtargets A,\n  B, // b\n  A;\n  brx.idx %r1, T;<|>\n"
        "A:\n  @%p bra NOWHERE;\nB:\n  ret;\n}\n"
    )
    assert picture.links == [
        "0-1 case: index 0, 2",
        "0-2 case: index 1",
        "1-2 otherwise: falls through @!%p",
    ]
    assert "branches to an unknown label" in picture.texts(1)
    assert picture.texts(0)[2:] == ["6", "brx.idx %r1, T;"]


def test_texts_are_escaped_and_cut() -> None:
    picture = check_svg(
        f'.entry k()\n{{<|>\n  .pragma "a<b>&\\"\x01";\n  add.u32 {"%long" * 30}, 1, 2;\n}}\n'
    )
    assert '.pragma "a<b>&\\" ";' in picture.words
    assert any(it.startswith("add.u32 %long") and len(it) == 52 for it in picture.words)


def test_of_long_blocks_the_ends_are_shown() -> None:
    body = "".join(f"  add.u32 %r1, %r1, {number};\n" for number in range(40))
    calls = "".join(f"  call (%r1), f{number}, (%r1);\n" for number in range(4))
    picture = check_svg(f".entry k()\n{{<|>\n{body}{calls}{body}}}\n")
    rows = picture.texts(0)[2:]
    assert "\N{HORIZONTAL ELLIPSIS} 68 more lines, calls f0, f1 and 2 more" in rows
    assert {"add.u32 %r1, %r1, 7;", "add.u32 %r1, %r1, 32;"} < set(rows)
    assert "add.u32 %r1, %r1, 20;" not in rows


@pytest.mark.slow
def test_a_large_function_and_one_that_is_too_large() -> None:
    body = "".join(f"L{number}:\n  @%p bra L{number - number % 9};\n" for number in range(2000))
    picture = check_svg(f".entry k()\n{{<|>\n{body}}}\n")
    assert picture.texts(1) == ["L0", "lines 3\N{EN DASH}4", "loop of 9 blocks"]
    body = "".join(f"L{number}:\n  bra L{number};\n" for number in range(3001))
    with pytest.raises(NoPictureError, match="3002 blocks are too many"):
        check_svg(f".entry k()\n{{<|>\n{body}}}\n")
    body = "".join(f"L{it}:\n  @%p bra L{min(it + 900, 1999)};\n" for it in range(2000))
    with pytest.raises(NoPictureError, match="too long"):
        check_svg(f".entry k()\n{{<|>\n{body}}}\n")


def test_work_that_is_stopped_is_a_picture_still() -> None:
    assert check_svg(LOOP, should_stop=lambda: True).links


def test_real_functions() -> None:
    for path in sorted(CORPUS.glob("handwritten/*.ptx")):
        document = Document.read(path.read_text("utf-8"))
        for index in range(document.n_leaves):
            flow = flow_of(document, index)
            if flow is not None:
                assert len(Picture(svg(flow)).blocks) == len(chains(flow).chains)


def test_a_jump_after_a_guarded_branch_is_shown_with_the_branch() -> None:
    picture = check_svg(
        """
        .visible .entry k()
        {
          .reg .pred %p<3>;
          .reg .b32 %r<3>;<|>
        HEAD:
          add.u32 %r1, %r1, 1;
          @%p1 bra THEN;
          bra.uni ELSE;
        THEN:
          @!%p2 bra DONE;
          bra.uni HEAD;
        ELSE:
          @%p2 bra DONE;
          bra.uni NEXT;
        NEXT:
          ret;
        DONE:
          ret;
        }
        """
    )
    assert picture.links == [
        "0-1 plain: always",
        "1-2 taken: branch taken @%p1",
        "1-3 otherwise: falls through @!%p1",
        "2-5 taken: branch taken @!%p2",
        "2-1 otherwise back: falls through @%p2",
        "3-5 taken: branch taken @%p2",
        "3-4 otherwise: falls through @!%p2",
    ]
    assert picture.texts(2)[-4:] == ["10", "@!%p2 bra DONE;", "11", "bra.uni HEAD;"]


def test_a_jump_that_does_more_or_that_others_reach_is_a_block() -> None:
    for jump in (
        "add.u32 %r1, %r1, 1;\nbra.uni DONE;",
        "OTHER: bra.uni DONE;",
        "bra.uni DONE;\nq:",
    ):
        picture = check_svg(
            f""".visible .entry k()
            {{
              .reg .pred %p<3>;
              .reg .b32 %r<3>;<|>
              @%p2 bra {"OTHER" if "OTHER" in jump else "THEN"};
              @%p1 bra THEN;
              {jump}
            THEN:
              add.u32 %r1, %r1, 1;
            DONE:
              ret;
            }}
            """
        )
        assert len(picture.blocks) == (4 if "q:" in jump else 5), jump


def test_a_straight_chain_is_one_block() -> None:
    picture = check_svg(
        """
        .entry k()
        {
          .reg .pred %p<3>;
          add.u32 %r1, %r1, 1;<|>
        UNUSED:
          add.u32 %r1, %r1, 2;
          bra NEXT;
        NEXT:
          add.u32 %r1, %r1, 3;
        HEAD:
          add.u32 %r1, %r1, 4;
        MIDDLE:
          @%p1 bra HEAD;
          ret;
        AFTER:
          ret;
        }
        """
    )
    assert picture.links == [
        "0-1 plain: always",
        "1-2 otherwise: falls through @!%p1",
        "1-1 taken back: branch taken @%p1",
    ]
    assert picture.texts(0)[:2] == ["entry", "lines 3\N{EN DASH}9"]
    assert picture.texts(0)[-2:] == ["9", "add.u32 %r1, %r1, 3;"]
    assert (picture.blocks[1].get("data-first"), picture.blocks[1].get("data-last")) == ("9", "12")


def test_the_header_is_wrapped_to_the_width_of_the_window() -> None:
    text = LOOP.replace("<|>", "").replace(
        "_Z4loopv", "_Z4loopILi1234567ELi1234567ELi1234567ELi1234567EEvv"
    )
    flow = flow_of(Document.read(text), 1)
    assert flow is not None
    whole, narrow = svg(flow), svg(flow, window=Size(300, 900))
    widths = [int(re.findall(r'width="(\d+)"', each)[0]) for each in (whole, narrow)]
    assert widths[1] < 300 / 0.65 < widths[0]
    places = r'class="muted" x="(\d+)" y="(\d+)">(always|branch taken|falls through|next iteration)'
    lines = [int(y) for _, y, _ in re.findall(places, narrow)]
    assert len(lines) == len(re.findall(places, whole)) == 4
    assert lines == sorted(lines)
    assert lines[0] < lines[-1]
    assert "1234567&gt;()</text>" in whole
    assert "\N{HORIZONTAL ELLIPSIS}</text>" in narrow


def test_a_picture_fits_into_a_window() -> None:
    body = "".join(
        f"L{it}:\n{'  add.u32 %r1, %r1, 1;' * 9}\n  @%p bra L{it + it % 4};\n" for it in range(15)
    )
    text = f".entry k()\n{{\n{body}L15: L16: L17: ret;\n}}\n"
    flow = flow_at(Analysis(Document.read(text)), Position(3, 0))
    assert flow is not None
    sizes = []
    for window in (None, Size(3000, 3000), WINDOW):
        found = re.search(r'width="(\d+)" height="(\d+)"', svg(flow, window=window))
        assert found is not None
        sizes.append(Size(float(found[1]), float(found[2])))
    assert sizes[0].height > 1.5 * WINDOW.height
    assert sizes[1] == sizes[0]
    assert sizes[2].height < 1.6 * WINDOW.height
    assert sizes[2].width < 1.6 * WINDOW.width


def test_blocks_without_instructions_name_them_to_a_reader_who_points_at_them() -> None:
    body = "".join(f"L{it}:\n  add.u32 %r1, %r1, {it};\n  @%p bra L{it + 2};\n" for it in range(30))
    text = f".entry k()\n{{\n{body}L30: L31: ret;\n}}\n"
    flow = flow_at(Analysis(Document.read(text)), Position(3, 0))
    assert flow is not None
    found = svg(flow, window=WINDOW)
    assert ">L3</text>" in found
    assert ">lines 12" not in found
    assert "L3, lines 12\N{EN DASH}14\nadd.u32 %r1, %r1, 3;\n@%p bra L5;</title>" in found
