"""One poll of a feed or sitemap: how its answer is read, what it announces, and when it is asked again."""
