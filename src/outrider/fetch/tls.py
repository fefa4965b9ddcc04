"""The TLS configuration."""

import ssl
from functools import cached_property

from outrider.errors import Misconfigured
from outrider.fetch.options import FetchOptions
from outrider.logs import get_logger

_log = get_logger()


class Tls:
    """The context of all connections, made for the first that needs it: reading certificates takes 40 ms.

    A certificate file that cannot be read, and certificates that are not verified, are told at the start.
    """

    def __init__(self, options: FetchOptions) -> None:
        self._options = options
        if options.ca_file is not None or options.insecure_skip_verify:
            _ = self.context

    @cached_property
    def context(self) -> ssl.SSLContext:
        return tls_context(self._options)


def tls_context(options: FetchOptions) -> ssl.SSLContext:
    """TLS 1.2 or newer, verified against the certificates of the machine and of OUTRIDER_CA_FILE."""
    context = ssl.create_default_context()
    context.minimum_version = ssl.TLSVersion.TLSv1_2
    context.set_alpn_protocols(["http/1.1"])
    if options.ca_file is not None:
        try:
            context.load_verify_locations(cafile=options.ca_file)
        except (OSError, ssl.SSLError) as error:
            raise Misconfigured(f"OUTRIDER_CA_FILE {options.ca_file} cannot be read: {error}") from error
    if options.insecure_skip_verify:
        _log.warning("certificates are not verified", setting="OUTRIDER_TLS_INSECURE_SKIP_VERIFY")
        context.check_hostname = False
        context.verify_mode = ssl.CERT_NONE
    return context
