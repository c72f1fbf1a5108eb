"""Several broken twins of one test: each of them must be caught by itself."""

from tests.battery.battery import Result


def tell_apart(twins, look):
    """Run ``look`` on every twin; what it missed, and nothing when one of them got through.

    ``twins`` maps names to what ``look`` takes; it gives a `Result`. A twin that nobody catches
    leaves the list empty, so that the test of the tests fails.
    """
    found = {name: look(twin) for name, twin in twins.items()}
    counts = {f"twin {name}": len(result.missed) for name, result in found.items()}
    missed = [f"{name}: {text}" for name, result in found.items() for text in result.missed]
    return Result(counts, missed if all(counts.values()) else [])
