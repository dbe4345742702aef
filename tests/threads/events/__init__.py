"""Tests of the memory events of statements."""
