"""One poll of a feed or sitemap: read the answer, announce pages, and schedule the next poll."""
