"""Settings of the tests."""

from hypothesis import settings

# A failure must come back when the test is run again, and a slow machine is no failure.
settings.register_profile("fourcast", deadline=None, derandomize=True, database=None)
settings.load_profile("fourcast")

# Programs that misbehave, to be run by the tests and never imported in search of doctests.
collect_ignore = ["hostile"]
