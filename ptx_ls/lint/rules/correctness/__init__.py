"""Rules about code that ptxas accepts and that cannot do what it is meant to do."""
