"""Stops the embedded server after its last user; a process that starts with the server.

Every user holds a shared lock on the lease file, which the kernel releases even if the user is killed.
The keeper waits for the exclusive lock, which it gets when no user is left.
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
    """Wait for the last user, stop the server, release the locks. The parent has locked `keeper_lock`."""
    # Ctrl-C and hang-up of the terminal end the crawl; the server must live until it is stopped cleanly.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGHUP, signal.SIG_IGN)
    lease = os.open(home.lease, os.O_RDWR)
    fcntl.flock(lease, fcntl.LOCK_EX)
    # If the directory was removed and created again, its new server has its own keeper.
    if home.lease.exists() and home.lease.stat().st_ino == os.fstat(lease).st_ino:
        stop(home.data)
    # In this order: the next user that gets the lease must find no keeper, and start a new one.
    os.close(keeper_lock)
    os.close(lease)


def stop(data: Path) -> None:
    """Request a fast shutdown, and an immediate one if it takes more than a minute."""
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
    # The parent ends here: the starter has no child to reap, and knows that the keeper has started.
    if os.fork():
        sys.exit()
    main(Home(Path(sys.argv[1])), int(sys.argv[2]))
