"""Checks files against other targets and versions than their own, and several modules in one."""
