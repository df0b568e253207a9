"""Every bound of the checker and of the watch on a running program, and why it is there."""

from __future__ import annotations

# -- reading a file ---------------------------------------------------------------------------

SAFE_DEPTH = 90
"""Nesting of nodes up to which libcst and its visitors are known to be safe."""


LONGEST_FOR_LIBCST = 500_000
"""Characters of a text that libcst reads: it takes 7 s for the 900,000 of a generated module.
What Python's own tree gives is the same."""


LARGE_STACK = 512 * 1024 * 1024
"""Bytes of address space for the thread that reads deep nesting. Memory is used only as deep as
the stack really goes."""


LARGE_RECURSION_LIMIT = 60_000
"""Python frames in that thread, which fit into its stack."""


LONGEST_STRING = 200
"""Strings beyond this length are no names, annotations or module paths: their text is dropped."""


LONGEST_MODULE_NAME = 100
"""Parts of the dotted name of a module that is looked for. A name can be computed, and each part
is a question to the disk."""

LONGEST_MODULE_PART = 250
"""Characters of each part of the name of a module: no file has a longer name."""


LONGEST_SNAPSHOT = 4_000_000
"""Bytes of a text that the cache keeps, to compare a changed file with what it was."""


# -- calls ------------------------------------------------------------------------------------

MOST_CALLS = 5_000
"""Function calls that one run follows; a program that makes more is cut there."""


MOST_CALLS_OF_ONE = 1_000
"""Function calls that the run of one function follows that nothing calls. There is a run for each
of them, so each gets less than the module does."""


MOST_CALLS_OF_ALL = 5_000
"""Function calls that these runs follow together; in those that are left, each follows
`LEAST_CALLS_OF_ONE`."""


LEAST_CALLS_OF_ONE = 100
"""What each of these runs follows at least, so that no function is left out."""


MOST_PARAMETER_SETS = 20
"""Calls of one parametrised test: stacked marks multiply."""
DEEPEST_PATTERN = 5
"""Brackets in one another after `case` that libcst is given: it takes twice as long for each."""


CLASSES_OF_A_STEP = 10
"""Classes gone through that take as long as one step."""


QUESTIONS_OF_A_STEP = 2
"""Questions about types, or methods gone through, that take as long as one step."""


TRACES_OF_A_STEP = 2
"""Kept traces gone through that take as long as one step."""


CONDITIONS_OF_A_STEP = 50
"""Conditions of a branch gone through that take as long as one step."""


PARTS_OF_A_STEP = 4
"""Parts of an argument gone through that take as long as one step."""


LEAST_STEPS = 150_000
STEPS_OF_A_BYTE = 2
"""Expressions and statements that the check of a file looks at, and other work of that size: so
many at least, and so many more for each byte of its text. A step takes some microseconds. Of 762
files of six packages, the one that takes most takes 34,000 for 17 kB, libraries that it calls
included; what takes more than this was made to."""


MOST_MEMBERS = 2_000
"""Members of a list, a tuple, a set or a dict that an operation puts together from others. Beyond
it they stand for their kind, or a few lines would fill the memory."""


MOST_OF_A_TYPE = 500
"""Parts of which a type is made, each counted as often as it stands in it; a type with more is not
looked into. A type that holds the one before it twice has twice as many parts."""


MOST_OF_A_CALL = 400
"""Places in the arguments of a call by which it is known again."""


MOST_OF_A_TREE = 10_000
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


# -- loops ------------------------------------------------------------------------------------

ROUNDS = (20, 6, 2, 1)
"""Rounds of a loop that are run, by how many loops are around it: nested loops multiply."""


MOST_ITERATIONS = 20
"""Members of a loop over a known sequence that are run one by one."""


ALIKE = 2
"""Rounds that show what one round leaves for the next, where nothing counts them."""


# -- choices and values -----------------------------------------------------------------------

MOST_MATCHING_METHODS = 300
"""Methods that match one call, after which every one of them may be chosen: plum's order compares
each with each."""


MOST_OPEN_METHODS = 12
"""Methods of which it is open whether they match, after which every one of them may be chosen."""


MOST_ANSWERS_TRIED = 256
"""Ways to answer the open questions of one choice that are tried: each question doubles them.
Where there are more, every method may be chosen."""


MOST_UNSURE_TRACES = 4
"""Kept traces that a call may find or not, after which it is taken to find one of them. Without
an end to it, each call in a branch of a recursion would leave one more."""


MOST_CANDIDATES = 4
"""Methods that are followed outside of a trace where it is open which one is chosen."""


MOST_ALTERNATIVES = 6
"""Values that one name may have; where there are more, it may be anything."""


DEEPEST_VALUE = 5
"""Nesting of containers that is looked into; a container may hold itself."""


DEEPEST_KNOWN = 4
"""Nesting of tuples and lists that are computed with."""


LONGEST_KNOWN = 200
"""Texts and sequences beyond this length decide no branch, and are not kept."""


LARGEST_KNOWN = 10**15
"""Numbers beyond this size are not kept: one that is squared in a loop soon has more digits than
can be computed with."""


LATEST = 8
"""Values under unknown keys of a dict that are looked at, the latest: in a program that is one big
loop there are soon hundreds of them, and each call asks."""


MOST_WRAPPERS = 200
"""How many wrappers around one function are looked through: more are nobody's, and each of
thousands of decorators may ask."""


MOST_OPEN_OPERANDS = 100
"""Operands after which those that follow are under no further condition."""


# -- a running program ------------------------------------------------------------------------

DEEPEST_ARGUMENT = 4
"""Nesting of containers in an argument that is recorded. Each call in a trace records all of its
arguments, and a container may hold itself."""


MOST_ITEMS_OF_ARGUMENT = 32
"""Length of a container in an argument that is recorded with what it holds."""


LONGEST_TEXT_OF_ARGUMENT = 1_000
"""Length of a text in an argument that is kept whole, since a method may match by value."""


MOST_ORIGINALS = 16
"""Objects that were recorded as one and the same argument and are still asked about types."""


MOST_WRAPPERS_OF_METHOD = 12
"""Decorators of a method that are looked through; `__wrapped__` may lead in a circle."""


DEEPEST_CAPTURE = 4
"""Functions captured by functions that make two methods different."""
