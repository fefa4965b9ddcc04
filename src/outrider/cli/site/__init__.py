"""`outrider site`: sites that you own."""
