"""When two texts are the same, and when nearly."""
