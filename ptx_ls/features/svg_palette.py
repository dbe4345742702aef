"""The colours of a picture: a viewer may set each, and the defaults follow its theme."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ptx_ls.source.named_tuple import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping

_FONT: Final = "ui-monospace,'DejaVu Sans Mono',Menlo,Consolas,monospace"


class SvgPalette(NamedTuple):
    """The colours of a kind of pictures.

    Attributes:
        kind: the CSS class of the picture; the CSS variable of each colour begins with it.
        colours: the light and the dark colour by name; `ink` is that of text.
    """

    kind: str
    colours: Mapping[str, tuple[str, str]]

    def rules(self) -> list[str]:
        """Returns the rules that set the variables, and the font of all text."""
        light, dark = (
            "".join(f"--{self.kind}-{name}:{pair[which]};" for name, pair in self.colours.items())
            for which in (0, 1)
        )
        return [
            f".{self.kind}{{{light}font-family:{_FONT};font-size:12px}}",
            f"@media (prefers-color-scheme:dark){{.{self.kind}{{{dark}}}}}",
            f".{self.kind} text{{{self.use('fill', 'ink')}white-space:pre}}",
        ]

    def use(self, what: str, colour: str) -> str:
        """Returns the declarations of a property; viewers without variables take the light one."""
        return f"{what}:{self.colours[colour][0]};{what}:var(--{self.kind}-{colour});"
