"""Why a link got its verdict."""

from outrider.described import DescribedName


class LinkReason(DescribedName):
    """The reason of a verdict: the names that scripts and tables use, and their sentences."""

    # ok
    ANSWERS = "answers", "the address answers"
    TEMPORARY_REDIRECT = "temporary_redirect", "the address answers after a temporary redirect"
    LIVE_PATH = "live_path", "the site has this page"
    EMAIL_FORMAT = "email_format", "it is written like an e-mail address, and no server was asked"
    FILE_EXISTS = "file_exists", "the file is there"
    # moved
    MOVED_PERMANENTLY = "moved_permanently", "a permanent redirect leads to another address"
    ITEM_RENAMED = "item_renamed", "the item of the site has another address now"
    # dead
    ITEM_MISSING = "item_not_found", "the site has no such item"
    ITEM_HIDDEN = "item_hidden", "the item of the site is hidden"
    COLLECTION_MISSING = "collection_not_found", "the site has no such collection"
    NO_ROUTE = "no_route", "the site has no page at this path"
    NOT_FOUND = "http_404", "the server says that there is no such page (404)"
    GONE = "http_410", "the server says that the page was removed (410)"
    NAME_GONE = "name_gone", "its host name does not exist, while DNS answers for the domain above it"
    INVALID_ADDRESS = "invalid_address", "it is no valid address"
    BAD_EMAIL = "bad_email", "it cannot be an e-mail address"
    FILE_MISSING = "file_missing", "there is no such file"
    FRAGMENT_MISSING = "fragment_missing", "the page has no element with this id"
    # uncertain: the answer is about us, not about the page
    BOT_BLOCK = "bot_block", "the server refuses programs; people may get the page"
    RATE_LIMITED = "rate_limited", "the server asks for fewer requests (429)"
    LOGIN_WALL = "login_wall", "the page is behind a log-in"
    LEGAL_BLOCK = "legal_block", "the page is withheld for legal reasons (451)"
    ROBOTS = "robots_disallow", "robots.txt forbids the request, so the page was not asked for"
    HOST_RESTS = "host_rests", "the host has to rest after failures, or another worker holds it"
    NOT_ALLOWED = "address_not_allowed", "its address is not public, so it was not asked for"
    # uncertain: the answer may be about the page
    SOFT_404 = "soft_404", "the server gives the same page for an address that cannot exist"
    PARKED = "parked_domain", "the domain is parked or for sale"
    FRAGMENT_UNSEEN = "fragment_unseen", "no element has this id, but scripts of the page may add one"
    SERVER_ERROR = "server_error", "the server fails (5xx)"
    CLIENT_ERROR = "client_error", "the server refuses this request (4xx)"
    REDIRECT_LOOP = "redirects_in_a_loop", "the redirects end in a loop, or there are too many"
    BAD_REDIRECT = "bad_redirect", "the redirect leads to no address that can be requested"
    NAME_TROUBLE = "name_trouble", "DNS does not answer for its host name"
    TLS_ERROR = "tls_error", "its certificate or its TLS is not acceptable"
    NO_ANSWER = "no_answer", "the server does not answer in time"
    UNREACHABLE = "unreachable", "no connection to the server is possible"
    BAD_ANSWER = "bad_answer", "the answer is not valid HTTP, or is incomplete"
    FLAPPING = "flapping", "it fails and works in turn"
    ROOT_UNKNOWN = "root_unknown", "the link starts at the root of the site, which is not known"
    NOT_CHECKED = "not_checked", "the check ended before this link"


def stored_reason(name: str) -> LinkReason | str:
    """The reason that a table names. One of another version, as after a downgrade, stays a text."""
    return LinkReason(name) if name in set(LinkReason) else name


def why_of(reason: LinkReason | str) -> str:
    """A reason as a sentence; one that this version does not know is shown as it is stored."""
    return reason.sentence if isinstance(reason, LinkReason) else reason


# These never become `dead`, however often they are seen.
NEVER_DEAD = frozenset(
    {
        LinkReason.BOT_BLOCK,
        LinkReason.RATE_LIMITED,
        LinkReason.LOGIN_WALL,
        LinkReason.LEGAL_BLOCK,
        LinkReason.ROBOTS,
        LinkReason.HOST_RESTS,
        LinkReason.NOT_ALLOWED,
        LinkReason.SOFT_404,
        LinkReason.PARKED,
        LinkReason.FRAGMENT_UNSEEN,
        LinkReason.FLAPPING,
        LinkReason.ROOT_UNKNOWN,
        LinkReason.NOT_CHECKED,
    }
)
