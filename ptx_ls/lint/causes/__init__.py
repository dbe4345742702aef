"""The problems that follow from others: they are not reported."""
