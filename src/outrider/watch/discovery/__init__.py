"""Finding the feeds and sitemaps of a site, as politely as a crawl would."""
