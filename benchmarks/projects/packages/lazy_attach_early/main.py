"""The vendored `attach`: the late submodule is asked for before the first jitted call."""

import jax.numpy as jnp
import survey

survey.late_name()
survey.total(jnp.ones(2))
print(survey.late_name(), survey.total(jnp.ones(2)))
