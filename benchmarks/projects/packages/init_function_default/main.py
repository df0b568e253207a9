"""A default argument is made by a jitted call when the package's module runs."""

import models.base
import models.rules  # expect: PJ004/error

print(models.base.run(), models.rules)
