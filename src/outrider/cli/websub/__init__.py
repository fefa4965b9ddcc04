"""`outrider websub`: the listener for WebSub hubs."""
