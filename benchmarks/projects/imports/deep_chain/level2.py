from level3 import NAME
