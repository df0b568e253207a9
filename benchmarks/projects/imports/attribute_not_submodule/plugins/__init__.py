late = None
