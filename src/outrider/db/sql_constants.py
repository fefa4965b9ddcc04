"""Numbers that SQL files name: `{kind_robots}` in a query stands for the number that the database stores.

They are filled in once, when a query is loaded, so that a statement costs what it costs with bare numbers. A
contract test compares them with the enums of the code.
"""

from collections.abc import Mapping

SQL_CONSTANTS: Mapping[str, int] = {
    # `url.kind` and `channel.kind`: what an entry asks for
    "kind_page": 0,
    "kind_robots": 1,
    "kind_feed": 2,
    "kind_sitemap": 3,
    "kind_link": 4,
    # `url_source.state` and what `url_state()` returns
    "state_new": 0,
    "state_pending": 1,
    "state_fetched": 2,
    "state_dead": 3,
    "state_alias": 4,
    # `host.breaker`
    "breaker_closed": 0,
    "breaker_open": 1,
    "breaker_half_open": 2,
}
