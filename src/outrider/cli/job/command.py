"""`outrider job`: the menu of the commands about jobs."""

from outrider.cli.commands import submenu
from outrider.cli.job.add import add, edit
from outrider.cli.job.change import cancel, pause, remove, resume, retry, run
from outrider.cli.job.look import history, list_, show, stats

job = submenu(
    "job",
    {
        "add": add,
        "list": list_,
        "show": show,
        "edit": edit,
        "pause": pause,
        "resume": resume,
        "cancel": cancel,
        "retry": retry,
        "run": run,
        "remove": remove,
        "history": history,
        "stats": stats,
    },
)
