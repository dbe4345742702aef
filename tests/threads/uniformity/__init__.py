"""Tests of which threads agree."""
