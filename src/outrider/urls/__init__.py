"""URL normalisation and the identity of URLs.

`normalize` turns a URL from a page, a feed or a user into the one spelling that the frontier uses.
Three guarantees hold for every string that it accepts:

* it is idempotent: a normalised URL stays unchanged, on every machine, with any base;
* it merges two spellings only by a rule named in `Rules` or by the URL standard itself, so that two
  different resources keep different URLs;
* it raises `InvalidUrl` and nothing else.

Changing a rule changes hashes that are already stored, so every such change raises `RULES_VERSION`.
"""

from outrider.urls.domain import registrable_domain
from outrider.urls.identity import UrlKey, host_id_of, key_of, url_hash
from outrider.urls.normalize import normalize
from outrider.urls.parts import host_of, origin_of, path_of
from outrider.urls.resolve import resolve
from outrider.urls.rules import DEFAULT_RULES, RULES_VERSION, Rules
from outrider.urls.tracking import DEFAULT_TRACKING, Tracking

__all__ = [
    "DEFAULT_RULES",
    "DEFAULT_TRACKING",
    "RULES_VERSION",
    "Rules",
    "Tracking",
    "UrlKey",
    "host_id_of",
    "host_of",
    "key_of",
    "normalize",
    "origin_of",
    "path_of",
    "registrable_domain",
    "resolve",
    "url_hash",
]
