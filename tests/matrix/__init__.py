"""Generated tests: every combination of two features, built on the registries of the program."""
