"""The name by which robots.txt addresses us."""

AGENT = "outrider"  # robots.txt is matched by product token, whatever the User-Agent says (ROB-13)
