"""The file of `outrider crawl --output`: the same as `outrider export pages` writes for this crawl."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from outrider.errors import InvalidInput
from outrider.settings import Loaded
from outrider.sources.policy import Policy


@contextmanager
def output_of(policy: Policy, loaded: Loaded, output: Path | None) -> Iterator[Callable[[], None]]:
    """A function to call after the crawl. A file that cannot be written is an error before the crawl."""
    if output is None:
        yield lambda: None
        return
    # These imports are slow, and most crawls write no file.
    from outrider.cli.export import STANDARD_OUTPUT, format_of, opened, print_row_count, write
    from outrider.documents.export import Selection
    from outrider.services.pages.versions import ExportTable
    from outrider.sources.crawl_commands import crawl_name

    if output == STANDARD_OUTPUT:
        raise InvalidInput("standard output shows the progress of the crawl: name a file with --output")
    with opened(output) as file:

        def write_pages() -> None:
            selection = Selection(source=crawl_name(policy.seeds))
            rows = write(loaded, ExportTable.PAGES, selection, format_of(output), file)
            print_row_count(rows, ExportTable.PAGES, output)

        yield write_pages
