"""The start of every command."""

from outrider.cli.running import run
from outrider.logs import get_logger


def test_what_a_command_logs_is_no_part_of_its_result(capsys):
    async def work() -> str:
        get_logger().info("all is well")
        get_logger().warning("the database is away", dsn="postgresql://ada:secret@db/outrider")
        return "done"

    result = run(work())
    told = capsys.readouterr()

    assert (result, told.out) == ("done", "")
    assert "the database is away" in told.err
    assert "all is well" not in told.err
    assert "secret" not in told.err
