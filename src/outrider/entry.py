"""The entry point of the `outrider` script. Child processes import it again, so it imports nothing."""


def main() -> None:
    """Run the command."""
    from outrider.garbage_collection import collect_rarely

    collect_rarely()
    from outrider.cli.main import main as run_command

    run_command()
