"""`outrider doctor`: check this machine."""
