"""`outrider user`: the people who may sign in."""
