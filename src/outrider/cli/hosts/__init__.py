"""`outrider hosts`: hosts, their delays and their state."""
