"""Runs a kernel for an assumed launch, to find waits that never end."""
