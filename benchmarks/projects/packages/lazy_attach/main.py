"""A vendored `lazy_loader.attach`: the submodule runs when its function is first looked up."""

import jax.numpy as jnp
import survey

survey.total(jnp.ones(2))
print(survey.late_name())  # expect: PJ004
print(survey.total(jnp.ones(2)))
