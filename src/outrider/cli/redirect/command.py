"""`outrider redirect`: the menu of the commands about redirects."""

from outrider.cli.commands import submenu
from outrider.cli.redirect.change import add, edit, remove
from outrider.cli.redirect.files import export, import_
from outrider.cli.redirect.look import history, list_, resolve

redirect = submenu(
    "redirect",
    {
        "add": add,
        "list": list_,
        "edit": edit,
        "remove": remove,
        "resolve": resolve,
        "history": history,
        "export": export,
        "import": import_,
    },
)
