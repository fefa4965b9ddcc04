"""What becomes of a fetched page: whether it is kept, what is read from it, which of its links are queued."""
