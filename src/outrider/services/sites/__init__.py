"""Use cases of sites that people own: redirects, broken URLs and links."""
