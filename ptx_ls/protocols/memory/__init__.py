"""The shared memory that asynchronous operations and other statements access."""
