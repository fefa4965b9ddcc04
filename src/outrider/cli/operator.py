"""The operator at the command line, for the audit log."""

import getpass

from outrider.auth.audit import Actor, shell_actor


def operator() -> Actor:
    """Who runs this command, by the name of the account on this machine."""
    try:
        return shell_actor(getpass.getuser())
    except (KeyError, OSError):
        return shell_actor("unknown")  # an account without a name
