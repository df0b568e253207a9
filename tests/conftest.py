"""The programs in `fixtures/`, `kinds/` and `wild/` are read and run by tests, and are none."""

collect_ignore_glob = ["fixtures/*", "kinds/*", "wild/*"]
