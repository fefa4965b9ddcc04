"""Stops the embedded server when its last user is gone; started with it, as a process of its own.

Users hold a shared lock on the lease file, and the kernel takes it back however they die. The
keeper asks for the exclusive one: it is granted when nobody is left.
"""

import fcntl
import os
import signal
import sys
import time
from pathlib import Path

from outrider.db import postmaster
from outrider.db.home import Home

_FAST_S = 60.0
_IMMEDIATE_S = 10.0
_POLL_S = 0.02


def main(home: Home, keeper_lock: int) -> None:
    """Wait for the last user, stop the server, let go. `keeper_lock` came locked from our starter."""
    # The terminal's Ctrl-C and hang-up are for the crawl; the server outlives it by a clean stop.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGHUP, signal.SIG_IGN)
    lease = os.open(home.lease, os.O_RDWR)
    fcntl.flock(lease, fcntl.LOCK_EX)
    # Somebody may have removed the directory and begun anew: that server has a keeper of its own.
    if home.lease.exists() and home.lease.stat().st_ino == os.fstat(lease).st_ino:
        stop(home.data)
    # In this order: who gets the lease next must find no keeper, and start a new one.
    os.close(keeper_lock)
    os.close(lease)


def stop(data: Path) -> None:
    """Ask for a fast shutdown; insist if it is not done in a minute."""
    for signal_number, patience_s in ((signal.SIGINT, _FAST_S), (signal.SIGQUIT, _IMMEDIATE_S)):
        server = postmaster.find(data)
        if server is None:
            return
        os.kill(server.pid, signal_number)
        give_up_at = time.monotonic() + patience_s
        while _runs(server.pid, data) and time.monotonic() < give_up_at:
            time.sleep(_POLL_S)


def _runs(pid: int, data: Path) -> bool:
    server = postmaster.find(data)
    return server is not None and server.pid == pid


if __name__ == "__main__":
    # The parent ends here, so that our starter has no child to reap and knows that we came this far.
    if os.fork():
        sys.exit()
    main(Home(Path(sys.argv[1])), int(sys.argv[2]))
