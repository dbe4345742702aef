"""Rules about code that is slower than it has to be."""
