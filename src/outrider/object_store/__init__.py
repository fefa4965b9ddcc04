"""A store of objects with keys: files below a folder, or a bucket of an S3 server.

An object is there whole or not at all. A store that cannot be reached raises Unavailable or OSError; the
caller keeps its data and tries again later.
"""
