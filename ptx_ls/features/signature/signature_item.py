"""What signature help shows."""

from __future__ import annotations

from dataclasses import dataclass

from ptx_ls.features.markup import NOTHING, Markdown


@dataclass(frozen=True, slots=True)
class Parameter:
    """A part of a signature's label, [start, stop) in it, and Markdown about it."""

    start: int
    stop: int
    documentation: Markdown = NOTHING


@dataclass(frozen=True, slots=True)
class SignatureItem:
    """How a statement goes on. `active` is the number of the parameter at the cursor, -1: none."""

    label: str
    parameters: tuple[Parameter, ...]
    active: int
    documentation: Markdown = NOTHING


@dataclass(frozen=True, slots=True)
class SignatureHelp:
    """All that may be meant; `best` is the number of the likeliest."""

    signatures: tuple[SignatureItem, ...]
    best: int = 0


class Label:
    """A label that is being put together, and its parameters."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.parameters: list[Parameter] = []

    def add(self, text: str) -> None:
        """Adds text that is no parameter."""
        self.text += text

    def add_parameter(self, text: str, documentation: Markdown) -> None:
        """Adds a parameter."""
        start = len(self.text)
        self.text += text
        self.parameters.append(Parameter(start, len(self.text), documentation))
