"""The settings of the embedded server: for a crawler on a laptop, with durable commits."""

import os
import re
from collections.abc import Mapping

from outrider.errors import Misconfigured

_NAME = re.compile(r"[a-z_][a-z0-9_.]*", re.IGNORECASE)

_ALWAYS: Mapping[str, str] = {
    "listen_addresses": "",  # only the socket in a private directory takes connections
    "port": "5432",
    "unix_socket_permissions": "0700",
    "synchronous_commit": "on",
    "checkpoint_timeout": "15min",
    "max_wal_size": "4GB",
    # Filling each new WAL file with zeros takes a tenth of the time of a page.
    "wal_init_zero": "off",
    # Outrider restarts the server after a crash. On a full disk PostgreSQL 18 can restart itself without a
    # startup process, and then refuses connections for ever, even when there is space again.
    "restart_after_crash": "off",
    "work_mem": "16MB",
    "maintenance_work_mem": "128MB",
    "random_page_cost": "1.1",
    "jit": "off",
    "timezone": "UTC",
    "idle_in_transaction_session_timeout": "5min",
    # The rows of the queue live for minutes: vacuum often and in small steps.
    "autovacuum_naptime": "15s",
    "autovacuum_vacuum_scale_factor": "0.05",
    "autovacuum_analyze_scale_factor": "0.05",
    "autovacuum_vacuum_cost_limit": "2000",
    # The log is only rotated at start, so it must stay small.
    "log_checkpoints": "off",
    "log_line_prefix": "%m [%p] %a ",
}


def tuned(*, memory: int, has_lz4: bool, asked: Mapping[str, str]) -> dict[str, str]:
    """The settings for a machine with `memory` bytes; the settings of the user in `asked` win."""
    return {
        **_ALWAYS,
        "shared_buffers": f"{min(max(memory // 16 >> 20, 128), 1024)}MB",
        "effective_cache_size": f"{max(memory // 2 >> 20, 256)}MB",
        # pglz takes 150 µs for a page with ten million URLs, more than the saved bytes are worth.
        "wal_compression": "lz4" if has_lz4 else "off",
        **asked,
    }


def rendered(settings: Mapping[str, str]) -> str:
    """The text of a configuration file."""
    lines = ["# Written by Outrider at every start of the server; change its settings instead."]
    for name, value in settings.items():
        if not _NAME.fullmatch(name) or any(ord(character) < 32 for character in value):
            raise Misconfigured(f"{name!r} = {value!r} cannot be a setting of PostgreSQL")
        quoted = value.replace("\\", "\\\\").replace("'", "''")
        lines.append(f"{name} = '{quoted}'")
    return "\n".join(lines) + "\n"


def machine_memory() -> int:
    """Bytes of memory this machine has."""
    return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
