"""`outrider versions` and `outrider diff`: what a page said before, and what changed."""
