"""The module header and directives: where each may be, and what it takes."""
