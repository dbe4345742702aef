"""Rules about text that is not PTX, and about what is out of place."""
