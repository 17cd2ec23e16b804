"""The same for programs, as JSON."""
