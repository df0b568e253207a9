"""A class attribute is filled by a jitted call while its module is imported."""

import cosmos.base
import cosmos.rules  # expect: PJ004/error

print(cosmos.base.Model.scale, cosmos.rules)
