"""`outrider watch`: keep the sources up to date."""
