"""Handlers of the editor's requests: each converts, calls a feature, and converts back."""
