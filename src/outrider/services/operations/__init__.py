"""Use cases of an operator: health, workers, maintenance, storage and events."""
