"""`outrider crawl`: options, run, views and summary."""
