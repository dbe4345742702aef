"""Diagnostics: computed, converted, and published or pulled."""
