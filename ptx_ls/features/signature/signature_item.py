"""Signatures: labels with their parameters."""

from __future__ import annotations

from dataclasses import dataclass

from ptx_ls.features.markup import NOTHING, Markdown


@dataclass(frozen=True, slots=True)
class Parameter:
    """The part [start, stop) of a signature's label, with its explanation."""

    start: int
    stop: int
    documentation: Markdown = NOTHING


@dataclass(frozen=True, slots=True)
class SignatureItem:
    """One way to complete a statement. `active`: the parameter at the cursor, -1 for none."""

    label: str
    parameters: tuple[Parameter, ...]
    active: int
    documentation: Markdown = NOTHING


@dataclass(frozen=True, slots=True)
class SignatureHelp:
    """All signatures that fit; `best` is the number of the likeliest."""

    signatures: tuple[SignatureItem, ...]
    best: int = 0


class Label:
    """A label under construction, with its parameters."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.parameters: list[Parameter] = []

    def add(self, text: str) -> None:
        """Adds text that is not a parameter."""
        self.text += text

    def add_parameter(self, text: str, documentation: Markdown) -> None:
        """Adds a parameter and its text."""
        start = len(self.text)
        self.text += text
        self.parameters.append(Parameter(start, len(self.text), documentation))
