"""The abstract run: what a module does when Python runs it, without running it.

`values` has what an expression can stand for, `state` what a run knows, and the five verbs that all
other files ask it for; `static/assembly.py` says who does them. What jit keeps is in `tracing` and
`trace_keys`, what plum chooses in `choices`, what a registration does in `registration`.
"""
