"""Settings of the tests."""

import signal

import pytest
from hypothesis import settings

# A shell that starts the tests in the background has them ignore Ctrl-C, and with them every process
# that they start: the tests of Ctrl-C would wait for ever.
signal.signal(signal.SIGINT, signal.default_int_handler)

# A failure must come back when the test is run again, and a slow machine is no failure.
settings.register_profile("fourcast", deadline=None, derandomize=True, database=None)
settings.load_profile("fourcast")

# Programs that misbehave, to be run by the tests and never imported in search of doctests.
collect_ignore = ["hostile"]

SLOW_TIMEOUT_S = 1800


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Give slow tests a longer time limit, unless they set one themselves."""
    for item in items:
        if item.get_closest_marker("slow") and not item.get_closest_marker("timeout"):
            item.add_marker(pytest.mark.timeout(SLOW_TIMEOUT_S))
