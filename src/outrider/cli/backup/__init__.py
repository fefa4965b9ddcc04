"""`outrider backup`: write, list and verify backups of the database."""
