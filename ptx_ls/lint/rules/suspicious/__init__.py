"""Rules about code that ptxas accepts and that computes nothing, or cannot have been meant."""
