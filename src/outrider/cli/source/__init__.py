"""`outrider source` and the commands below it, about a file each."""
