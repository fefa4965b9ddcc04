"""`outrider link`: the links in the content of owned sites."""
