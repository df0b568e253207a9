"""Facts from a libcst tree: for the files in which a finding can stand."""
