"""Use cases of hosts and their robots.txt."""
