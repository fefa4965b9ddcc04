"""`outrider job`: what is done for each source, and when."""
