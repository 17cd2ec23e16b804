"""The office of the web face: its migrations are apart from the journal's."""
