"""The files of the workspace that are not open: found, read, indexed and checked."""
