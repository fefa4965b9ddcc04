"""`outrider restore`: replace the database by a backup."""
