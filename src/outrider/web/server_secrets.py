"""The secrets of this server; without real ones it listens on loopback only (AUT-10)."""

from outrider.auth.secrets import Secrets, development_secrets, secrets_for
from outrider.settings import Settings


def server_secrets(settings: Settings) -> Secrets:
    """The secrets to sign with; raises Misconfigured with what to set for a public address."""
    folder = settings.database.data_dir.expanduser()
    return secrets_for(settings.auth, settings.web.host, lambda: development_secrets(folder))
