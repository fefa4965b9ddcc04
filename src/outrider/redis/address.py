"""Parses the address of a Redis or Valkey server. Pure."""

from dataclasses import dataclass, field
from urllib.parse import SplitResult, unquote, urlsplit

PORT = 6379
MOST_DATABASES = 65_536

_SCHEMES = ("redis", "rediss", "unix")


@dataclass(frozen=True, slots=True)
class Address:
    """A host and a port, or the path of a socket. `str` shows no password."""

    host: str = "localhost"
    port: int = PORT
    path: str | None = None  # of a socket; host and port are not used then
    tls: bool = False
    username: str | None = None
    password: str | None = field(default=None, repr=False)
    db: int | None = None

    def __str__(self) -> str:
        if self.path is not None:
            return f"unix://{self.path}"
        host = f"[{self.host}]" if ":" in self.host else self.host
        place = f"{'rediss' if self.tls else 'redis'}://{host}:{self.port}"
        return place if self.db is None else f"{place}/{self.db}"


def read_address(text: str) -> Address:
    """Parse `localhost:6379`, `redis://…`, `rediss://…` or `unix:///…`. Raises ValueError with the reason."""
    text = text.strip()
    try:
        parts = urlsplit(text if "://" in text else f"redis://{text}")
        port = PORT if parts.port is None else parts.port
    except ValueError:
        raise ValueError("it is no address: give host:port, or redis://host:port") from None
    if parts.scheme not in _SCHEMES:
        raise ValueError("give host:port, or an address that begins with redis://, rediss:// or unix://")
    if parts.query or parts.fragment:
        raise ValueError("only the password and the number of the database can be said in it")
    password = unquote(parts.password) if parts.password else None
    username = unquote(parts.username) if parts.username else None
    if parts.scheme == "unix":
        return Address(path=_socket(parts), username=username, password=password)
    if not parts.hostname:
        raise ValueError("it names no host")
    return Address(
        parts.hostname,
        port,
        tls=parts.scheme == "rediss",
        username=username,
        password=password,
        db=_database(parts.path),
    )


def _socket(parts: SplitResult) -> str:
    if not parts.path.startswith("/") or parts.hostname:
        raise ValueError("give the whole path of the socket, as in unix:///run/valkey.sock")
    return unquote(parts.path)


def _database(path: str) -> int | None:
    number = path.strip("/")
    if not number:
        return None
    if not (number.isascii() and number.isdigit() and int(number[:6]) < MOST_DATABASES):
        raise ValueError(f"{number[:20]!r} is not the number of a database")
    return int(number)
