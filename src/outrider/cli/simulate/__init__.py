"""`outrider simulate`: a policy tried on a made-up web."""
