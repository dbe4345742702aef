"""What belongs together: tested by random walks and by examples."""
