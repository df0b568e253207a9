__all__ = ["late"]
