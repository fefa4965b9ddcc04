"""Jobs: the periodic runs of sources.

Every enabled source has one managed job. `effects.py` decides how the job must change, from the current
source and the current job, so that late, repeated and lost events do no harm. `follow.py` makes the change,
for an event and for a reconciliation. `scheduler.py` runs due jobs.
Every change of state goes through `states.py`.

The policy is in pure modules. `transitions.py` says what each action does to a job, `locks.py` which
scheduler watches a run, `rhythm.py` when the next run is. `slots.py`, `distribution.py` and `rebalance.py`
spread runs over the day, `adaptive.py` stretches the interval of sources that do not change. `timeouts.py`,
`pruning.py` and `job_stats.py` are about the record of a run.
"""
