"""In a cycle the jitted call comes first although its module is imported second."""

import shapes

print(shapes.area, shapes.WARM)
