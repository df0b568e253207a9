"""What was found before, and when it still holds."""
