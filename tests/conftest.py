"""The programs in `fixtures/` are read and run by `test_fixtures.py`; none of them is a test."""

collect_ignore_glob = ["fixtures/*"]
