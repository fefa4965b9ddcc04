"""`outrider discovered`: links that led out of the watched sources."""
