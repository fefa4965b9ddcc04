"""The main text of a page: its blocks, their scores, and the choice of the main content."""
