"""The colours of a picture: a viewer may set each, and the defaults follow its theme.

Each colour is a pair: for light and for dark themes.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ptx_ls.source.named_tuple import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping

_FONT: Final = "ui-monospace,'DejaVu Sans Mono',Menlo,Consolas,monospace"

_COMMON: Final = {
    "paper": ("#ffffff", "#1e1e1e"),
    "ink": ("#1f2328", "#d4d4d4"),
    "muted": ("#656d76", "#9198a1"),
}
"""The colours of the background, of text and of less important text, in all pictures."""

GREY: Final = ("#8c959f", "#6e7681")
BLUE: Final = ("#0969da", "#58a6ff")
DARK_BLUE: Final = ("#0550ae", "#79c0ff")
GREEN: Final = ("#1a7f37", "#56d364")
RED: Final = ("#cf222e", "#ff7b72")
YELLOW: Final = ("#9a6700", "#e3b341")
PURPLE: Final = ("#8250df", "#bc8cff")


class SvgPalette(NamedTuple):
    """The colours of a kind of pictures.

    Attributes:
        kind: the CSS class of the picture; the CSS variable of each colour begins with it.
        own: the light and the dark colour by name, for colours that not all pictures have.
    """

    kind: str
    own: Mapping[str, tuple[str, str]]

    @property
    def _colours(self) -> Mapping[str, tuple[str, str]]:
        return {**_COMMON, **self.own}

    def rules(self) -> list[str]:
        """Returns the rules that set the variables, the background and the font of all text."""
        light, dark = (
            "".join(f"--{self.kind}-{name}:{pair[which]};" for name, pair in self._colours.items())
            for which in (0, 1)
        )
        return [
            f".{self.kind}{{{light}font-family:{_FONT};font-size:12px}}",
            f"@media (prefers-color-scheme:dark){{.{self.kind}{{{dark}}}}}",
            f".{self.kind} .paper{{{self.use('fill', 'paper')}}}",
            f".{self.kind} text{{{self.use('fill', 'ink')}white-space:pre}}",
            f".{self.kind} .muted{{{self.use('fill', 'muted')}}}",
        ]

    def use(self, what: str, colour: str) -> str:
        """Returns the declarations of a property; viewers without variables take the light one."""
        return f"{what}:{self._colours[colour][0]};{what}:var(--{self.kind}-{colour});"
