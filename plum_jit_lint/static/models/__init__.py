"""What is known of libraries: which callables trace, keep, choose, or give what."""
