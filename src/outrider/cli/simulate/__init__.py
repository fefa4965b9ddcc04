"""`outrider simulate`: try a policy on a simulated web."""
