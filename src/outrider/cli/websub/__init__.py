"""`outrider websub`: the listener that hubs call back."""
