"""`outrider source` and its subcommands, about one file each."""
