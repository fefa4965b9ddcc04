"""`outrider doctor`: what works on this machine."""
