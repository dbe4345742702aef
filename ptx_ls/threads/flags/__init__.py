"""What orders data that threads of other blocks announce with flags."""
