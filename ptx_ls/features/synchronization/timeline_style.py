"""The style sheet of a timeline, with variables that a viewer may set."""

from __future__ import annotations

from typing import Final

from ptx_ls.features.svg_palette import DARK_BLUE, GREEN, GREY, PURPLE, RED, YELLOW, SvgPalette

_PALETTE: Final = SvgPalette(
    "sync",
    {
        "line": ("#d0d7de", "#3d444d"),
        "thread": DARK_BLUE,
        "object": PURPLE,
        "work": GREEN,
        "barrier": RED,
        "fence": YELLOW,
        "loop": GREY,
    },
)


def style() -> str:
    """Returns the style sheet. Viewers without variables show the light colours."""
    use = _PALETTE.use
    rules = [
        *_PALETTE.rules(),
        ".sync .hit{fill-opacity:0}",
        ".sync .title{font-size:15px;font-weight:bold}.sync .head{font-weight:bold}",
        f".sync .lane{{{use('stroke', 'line')}stroke-width:1.5}}",
        f".sync .rule{{{use('stroke', 'line')}stroke-opacity:.5}}",
        f".sync .loop{{{use('fill', 'loop')}{use('stroke', 'loop')}fill-opacity:.07}}",
        f".sync .bar{{{use('fill', 'work')}{use('stroke', 'work')}fill-opacity:.35}}",
        ".sync .carried{stroke-dasharray:3 3;fill-opacity:.15}",
        f".sync .wall{{{use('stroke', 'barrier')}stroke-width:5;stroke-linecap:round}}",
        f".sync .fence{{{use('fill', 'paper')}{use('stroke', 'fence')}stroke-width:2}}",
        f".sync .divided{{{use('fill', 'fence')}}}",
        ".sync .arrow{fill:none;stroke-width:1.5}.sync .perhaps{stroke-dasharray:4 3}",
    ]
    for kind in ("thread", "object", "work"):
        rules.append(f".sync .arrow.of-{kind}{{{use('stroke', kind)}}}")
        rules.append(f".sync .dot.of-{kind},.sync .tip.of-{kind}{{{use('fill', kind)}}}")
        rules.append(f".sync .head.of-{kind}{{{use('fill', kind)}}}")
    rules.append(
        f".sync .ring.of-object{{{use('fill', 'paper')}{use('stroke', 'object')}stroke-width:2}}"
    )
    return "".join(rules)
