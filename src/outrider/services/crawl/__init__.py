"""Use cases of a whole crawl: start one, follow it, and what it found."""
