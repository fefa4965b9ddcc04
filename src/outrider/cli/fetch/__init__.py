"""`outrider fetch`: one URL, and everything about the answer."""
