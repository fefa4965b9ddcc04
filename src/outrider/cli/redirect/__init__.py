"""`outrider redirect`: redirects of sites that you own."""
