import lazy_loader as lazy

__getattr__, __dir__, __all__ = lazy.attach(
    __name__, submodules=["late"], submod_attrs={"core": ["total"], "late": ["late_name"]}
)
