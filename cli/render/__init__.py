"""How answers look that take more than a table: statements, studies, receipts, pictures."""
