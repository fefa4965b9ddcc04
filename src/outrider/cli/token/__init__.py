"""`outrider token`: the API tokens of programs."""
