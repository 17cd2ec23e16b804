"""The stores of a journal: SQLite, PostgreSQL and memory. One contract: ``records.Journal``."""
