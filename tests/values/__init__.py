"""Tests of what is known of the values in registers."""
