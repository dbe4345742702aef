"""The classes of mismatches: data about what is wrong, without words."""
