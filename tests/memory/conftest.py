"""Fixtures that several files of tests share."""

import pytest

import locales
from tests.memory.facts_notebook import Notebook
from tests.memory.search_workplace import Workplace


@pytest.fixture
def book(tmp_path):
    """A notebook of facts."""
    made = Notebook(tmp_path)
    yield made
    made.database.close()


@pytest.fixture(scope="session")
def spoken():
    """Four languages, read once."""
    return locales.load(["en", "cs", "uk", "zh"])


@pytest.fixture
def place(tmp_path, spoken):
    """Documents, facts and an index over them."""
    return Workplace(tmp_path, spoken)
