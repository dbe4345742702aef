"""The protocols of asynchronous instructions: what has to come before and after what."""
