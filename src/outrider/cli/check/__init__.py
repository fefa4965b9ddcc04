"""`outrider check`: check links once."""
