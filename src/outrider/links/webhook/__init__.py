"""Signed requests that tell the system of an owner to replace links in its content (DLM-16).

`apply` writes a delivery in its own transaction. `webhooks.deliver` sends what is due.
"""
