"""A `pytest.ini` that cannot be read does no harm."""
from shapes import one, price

assert float(price(one)) == 2.0

import late  # expect: PJ004

assert float(price(one)) == 2.0
