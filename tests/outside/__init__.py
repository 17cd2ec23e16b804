"""A regulation that another package brings, from its installation to a published list."""
