"""Jobs: the periodic runs of sources.

Every enabled source has one managed job. `effects.py` decides how the job must change, from the current
source and the current job, so that late, repeated and lost events do no harm. `follow.py` makes the change,
for an event and for a reconciliation. `run.py` runs due jobs. Every change of state goes through `states.py`.
"""
