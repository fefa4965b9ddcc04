"""`outrider robots`: what a robots.txt says."""
