"""First calls of compiled kernels take seconds on a cold cache, so property tests have no deadline."""

from hypothesis import settings

settings.register_profile("compiled", deadline=None)
settings.load_profile("compiled")
