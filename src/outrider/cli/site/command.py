"""`outrider site`: the menu of the commands about owned sites."""

from outrider.cli.commands import submenu
from outrider.cli.site.broken import broken, ignore, resolve
from outrider.cli.site.content import event, paths, upload
from outrider.cli.site.crawled import crawled, verify
from outrider.cli.site.log import log
from outrider.cli.site.manage import add, edit, key, list_, remove, show
from outrider.cli.site.webhook import deliveries, webhook

site = submenu(
    "site",
    {
        "add": add,
        "list": list_,
        "show": show,
        "edit": edit,
        "key": key,
        "remove": remove,
        "webhook": webhook,
        "deliveries": deliveries,
        "event": event,
        "upload": upload,
        "paths": paths,
        "broken": broken,
        "resolve": resolve,
        "ignore": ignore,
        "log": log,
        "crawled": crawled,
        "verify": verify,
    },
)
