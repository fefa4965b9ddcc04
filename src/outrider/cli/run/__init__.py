"""`outrider run`: crawls and executions of jobs."""
