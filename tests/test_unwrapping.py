"""The lines of a paragraph are joined; code, tables and lists keep their lines."""

from docs.unwrapping import unwrapped


def check_unwrapped(text: str, expected: str) -> None:
    assert unwrapped(text) == expected
    assert unwrapped(expected) == expected


def test_paragraphs() -> None:
    check_unwrapped("One\ntwo.\n\nThree\n`four`.\n", "One two.\n\nThree `four`.\n")


def test_items() -> None:
    check_unwrapped("- One\n  two.\n- Three\n  four.\n", "- One two.\n- Three four.\n")
    check_unwrapped("1. One\n   two.\n2. Three.", "1. One two.\n2. Three.")


def test_other_lines_are_kept() -> None:
    kept = "# Title\nText.\n\n| a |\n| - |\n| b |\n\n```sh\none\ntwo\n```\n<!-- note -->\nText.\n"
    check_unwrapped(kept, kept)
