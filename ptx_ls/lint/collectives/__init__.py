"""Instructions that several threads have to execute together, and those that surely do not."""
