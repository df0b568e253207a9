"""A script that only calls steps of other scripts, one after the other."""

import step1
import step2
import step3

a = step1.load()
b = step2.fit(a)
step3.extend()  # expect: PJ004/error
print(step2.fit(b))
