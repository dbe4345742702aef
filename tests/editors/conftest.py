"""Lets assertions about what an editor showed tell what they saw."""

import pytest

pytest.register_assert_rewrite("tests.editors.colours", "tests.editors.sessions")
