"""Handlers of requests: each converts the parameters, calls a feature, and converts the result."""
