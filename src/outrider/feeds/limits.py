"""The limits of feeds and sitemaps. The part beyond a limit is ignored, not refused."""

MAX_BYTES = 64 << 20  # after unpacking; a sitemap may have 50 MB by its protocol
MAX_FEED_CHARS = 16 << 20
MAX_ELEMENTS = 250_000
MAX_DEPTH = 64
MAX_ATTRIBUTES = 64
MAX_ENTRIES = 10_000
MAX_SITEMAP_ENTRIES = 100_000

MAX_TITLE = 1_000
MAX_NAME = 500  # of a person, a category, a language, an identifier of one
MAX_ID = 4_096
MAX_URL = 8_192
MAX_MARKUP = 512 << 10  # of a summary or a content
MAX_TEXTS = 4 << 20  # of all entries of a feed together; later ones have no summary and no content
MAX_LISTED = 100  # categories, enclosures, authors of one entry
MAX_ALTERNATES = 200  # languages of one page in a sitemap
