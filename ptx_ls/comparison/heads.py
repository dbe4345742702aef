"""The heads of functions: linkage, parameters, and directives such as launch bounds."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ptx_ls.comparison.phrases import number_text
from ptx_ls.semantics.symbols.region_text import region_text
from ptx_ls.semantics.symbols.symbols import SymbolKind
from ptx_ls.source.named_tuple import NamedTuple
from ptx_ls.syntax import tokens
from ptx_ls.syntax.record import Kind

if TYPE_CHECKING:
    from ptx_ls.document.located import LocatedFunction
    from ptx_ls.semantics.symbols.region import RegionFacts

ATTRIBUTE: Final = ".attribute"
"""The only directive before the name of a function."""
_NAMES: Final = (tokens.WORD, tokens.REG)


class FunctionHead(NamedTuple):
    """The head of a function, without the names in it.

    Attributes:
        name: the name of the function.
        kind: its linkage and kind: `.visible .entry`.
        returns: the declarations of its return values.
        parameters: the declarations of its parameters.
        directives: the names and values of directives, sorted: `.maxntid` and `256`. Attributes are
            among them.
    """

    name: str
    kind: str
    returns: tuple[str, ...]
    parameters: tuple[str, ...]
    directives: tuple[tuple[str, str], ...]


def head_of(located: LocatedFunction, facts: RegionFacts) -> FunctionHead:
    """Returns the head of a function; empty texts if it cannot be read."""
    symbol = facts.function
    if symbol is None:
        return FunctionHead("", "", (), (), ())
    found = next(region_text(located.function).of_kind(Kind.FUNCTION), None)
    read = _HeadReader(symbol.name)
    for token in tokens.tokenize(found.text if found is not None else ""):
        read.feed(token)
    kind = ".entry" if symbol.kind is SymbolKind.KERNEL else ".func"
    return FunctionHead(
        symbol.name,
        f"{symbol.linkage} {kind}".strip(),
        tuple(read.returns),
        tuple(read.parameters),
        tuple(sorted((name, _value(words)) for name, *words in read.directives)),
    )


def parameter_name(number: int) -> str:
    """Returns the canonical name of a return value or parameter; those of a function count on."""
    return f"param_{number}"


class _HeadReader:
    """Reads the tokens of a head."""

    def __init__(self, name: str) -> None:
        self.returns: list[str] = []
        self.parameters: list[str] = []
        self.directives: list[list[str]] = []
        self._name, self._has_name = name, False
        self._depth = 0
        self._words: list[str] = []
        self._is_attribute = False

    def feed(self, token: tokens.Token) -> None:
        """Reads the next token."""
        text = number_text(token.string) if token.type is tokens.NUMBER else token.string
        was_inside = self._depth > 0
        self._depth += (text == "(") - (text == ")")
        is_inside = self._depth > 0
        if not was_inside and (token.type is tokens.TUNING or text == ATTRIBUTE):
            self.directives.append([text])
            self._is_attribute = text == ATTRIBUTE
        elif self._is_attribute:
            self.directives[-1].append(text)
            self._is_attribute = is_inside
        elif self.directives and self._has_name and self.directives[-1][0] != ATTRIBUTE:
            self.directives[-1] += [] if text in ("{", "") else [text]
        elif was_inside and text in (",", ")"):
            if self._words:
                (self.parameters if self._has_name else self.returns).append(_joined(self._words))
            self._words = []
        elif was_inside:
            self._words += [text] if token.type not in _NAMES else []
        else:
            self._has_name = self._has_name or text == self._name


def _value(words: list[str]) -> str:
    """Returns the value of a directive without sizes of 1 at its end, which are the default."""
    end = len(words)
    while end > 2 and words[end - 2 : end] == [",", "1"]:  # noqa: PLR2004
        end -= 2
    return _joined(words[:end])


def _joined(words: list[str]) -> str:
    text = " ".join(words)
    for mark in ",[]()":
        text = text.replace(f" {mark}", mark)
    return text.replace("[ ", "[").replace("( ", "(")
