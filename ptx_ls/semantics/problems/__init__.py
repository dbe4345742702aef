"""The kinds of problems: data about what is wrong, without words."""
