"""The forms of suppression comments, and what may be wrong with one."""

from __future__ import annotations

from enum import StrEnum


class SuppressionForm(StrEnum):
    """The lines that a comment is about; the value is the word that it begins with."""

    LINE = "ignore"
    """Its line; if it is alone, the next statement, too."""
    FUNCTION = "ignore-function"
    """The function that it is in, or the next one."""
    FILE = "ignore-file"
    START = "ignore-start"
    """Its line and all lines after it, until an END."""
    END = "ignore-end"


class CommentFault(StrEnum):
    """Why a comment suppresses nothing."""

    FORM = "form"
    """It begins with another word than a form."""
    BRACKET = "bracket"
    """Its list is not closed."""
    EMPTY = "empty"
    """Its list is empty."""
