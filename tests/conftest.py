"""Settings of the test run."""

import os

import pytest
from hypothesis import settings

pytest.register_assert_rewrite("tests.support")

# A deadline would measure how busy the machine is. In CI the same examples run every time.
settings.register_profile("local", deadline=None)
settings.register_profile("ci", deadline=None, derandomize=True)
settings.load_profile("ci" if os.environ.get("CI", "").lower() == "true" else "local")
