import level2
