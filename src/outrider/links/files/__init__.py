"""Links of HTML and Markdown files on disk: where they stand, and whether their targets exist."""
