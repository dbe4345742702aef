"""The PTX ISA version and target that a module needs."""
