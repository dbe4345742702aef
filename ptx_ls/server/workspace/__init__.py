"""Finds, reads, indexes and checks the files of the workspace that are not open."""
