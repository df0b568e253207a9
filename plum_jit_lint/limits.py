"""How far a check goes: every bound of it, and why it is there."""

from __future__ import annotations

MOST_CALLS = 5_000
"""Function calls that one run follows; a program that makes more is cut there."""


DEEPEST_PATTERN = 5
"""Brackets in one another after `case` that libcst is given: it takes twice as long for each."""


LEAST_STEPS = 200_000
STEPS_OF_A_BYTE = 20
"""Expressions and statements that the check of a file looks at: so many at least, and so many more
for each byte of its text. People's programs take about one for a byte, and where they call large
libraries some thousands; what takes more than this was made to."""


MOST_MEMBERS = 2_000
"""Members of a list, a tuple, a set or a dict that an operation puts together from others. Beyond
it they stand for their kind, or a few lines would fill the memory."""


MOST_OF_A_TYPE = 500
"""Parts of which a type is made, each counted as often as it stands in it; a type with more is not
looked into. A type that holds the one before it twice has twice as many parts."""


MOST_OF_A_TREE = 2_000
"""Places in nested containers that are gone through; a container may hold another twice."""


MOST_RETRACES = 32
"""How often one run works out what new traces would choose."""


DEEPEST_CALL = 60
"""Calls in one another that are followed. Each takes several of Python's own frames."""


MOST_RECURSIVE = 2
"""How often one function may be active at once."""


MOST_COUNTED = 10
"""How often one function may be active at once while its arguments hold known numbers, which may
count down to its end; then they are taken as unknown once."""


MOST_NESTED = 12
"""How often one definition may be active at once: decorators nest their wrappers."""


MOST_ITERATIONS = 20
"""Members of a loop over a known sequence that are run one by one."""


ALIKE = 2
"""Rounds that show what one round leaves for the next, where nothing counts them."""


MOST_UNSURE_TRACES = 4
"""Kept traces that a call may find or not, after which it is taken to find one of them. Without
an end to it, each call in a branch of a recursion would leave one more."""


MOST_CANDIDATES = 4
"""Methods that are followed outside of a trace where it is open which one is chosen."""


MOST_ALTERNATIVES = 6
"""Values that one name may have; where there are more, it may be anything."""


DEEPEST_VALUE = 5
"""Nesting of containers that is looked into; a container may hold itself."""


LATEST = 8
"""Values under unknown keys of a dict that are looked at, the latest: in a program that is one big
loop there are soon hundreds of them, and each call asks."""


MOST_WRAPPERS = 200
"""How many wrappers around one function are looked through: more are nobody's, and each of
thousands of decorators may ask."""


MOST_OPEN_OPERANDS = 100
"""Operands after which those that follow are under no further condition."""
