"""An optional Valkey (or Redis): where it is, and one way to talk to it.

Nothing that matters lives only there. Whoever uses it must go on without it, and says so once, not each time.

    client = connect(settings.valkey)
    with asking(settings.valkey.address):
        await client.xadd(…)               # raises Unavailable, in one sentence, while it is away
"""
