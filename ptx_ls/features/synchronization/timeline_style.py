"""The style sheet of a timeline, with variables that a viewer may set."""

from __future__ import annotations

from typing import Final

from ptx_ls.features.svg_palette import SvgPalette

_PALETTE: Final = SvgPalette(
    "sync",
    {
        "paper": ("#ffffff", "#1e1e1e"),
        "ink": ("#1f2328", "#d4d4d4"),
        "muted": ("#656d76", "#9198a1"),
        "line": ("#d0d7de", "#3d444d"),
        "thread": ("#0550ae", "#79c0ff"),
        "object": ("#8250df", "#bc8cff"),
        "work": ("#1a7f37", "#56d364"),
        "barrier": ("#cf222e", "#ff7b72"),
        "fence": ("#9a6700", "#e3b341"),
        "loop": ("#8c959f", "#6e7681"),
    },
)


def style() -> str:
    """Returns the style sheet. Viewers without variables show the light colours."""
    use = _PALETTE.use
    rules = [
        *_PALETTE.rules(),
        ".sync .hit{fill-opacity:0}",
        f".sync .paper{{{use('fill', 'paper')}}}",
        ".sync .title{font-size:15px;font-weight:bold}.sync .head{font-weight:bold}",
        f".sync .muted{{{use('fill', 'muted')}}}",
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
