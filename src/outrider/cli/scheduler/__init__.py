"""`outrider scheduler`: run a scheduler, and see how it does."""
