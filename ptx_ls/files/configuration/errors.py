"""The error about a configuration."""


class ConfigurationError(Exception):
    """A configuration is invalid; the message is one line, and says where if that is known."""
