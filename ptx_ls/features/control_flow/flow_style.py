"""The style sheet of a flow graph, with variables that a viewer may set."""

from __future__ import annotations

from typing import Final

_COLOURS: Final = {
    "paper": ("#ffffff", "#1e1e1e"),
    "ink": ("#1f2328", "#d4d4d4"),
    "muted": ("#656d76", "#9198a1"),
    "box": ("#f6f8fa", "#2a2a2b"),
    "border": ("#8c959f", "#6e7681"),
    "plain": ("#0969da", "#58a6ff"),
    "taken": ("#1a7f37", "#56d364"),
    "otherwise": ("#cf222e", "#ff7b72"),
    "case": ("#9a6700", "#e3b341"),
    "loop": ("#8250df", "#bc8cff"),
    "opcode": ("#0550ae", "#79c0ff"),
    "guard": ("#953800", "#ffa657"),
}
"""Light and dark colours by name. The CSS variable of each begins with `--cfg-`."""

_FONT: Final = "ui-monospace,'DejaVu Sans Mono',Menlo,Consolas,monospace"
KINDS: Final = ("plain", "taken", "otherwise", "case")
"""Colours of links."""


def style() -> str:
    """Returns the style sheet. Viewers without variables show the light colours."""
    light, dark = (
        "".join(f"--cfg-{name}:{pair[which]};" for name, pair in _COLOURS.items())
        for which in (0, 1)
    )
    rules = [
        f".cfg{{{light}font-family:{_FONT};font-size:12px}}",
        f"@media (prefers-color-scheme:dark){{.cfg{{{dark}}}}}",
        f".cfg text{{{_use('fill', 'ink')}white-space:pre}}",
        f".cfg .paper{{{_use('fill', 'paper')}}}",
        f".cfg .box{{{_use('fill', 'box')}{_use('stroke', 'border')}}}",
        f".cfg .tint{{{_use('fill', 'loop')}fill-opacity:.09}}",
        f".cfg .bar,.cfg .loop{{{_use('fill', 'loop')}}}",
        f".cfg .end{{{_use('fill', 'ink')}}}",
        f".cfg .rule{{{_use('stroke', 'border')}stroke-opacity:.5}}",
        ".cfg .name{font-weight:bold}.cfg .title{font-size:15px;font-weight:bold}",
        f".cfg .muted{{{_use('fill', 'muted')}}}",
        f".cfg .guard{{{_use('fill', 'guard')}}}",
        f".cfg .opcode{{{_use('fill', 'opcode')}}}",
        ".cfg .flow{font-weight:bold}",
        ".cfg .dead{opacity:.5}.cfg .dead .box{stroke-dasharray:4 3}",
        f".cfg .part{{{_use('fill', 'case')}fill-opacity:.14}}",
        ".cfg .link{fill:none;stroke-width:1.5}.cfg .back{stroke-width:2.6}",
    ]
    for kind in KINDS:
        rules.append(f".cfg .link.{kind}{{{_use('stroke', kind)}}}")
        rules.append(f".cfg .of-{kind}{{{_use('fill', kind)}}}")
    rules.append(
        f".cfg .link.back{{{_use('stroke', 'loop')}}}.cfg .of-back{{{_use('fill', 'loop')}}}"
    )
    return "".join(rules)


def _use(what: str, colour: str) -> str:
    return f"{what}:{_COLOURS[colour][0]};{what}:var(--cfg-{colour});"
