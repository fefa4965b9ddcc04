"""Which URLs are worth a request: within the scope, not refused by a pattern, no trap. Pure."""
