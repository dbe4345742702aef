"""Debug information: source files, locations and sections."""
