"""The programs in these folders are read and run by tests, and are none."""

collect_ignore_glob = ["fixtures/*", "kinds/*", "notebooks/*", "wild/*"]
