"""The main text of a page: its blocks, what they are worth, and which of them its readers came for."""
