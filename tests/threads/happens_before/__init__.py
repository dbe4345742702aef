"""Tests of what orders the accesses of threads."""
