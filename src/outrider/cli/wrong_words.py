"""Wrong subcommands that users type, and the command that they mean."""

RIGHT_COMMANDS = {
    "hosts": {
        "list": "outrider hosts",
        "ls": "outrider hosts",
        "show": "outrider hosts HOST",
        "block": "outrider hosts HOST --block REASON",
        "unblock": "outrider hosts HOST --unblock",
        "reset": "outrider hosts HOST --reset",
    },
    "urls": {
        "list": "outrider urls",
        "ls": "outrider urls",
        "show": "outrider why URL",
        "retry": "outrider retry URL",
        "clear": "outrider clear",
    },
    "robots": {
        "list": "outrider robots HOST",
        "show": "outrider robots HOST",
        "test": "outrider robots HOST PATH",
        "fetch": "outrider robots HOST --fetch",
    },
    "crawl": {"start": "outrider crawl URL", "list": "outrider stats", "status": "outrider stats"},
    "watch": {"start": "outrider watch", "list": "outrider source list", "add": "outrider source add URL"},
    "stats": {"show": "outrider stats", "list": "outrider stats"},
    "config": {"show": "outrider config", "list": "outrider config"},
    "migrate": {"up": "outrider migrate", "status": "outrider migrate --status"},
    "why": {"show": "outrider why URL"},
    "fetch": {"show": "outrider fetch URL"},
}


def right_command(command: str, word: str) -> str | None:
    """The command that `outrider COMMAND WORD` most likely means; None if the word may be an argument."""
    return RIGHT_COMMANDS.get(command, {}).get(word)
