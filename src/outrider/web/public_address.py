"""The rule that a server which other machines can reach needs real secrets (AUT-10)."""

import socket
from collections.abc import Sequence

from outrider.errors import Misconfigured
from outrider.settings import Settings
from outrider.web.listen import is_public


def check_public_address(settings: Settings, sockets: Sequence[socket.socket]) -> None:
    """Raises Misconfigured if the sockets are public and the server has no real secrets."""
    if is_public(sockets):
        raise Misconfigured(
            f"{settings.web.host} can be reached by other machines, and this server has no secrets to sign "
            "with: listen on 127.0.0.1, and put a reverse proxy that checks passwords in front of it"
        )
