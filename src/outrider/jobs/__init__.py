"""Jobs: what is done for a source again and again, and how that follows from what the source is.

Every enabled source has one job that looks after itself. `effects.py` says what must happen to it, from the
source and the job as they are, so that late, repeated and lost events do no harm; `follow.py` does it, for an
event as for a reconciliation. `run.py` runs what is due. `states.py` is the one way to another state.
"""
