from hooks import HOOKS
from kernels import kernel

HOOKS.append(kernel)
