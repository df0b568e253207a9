ROUNDED = False
VERBOSE = False
