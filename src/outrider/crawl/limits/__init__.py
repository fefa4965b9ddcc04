"""How much is taken: pages in a crawl, new URLs from a source; one count for all workers."""
