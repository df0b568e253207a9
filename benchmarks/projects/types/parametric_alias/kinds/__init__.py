from .arrays import Tensor
