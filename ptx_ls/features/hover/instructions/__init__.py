"""Hovers on opcodes and modifiers."""
