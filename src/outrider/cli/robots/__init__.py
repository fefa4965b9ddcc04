"""`outrider robots`: the robots.txt of a host."""
