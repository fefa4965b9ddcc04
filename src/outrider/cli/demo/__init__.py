"""`outrider demo`: the crawl of our own small site, and what became of its exhibits."""
