"""The JSON of results whose shape differs from their fields, for the API description."""
