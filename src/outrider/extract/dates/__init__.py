"""When a page was published, and how dates are written."""
