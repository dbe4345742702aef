"""Rules about what threads have to do together."""
