"""Executing instructions."""
