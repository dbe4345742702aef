"""The style sheet of a timeline, with variables that a viewer may set."""

from __future__ import annotations

from typing import Final

_COLOURS: Final = {
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
}
"""Light and dark colours by name. The CSS variable of each begins with `--sync-`."""
_FONT: Final = "ui-monospace,'DejaVu Sans Mono',Menlo,Consolas,monospace"


def style() -> str:
    """Returns the style sheet. Viewers without variables show the light colours."""
    light, dark = (
        "".join(f"--sync-{name}:{pair[which]};" for name, pair in _COLOURS.items())
        for which in (0, 1)
    )
    rules = [
        f".sync{{{light}font-family:{_FONT};font-size:12px}}",
        f"@media (prefers-color-scheme:dark){{.sync{{{dark}}}}}",
        f".sync text{{{_use('fill', 'ink')}white-space:pre}}",
        ".sync .hit{fill-opacity:0}",
        f".sync .paper{{{_use('fill', 'paper')}}}",
        ".sync .title{font-size:15px;font-weight:bold}.sync .head{font-weight:bold}",
        f".sync .muted{{{_use('fill', 'muted')}}}",
        f".sync .lane{{{_use('stroke', 'line')}stroke-width:1.5}}",
        f".sync .rule{{{_use('stroke', 'line')}stroke-opacity:.5}}",
        f".sync .loop{{{_use('fill', 'loop')}{_use('stroke', 'loop')}fill-opacity:.07}}",
        f".sync .bar{{{_use('fill', 'work')}{_use('stroke', 'work')}fill-opacity:.35}}",
        ".sync .carried{stroke-dasharray:3 3;fill-opacity:.15}",
        f".sync .wall{{{_use('stroke', 'barrier')}stroke-width:5;stroke-linecap:round}}",
        f".sync .fence{{{_use('fill', 'paper')}{_use('stroke', 'fence')}stroke-width:2}}",
        f".sync .divided{{{_use('fill', 'fence')}}}",
        ".sync .arrow{fill:none;stroke-width:1.5}.sync .perhaps{stroke-dasharray:4 3}",
    ]
    for kind in ("thread", "object", "work"):
        rules.append(f".sync .arrow.of-{kind}{{{_use('stroke', kind)}}}")
        rules.append(f".sync .dot.of-{kind},.sync .tip.of-{kind}{{{_use('fill', kind)}}}")
        rules.append(f".sync .head.of-{kind}{{{_use('fill', kind)}}}")
    rules.append(
        f".sync .ring.of-object{{{_use('fill', 'paper')}{_use('stroke', 'object')}stroke-width:2}}"
    )
    return "".join(rules)


def _use(what: str, colour: str) -> str:
    return f"{what}:{_COLOURS[colour][0]};{what}:var(--sync-{colour});"
