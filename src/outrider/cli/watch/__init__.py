"""`outrider watch`: the sources kept up to date."""
