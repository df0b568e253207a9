"""The commands beside the check."""
