"""The state of the client: its settings, rights, process and dynamic registrations."""
