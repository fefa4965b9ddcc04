"""What the demo shows."""
