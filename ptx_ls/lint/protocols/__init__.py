"""What rules about protocols of asynchronous instructions share."""
