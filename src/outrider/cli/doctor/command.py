"""`outrider doctor`: check what works on this machine, and what is missing."""

import typer
from rich.table import Table
from rich.text import Text

from outrider.cli.doctor.checkup import Check, CheckResult, examine
from outrider.cli.options import Config, Data, Json
from outrider.cli.output import plain, print_json, show
from outrider.cli.running import load_settings

_MARKS = {
    CheckResult.GOOD: ("✓", "green"),
    CheckResult.DOUBTFUL: ("!", "yellow"),
    CheckResult.BAD: ("✗", "bold red"),
}


def doctor(data: Data = None, config: Config = None, json: Json = False) -> None:
    """Check what works on this machine, and what is missing.

    Nothing is sent over the network, and nothing is changed.
    """
    checks = list(examine(load_settings(config, data=data)))
    is_well = all(check.verdict is not CheckResult.BAD for check in checks)
    if json:
        print_json({"ok": is_well, "checks": [_as_data(check) for check in checks]})
    else:
        show(_drawn(checks))
    if not is_well:
        raise typer.Exit(1)


def _drawn(checks: list[Check]) -> Table:
    rows = Table.grid(padding=(0, 2))
    rows.add_column()
    rows.add_column(style="bold", no_wrap=True)
    rows.add_column(overflow="fold")
    for check in checks:
        mark, hue = _MARKS[check.verdict]
        told = plain(check.found)
        if check.advice:
            told.append_text(plain(f"\n→ {check.advice}", "yellow"))
        rows.add_row(Text(mark, style=hue), check.name, told)
    return rows


def _as_data(check: Check) -> dict[str, str]:
    return {"name": check.name, "verdict": check.verdict, "found": check.found, "advice": check.advice}
