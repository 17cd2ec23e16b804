"""From a report to a rating by two people: what is handed in, previewed, decided and recorded."""
