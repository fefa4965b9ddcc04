"""Settings of an S3 server."""

import re
from dataclasses import dataclass, field
from urllib.parse import urlsplit

from outrider.object_store.model import key_parts
from outrider.options import setting

_BUCKET = re.compile(r"[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]")
_LONGEST_PREFIX = 200


def read_endpoint(text: str) -> str:
    """An address such as `https://minio.example:9000` or `minio:9000`; raises ValueError."""
    address = text.strip().rstrip("/")
    parts = urlsplit(address if "://" in address else f"http://{address}")
    if parts.scheme not in ("http", "https"):
        raise ValueError("an S3 server is reached by http or https")
    _ = parts.port  # raises ValueError for a port that is no number
    if not parts.hostname or parts.username or parts.path or parts.query or parts.fragment:
        raise ValueError("it is not an address such as https://minio.example:9000 or minio:9000")
    return address


def read_bucket(text: str) -> str:
    """The name of a bucket; raises ValueError."""
    name = text.strip()
    if not _BUCKET.fullmatch(name):
        raise ValueError("the name of a bucket has 3 to 63 lower-case letters, digits, dots and hyphens")
    return name


def read_prefix(text: str) -> str:
    """Folders such as `outrider/production`; raises ValueError."""
    prefix = text.strip("/")
    if len(prefix) > _LONGEST_PREFIX:
        raise ValueError(f"it is longer than {_LONGEST_PREFIX} characters")
    if prefix:
        key_parts(prefix)
    return prefix


@dataclass(frozen=True, slots=True)
class S3Options:
    """An optional S3 server for archives; without it they are files in the data directory."""

    endpoint: str | None = field(
        default=None,
        metadata=setting(
            "OUTRIDER_S3_ENDPOINT",
            "The address of the S3 server, such as https://minio.example:9000. Empty: that of AWS.",
            alias=("CRAWLER_MINIO_ENDPOINT",),
            kind="text",
            parse=read_endpoint,
        ),
    )
    tls: bool = field(
        default=False,
        metadata=setting(
            "OUTRIDER_S3_TLS",
            "Use https if the address of the S3 server begins with neither http:// nor https://.",
            alias=("CRAWLER_MINIO_USE_SSL",),
        ),
    )
    region: str | None = field(
        default=None,
        metadata=setting(
            "OUTRIDER_S3_REGION", "The region of the buckets. Empty: AWS_REGION, else us-east-1."
        ),
    )
    access_key: str | None = field(
        default=None,
        metadata=setting(
            "OUTRIDER_S3_ACCESS_KEY",
            "The access key. Empty: AWS_ACCESS_KEY_ID, else the one that AWS gives to the machine.",
            alias=("CRAWLER_MINIO_ACCESS_KEY",),
        ),
    )
    secret_key: str | None = field(
        default=None,
        repr=False,
        metadata=setting(
            "OUTRIDER_S3_SECRET_KEY",
            "The secret of the access key.",
            alias=("CRAWLER_MINIO_SECRET_KEY",),
            secret=True,
        ),
    )
    prefix: str = field(
        default="",
        metadata=setting(
            "OUTRIDER_S3_PREFIX",
            "Folders before the key of every object, such as outrider/production.",
            kind="text",
            parse=read_prefix,
        ),
    )

    def __post_init__(self) -> None:
        if (self.access_key is None) != (self.secret_key is None):
            raise ValueError("OUTRIDER_S3_ACCESS_KEY and OUTRIDER_S3_SECRET_KEY belong together: set both")

    @property
    def address(self) -> str | None:
        """The address with its scheme; None: that of AWS."""
        if self.endpoint is None or "://" in self.endpoint:
            return self.endpoint
        return f"{'https' if self.tls else 'http'}://{self.endpoint}"
