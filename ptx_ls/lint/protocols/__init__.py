"""Parts shared by the rules about protocols of asynchronous instructions."""
