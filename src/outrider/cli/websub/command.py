"""`outrider websub`: the listener for WebSub hubs."""

from outrider.cli.options import Config, Data, Json


def websub(json: Json = False, data: Data = None, config: Config = None) -> None:
    """Receive pushes from WebSub hubs, until interrupted.

    `outrider watch` subscribes to the hub that a feed names, and still polls the feed. Hubs call
    OUTRIDER_WEBSUB_CALLBACK; a reverse proxy forwards these calls to OUTRIDER_WEBSUB_LISTEN.
    """
    from outrider.cli.output import fail
    from outrider.cli.running import WRONG_USAGE, load_settings, run
    from outrider.cli.websub.run import listen_to_hubs
    from outrider.errors import Misconfigured
    from outrider.services.sources.websub import public_address

    loaded = load_settings(config, data=data)
    try:
        public_address(loaded.settings)
    except Misconfigured as error:
        fail(error, WRONG_USAGE)
    run(listen_to_hubs(loaded, json=json))
