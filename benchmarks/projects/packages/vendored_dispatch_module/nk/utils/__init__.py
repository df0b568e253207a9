from . import dispatch
