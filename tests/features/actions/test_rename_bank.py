"""Registers under other names: whole banks, and single ones."""

from __future__ import annotations

import pytest

from tests.support.actions import check_action, check_not_offered

HEAD = ".version 8.0\n.target sm_90\n.address_size 64\n.entry k()\n"
TEXT = HEAD + "{\n\t.reg .f32 %x<9>;\n\tadd.f32 %x1, %x2, %x12;\n\tmov.f32 %x2, %x1;\n}\n"
TEXT = TEXT.replace("%x12", "%x3")


@pytest.mark.parametrize(
    ("old", "new"), [(".reg .f32 %x", ".reg .f32 %<|>x"), ("add.f32 %x1", "add.f32 <|>%x1")]
)
def test_a_bank(old: str, new: str) -> None:
    check_action(TEXT.replace(old, new), "Rename `%x<9>` to `%f`", TEXT.replace("%x", "%f"))


def test_one_register() -> None:
    expected = TEXT.replace("%x2", "%x_2").replace("<9>;\n", "<9>;\n\t.reg .f32 %x_2;\n")
    check_action(TEXT.replace(", %x2,", ", %x<|>2,"), "Declare `%x2` separately", expected)


def test_names_that_are_taken() -> None:
    text = TEXT.replace("<9>;\n", "<9>;\n\t.reg .f32 %f, %x_2;\n").replace(", %x2,", ", %x<|>2,")
    check_not_offered(text, "Rename")
    expected = text.replace("<|>", "").replace("%x2", "%x_2_2")
    expected = expected.replace("<9>;\n", "<9>;\n\t.reg .f32 %x_2_2;\n")
    check_action(text, "Declare `%x2` separately, as `%x_2_2`", expected)


def test_usual_names_stay() -> None:
    check_not_offered(TEXT.replace("%x", "%f").replace(".reg .f32 %f", ".reg .f32 %<|>f"), "Rename")
