"""`outrider versions` and `outrider diff`: the versions of a page and their differences."""
