"""The JSON of results whose fields have another form in JSON."""
