"""`outrider websub`: the listener that hubs call back."""

from outrider.cli.options import Config, Data, Json


def websub(json: Json = False, data: Data = None, config: Config = None) -> None:
    """Listen to hubs that push what feeds publish, until interrupted.

    `outrider watch` asks them for pushes where a feed names one, and polls all the while. Hubs are told
    OUTRIDER_WEBSUB_CALLBACK; this listens on OUTRIDER_WEBSUB_LISTEN, behind whatever serves that address.
    """
    from outrider.cli.output import fail
    from outrider.cli.running import WRONG_USAGE, load_settings, run
    from outrider.cli.websub.run import listen_to_hubs

    loaded = load_settings(config, data=data)
    public = loaded.settings.feeds.websub_callback
    if public is None:
        fail("no hub can reach us: OUTRIDER_WEBSUB_CALLBACK names no public address", WRONG_USAGE)
    run(listen_to_hubs(loaded, public, json=json))
