"""What the editor asks: a handler converts, calls a feature, and converts back."""
