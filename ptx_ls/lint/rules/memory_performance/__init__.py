"""Rules about what accesses to memory and synchronisation cost."""
