"""Logs of runs: what a run did, line by line, for people who watch it or ask afterwards.

Workers append lines in batches (`writer.py`); readers replay and follow them by position (`reader.py`). The
lines of a run are numbered by a row that every append locks until its commit, so a number becomes visible
only after every smaller one. `archive.py` moves the lines of an ended run to a compressed file.
`redis_stream.py` copies lines to a Redis stream for readers there.
"""
