pytest_plugins = ["plugin"]
