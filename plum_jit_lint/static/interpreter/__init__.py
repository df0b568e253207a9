"""The abstract run: what a module does when Python runs it, without running it.

Statements evaluate expressions, expressions call functions, and functions are statements again, so
the files here need each other; `machine` holds the state that they share, and `values` what an
expression can stand for. What is known of other libraries is in `library` and the `*_calls` files,
what jit keeps in `tracing` and `transforms`, and what plum chooses in `choices`.
"""
