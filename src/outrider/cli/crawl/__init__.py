"""`outrider crawl`: its options, the run, the ways to show it, the last word."""
