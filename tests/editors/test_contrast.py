"""The measures of colours, at values that are known."""

from __future__ import annotations

import pytest

from tests.editors.contrast import contrast, difference


def test_contrast_and_difference() -> None:
    assert round(contrast("#FFFFFF", "#000000")) == 21
    assert contrast("#777777", "#777777") == 1
    assert difference("#9CDCFE", "#9CDCFE") == 0
    assert difference("#FFFFFF", "#000000") == pytest.approx(100, abs=0.1)
