"""`outrider why`: what happened to a URL and what happens next."""
