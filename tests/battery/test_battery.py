"""The battery in small: every test keeps its promises, and its broken twin does not."""

import pytest

from tests.battery.battery import all_tests

SMALL = [test for test in all_tests() if test.few]


@pytest.mark.parametrize("test", SMALL, ids=lambda test: test.title)
def test_the_promises_are_kept(test):
    """Each row of reliability.md (c) holds on the real parts."""
    if test.lacks():
        pytest.skip(test.lacks())
    assert test.run(seed=1, n=test.few).missed == []


@pytest.mark.parametrize("test", SMALL, ids=lambda test: test.title)
def test_the_broken_twin_is_caught(test):
    """Each row has teeth: without the defence it speaks of, it fails."""
    if test.lacks():
        pytest.skip(test.lacks())
    assert test.run(seed=1, n=test.few, broken=True).missed != []
