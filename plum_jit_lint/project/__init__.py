"""Settings, and which files a project has."""
