"""The connection to an optional Redis or Valkey server.

Redis holds no data that exists only there. Callers must work without it, and log an outage once.

    client = connect(settings.redis)
    with asking(settings.redis.address):
        await client.xadd(…)               # raises Unavailable while the server is down
"""
