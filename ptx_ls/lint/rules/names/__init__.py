"""Rules about names that are declared twice or not at all."""
