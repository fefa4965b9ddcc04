"""How the embedded server is set up: for a crawler on somebody's laptop, durable first."""

import os
import re
from collections.abc import Mapping

from outrider.errors import Misconfigured

_NAME = re.compile(r"[a-z_][a-z0-9_.]*", re.IGNORECASE)

_ALWAYS: Mapping[str, str] = {
    "listen_addresses": "",  # the socket in a private directory is the only way in
    "port": "5432",
    "unix_socket_permissions": "0700",
    "synchronous_commit": "on",
    "checkpoint_timeout": "15min",
    "max_wal_size": "4GB",
    # To fill each new file of the log with zeros before it is used took a tenth of what a page costs here.
    "wal_init_zero": "off",
    # After a crash we start it again, in order. Left to itself on a full disk, PostgreSQL 18 can end up as a
    # server without a startup process, which refuses connections for ever, also when there is room again.
    "restart_after_crash": "off",
    "work_mem": "16MB",
    "maintenance_work_mem": "128MB",
    "random_page_cost": "1.1",
    "jit": "off",
    "timezone": "UTC",
    "idle_in_transaction_session_timeout": "5min",
    # The queue's rows live for minutes: clean up often and in small bites.
    "autovacuum_naptime": "15s",
    "autovacuum_vacuum_scale_factor": "0.05",
    "autovacuum_analyze_scale_factor": "0.05",
    "autovacuum_vacuum_cost_limit": "2000",
    # Nobody turns this log over but we, at start: keep it to what matters.
    "log_checkpoints": "off",
    "log_line_prefix": "%m [%p] %a ",
}


def tuned(*, memory: int, has_lz4: bool, asked: Mapping[str, str]) -> dict[str, str]:
    """Our settings for a machine with `memory` bytes, under what the user asked for."""
    return {
        **_ALWAYS,
        "shared_buffers": f"{min(max(memory // 16 >> 20, 128), 1024)}MB",
        "effective_cache_size": f"{max(memory // 2 >> 20, 256)}MB",
        # PostgreSQL's own way took 150 µs of a page with ten million URLs; the bytes it saves cost less.
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
