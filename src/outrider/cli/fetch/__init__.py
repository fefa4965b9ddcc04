"""`outrider fetch`: fetch one URL and show the response."""
