"""From paths to a report: which program a file belongs to, and what is found in it."""
