"""Limits that all workers share: pages of a crawl, new URLs of a source."""
