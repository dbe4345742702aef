"""The style sheet of a flow graph, with variables that a viewer may set."""

from __future__ import annotations

from typing import Final

from ptx_ls.features.svg_palette import (
    BLUE,
    DARK_BLUE,
    GREEN,
    GREY,
    PURPLE,
    RED,
    YELLOW,
    SvgPalette,
)

_PALETTE: Final = SvgPalette(
    "cfg",
    {
        "box": ("#f6f8fa", "#2a2a2b"),
        "border": GREY,
        "plain": BLUE,
        "taken": GREEN,
        "otherwise": RED,
        "case": YELLOW,
        "loop": PURPLE,
        "opcode": DARK_BLUE,
        "guard": ("#953800", "#ffa657"),
    },
)

KINDS: Final = ("plain", "taken", "otherwise", "case")
"""Colours of links."""


def style() -> str:
    """Returns the style sheet. Viewers without variables show the light colours."""
    use = _PALETTE.use
    rules = [
        *_PALETTE.rules(),
        f".cfg .box{{{use('fill', 'box')}{use('stroke', 'border')}}}",
        f".cfg .tint{{{use('fill', 'loop')}fill-opacity:.09}}",
        f".cfg .bar,.cfg .loop{{{use('fill', 'loop')}}}",
        f".cfg .end{{{use('fill', 'ink')}}}",
        f".cfg .rule{{{use('stroke', 'border')}stroke-opacity:.5}}",
        ".cfg .name{font-weight:bold}.cfg .title{font-size:15px;font-weight:bold}",
        f".cfg .guard{{{use('fill', 'guard')}}}",
        f".cfg .opcode{{{use('fill', 'opcode')}}}",
        ".cfg .flow{font-weight:bold}",
        ".cfg .dead{opacity:.5}.cfg .dead .box{stroke-dasharray:4 3}",
        f".cfg .part{{{use('fill', 'case')}fill-opacity:.14}}",
        ".cfg .link{fill:none;stroke-width:1.5}.cfg .back{stroke-width:2.6}",
    ]
    for kind in KINDS:
        rules.append(f".cfg .link.{kind}{{{use('stroke', kind)}}}")
        rules.append(f".cfg .of-{kind}{{{use('fill', kind)}}}")
    rules.append(
        f".cfg .link.back{{{use('stroke', 'loop')}}}.cfg .of-back{{{use('fill', 'loop')}}}"
    )
    return "".join(rules)
