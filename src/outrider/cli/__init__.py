"""Talk to people at a terminal: one file a command, one sentence for what went wrong."""
