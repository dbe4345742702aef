"""Files on the disk: which of them hold PTX."""
