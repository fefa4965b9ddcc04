"""`outrider hosts`: how hosts behave, and how each is treated."""
