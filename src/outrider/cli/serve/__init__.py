"""`outrider serve`: the whole platform in one command."""
