"""Alerts: what needs a person is remembered, told once, and closed when it is over (OBS-07 to OBS-09).

    read.py ──▶ Figures ── rules.py ──▶ conditions ── folding.py ── lifecycle.py ──▶ store.py
                                                                                       │
       event log, log, webhook  ◀── telling.py ◀── what was opened and what was closed ┘

The leader of the schedulers makes one pass every 30 seconds (`watch.py`). Figures come from counters,
samples and small tables, so a pass costs the same with any number of URLs. Rules are pure functions: a
condition is what holds at this moment. It opens an alert after it held for the time of its kind, and the
alert is closed after the condition has been over for a while, so a condition that comes and goes is told
once. A change of state, its event and its delivery to the webhook are one transaction.

If no scheduler runs, no pass is made and nothing is told: watch `/health` from outside.
"""
