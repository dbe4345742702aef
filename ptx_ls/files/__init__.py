"""Files on the disk: finds those that contain PTX, reads and writes them."""
