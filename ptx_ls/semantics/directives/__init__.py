"""The module header and directives: their valid places and arguments."""
