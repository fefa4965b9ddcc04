"""The product token of Outrider in robots.txt."""

AGENT = "outrider"  # robots.txt is matched by product token, whatever the User-Agent says (ROB-13)
