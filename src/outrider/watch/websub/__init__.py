"""Feeds that push: asking their hubs for it, and taking in what they send."""
