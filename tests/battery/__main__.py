"""Run the battery of reliability tests, each on its own or all together.

usage: python -m tests.battery [NAME ...] [--tier q] [--n N] [--seed S] [--broken] [--list]

NAME is a number (2, BT2) or a word of the name. Without a name every test of the tiers runs.
"""

import argparse
import sys
import time

from tests.battery.battery import Test, all_tests


def chosen(names: list[str], tiers: str) -> list[Test]:
    """The tests that are meant; every name must fit one."""
    tests = list(all_tests())
    if not names:
        return [test for test in tests if test.tier in tiers]
    return [test for test in tests if any(_fits(test, name.lower()) for name in names)]


def _fits(test: Test, name: str) -> bool:
    return name.removeprefix("bt") == str(test.number) or name in test.name.lower()


def report(test: Test, options: argparse.Namespace) -> bool:
    """Run one test and print its line; whether it kept its promises."""
    missing = test.lacks()
    if missing:
        print(f"{test.title} ({test.tier}): skipped, {missing}", flush=True)
        return True
    start = time.monotonic()
    result = test.run(options.seed, options.n, options.broken)
    counts = ", ".join(f"{name} {value}" for name, value in result.counts.items())
    word = "failed" if result.missed else "passed"
    seconds = time.monotonic() - start
    print(f"{test.title} ({test.tier}): {word} in {seconds:.1f} s: {counts}", flush=True)
    for sentence in result.missed[:10]:
        print(f"    {sentence}", flush=True)
    return not result.missed


def main() -> int:
    """Run what was asked for; 0 when everything passed."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.battery", description=__doc__.split("\n")[0]
    )
    parser.add_argument("names", nargs="*", metavar="NAME")
    parser.add_argument("--tier", default="qfr", help="q quick, f full, r root; default all")
    parser.add_argument("--n", type=int, help="how much work; default the row's own")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--broken", action="store_true", help="use the twins, which must fail")
    parser.add_argument("--list", action="store_true", help="only name the tests")
    options = parser.parse_args()
    tests = chosen(options.names, options.tier)
    if options.list or not tests:
        print("\n".join(f"{test.title} ({test.tier})" for test in tests or all_tests()))
        return 0 if tests else 2
    kept = [report(test, options) for test in tests]
    print(f"seed {options.seed}")
    print(f"{sum(kept)} passed, {len(kept) - sum(kept)} failed")
    return 0 if all(kept) else 1


if __name__ == "__main__":
    sys.exit(main())
