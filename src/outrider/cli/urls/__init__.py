"""`outrider urls`: the entries of the frontier."""
