"""The parts of the notation of a directive's arguments."""

from __future__ import annotations

import pytest

from ptx_ls import isa
from ptx_ls.isa.notation.directive_arguments import argument_parts
from ptx_ls.isa.reference import Directive


def check_arguments(notation: str, required: str, optional: str) -> None:
    parts = [part for part in argument_parts(notation) if part.is_argument]
    assert " ".join(part.text for part in parts if not part.is_optional) == required
    assert " ".join(part.text for part in parts if part.is_optional) == optional


def test_braces_hold_what_is_optional() -> None:
    check_arguments("nx{, ny{, nz}}", "nx", "ny nz")


def test_alternatives_and_dotted_names_are_one_argument() -> None:
    check_arguments("32|64", "32|64", "")
    check_arguments("major.minor", "major.minor", "")
    check_arguments("{.align n} .type name", ".type name", ".align n")


def test_a_string_is_one_argument_with_its_quotes() -> None:
    check_arguments('index "name"{, time, size}', 'index "name"', "time size")


@pytest.mark.parametrize("directive", isa.database().directives.values(), ids=lambda it: it.name)
def test_the_parts_make_up_the_notation(directive: Directive) -> None:
    parts = argument_parts(directive.arguments)
    assert "".join(part.text for part in parts) == directive.arguments
