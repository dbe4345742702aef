"""How readable a colour is, and how different two colours look."""

from __future__ import annotations

import math
from typing import Final

READABLE: Final = 4.5
"""The contrast that the WCAG ask for."""
LARGE: Final = 3.0
"""The contrast that the WCAG ask for in large text; some editors' own colours have no more."""
DISTINCT: Final = 20
"""A difference in CIELAB that is seen without comparing."""

Colour = tuple[float, float, float]


def _linear(colour: str) -> Colour:
    """Red, green and blue in proportion to the light."""
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    red, green, blue = (
        it / 12.92 if it <= 0.04045 else ((it + 0.055) / 1.055) ** 2.4 for it in parts
    )
    return red, green, blue


def _luminance(colour: str) -> float:
    red, green, blue = _linear(colour)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    """The contrast of two colours as the WCAG define it, from 1 to 21."""
    light, dark = sorted((_luminance(one), _luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def _lab(colour: str) -> Colour:
    red, green, blue = _linear(colour)
    x = (0.4124 * red + 0.3576 * green + 0.1805 * blue) / 0.9505
    y = 0.2126 * red + 0.7152 * green + 0.0722 * blue
    z = (0.0193 * red + 0.1192 * green + 0.9505 * blue) / 1.089
    fx, fy, fz = (it ** (1 / 3) if it > 0.008856 else 7.787 * it + 16 / 116 for it in (x, y, z))
    return 116 * fy - 16, 500 * (fx - fy), 200 * (fy - fz)


def difference(one: str, other: str) -> float:
    """How different two colours look: their distance in CIELAB."""
    pairs = zip(_lab(one), _lab(other), strict=True)
    return math.hypot(*(a - b for a, b in pairs))
