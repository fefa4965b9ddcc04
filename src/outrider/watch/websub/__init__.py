"""WebSub: subscribes to the hubs of feeds, and receives their pushes."""
