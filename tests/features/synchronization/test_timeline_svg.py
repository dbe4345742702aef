"""The picture of the synchronisation of a function."""

from __future__ import annotations

from xml.etree import ElementTree as ET

from ptx_ls.document.document import Document
from ptx_ls.features.synchronization.outline import outlines
from ptx_ls.features.synchronization.timeline_svg import svg
from tests.features.synchronization.kernels import HEAD, SPECIALISED

SVG = "{http://www.w3.org/2000/svg}"


def check_picture(body: str, name: str = "k") -> ET.Element:
    """Returns the picture of a kernel."""
    head = HEAD.replace(".entry k(", f".entry {name}(")
    (found,) = outlines(Document.read(f"{head}{body}\nret;\n}}\n"))
    root = ET.fromstring(svg(found))  # noqa: S314  our own output
    width, height = (float(root.attrib[each]) for each in ("width", "height"))
    for each in root.iter():
        for key, most in (("x", width), ("cx", width), ("y", height), ("cy", height)):
            assert 0 <= float(each.get(key, "0")) <= most
    return root


def texts(root: ET.Element, kind: str) -> list[str]:
    """Returns the texts of a class."""
    found = (each for each in root.iter(f"{SVG}text") if each.get("class", "").startswith(kind))
    return [each.text or "" for each in found]


def test_lanes() -> None:
    root = check_picture(SPECIALISED)
    assert texts(root, "head") == ["warp 0", "warps 1 to 3", "full", "empty", "TMA"]
    bars = [each for each in root.iter(f"{SVG}rect") if "bar" in each.get("class", "")]
    (copy,) = bars
    rows = [each for each in root.iter(f"{SVG}g") if each.get("class") == "block"]
    assert len(rows) == 8
    y = {
        each.findtext(f"{SVG}title", "").partition(",")[0]: float(each[1].attrib["y"])
        for each in rows
    }
    opcode = "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes"
    assert y[opcode] < float(copy.attrib["y"]) < y[opcode] + 24


def test_work_from_an_earlier_iteration() -> None:
    root = check_picture(
        "L: cp.async.wait_group 0;\ncp.async.ca.shared.global [tile], [%rd1], 16;\n"
        "cp.async.commit_group;\n@%p1 bra L;"
    )
    assert texts(root, "head") == ["all threads", "copy unit"]
    bars = [each.get("class") for each in root.iter(f"{SVG}rect")]
    assert bars.count("bar") == bars.count("bar carried") == 1
    assert bars.count("loop") == 1


def test_names_are_escaped_and_cut() -> None:
    root = check_picture("bar.sync 0;", name="a" * 200)
    (title,) = texts(root, "title")
    assert len(title) < 130
    assert root.findtext(f"{SVG}title") == "a" * 200
