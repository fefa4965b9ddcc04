"""`outrider discovered`: links from watched sources to other sites."""
