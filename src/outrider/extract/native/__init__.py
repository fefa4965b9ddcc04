"""The scan of a page in C: one pass over its bytes, without a tree.

`source/` is a plain C library that knows nothing of Python; `build.py` compiles it, `library.py` loads and
calls it, `reading.py` turns its answer into what `scan` needs. It reads a page as the reference does
(`scan.py` with the tree of lexbor), or it says that the page is unusual: then the reference reads it. So the
results are the same on every page, with the library and without it.
"""
