"""Questions to a file that need no run of it: what its bytes mention, what it imports."""
