from kernels import kernel, other

TABLE = {"kernel": kernel, "other": other}
