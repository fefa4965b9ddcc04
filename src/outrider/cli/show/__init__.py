"""How things are put for people, whichever command tells them."""
