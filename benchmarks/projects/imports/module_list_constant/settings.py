PLUGINS = ["late"]
