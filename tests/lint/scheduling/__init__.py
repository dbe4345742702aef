"""Runs the pairs of wrong and right kernels, with their threads in many orders."""
