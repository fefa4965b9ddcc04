"""`outrider job`: the jobs of sources."""
