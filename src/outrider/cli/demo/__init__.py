"""`outrider demo`: a crawl of a small built-in site, and a check of its exhibits."""
