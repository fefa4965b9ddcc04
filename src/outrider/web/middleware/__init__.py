"""What happens around every request, whichever handler answers it. Each middleware is one ASGI callable."""
