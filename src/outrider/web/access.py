"""Who may call a route, as data beside the route: the matrix test and OpenAPI read it."""

from dataclasses import dataclass

from outrider.auth.model import Principal, ProvenBy, Role

_READING = frozenset({"GET", "HEAD", "OPTIONS"})


@dataclass(frozen=True, slots=True)
class Access:
    """What a route needs of its caller, and how the call is carried out."""

    role: Role  # the least role; ANONYMOUS: everyone
    also: frozenset[Role] = frozenset()  # machines that may call it, too: SITE or SERVICE
    limit: str = ""  # a rate limit of its own, beside the one of the role
    action: str | None = None  # the word in the audit log; None: the route changes nothing
    needs_database: bool = True  # False: the handler takes connections itself, as streams do
    in_transaction: bool = True  # False: a bulk change, which commits item by item
    is_probe: bool = False  # answers everyone at once: no identity, no rate limit, no database (AUT-15)
    is_secret: bool = False  # the answer holds a secret that is shown once
    records_itself: bool = False  # the use case writes the audit log
    has_position: bool = False  # the answer says where a stream that continues it has to begin

    def permits(self, principal: Principal, method: str) -> bool:
        """Whether the principal may call the route."""
        if principal.read_only and method not in _READING:
            return False
        if principal.proven_by is ProvenBy.STREAM_TOKEN and method not in _READING:
            return False
        if self.role is Role.ANONYMOUS or principal.role in self.also:
            return True
        if self.role is Role.USER:
            return principal.role in (Role.USER, Role.ADMIN)
        return principal.role is self.role
