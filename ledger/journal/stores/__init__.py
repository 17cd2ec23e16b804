"""The stores of a journal: SQLite, PostgreSQL and memory. One contract: ``interface.Journal``."""
